// Whether a text can be read at a point: it lies where it is shown, nothing covers it, and it differs from its ground.
import { closestTo, containsNode, isShadowRoot, rootOf } from "../own.js";
import { BLACK, BLENDS, type Color, faded, isDistinct, over, parseColor, WHITE } from "./color.js";
import type { Frame } from "./frames.js";
import { center, holdsBox, holdsPoint, type Point, shift } from "./geometry.js";
import { isUnder, type Layer, layerIn, Z } from "./layers.js";
import type { Look } from "./look.js";
import { tinted } from "./paint.js";
import type { Painter } from "./painters.js";
import type { Survey } from "./survey.js";

/** Grounds that are thought through at once, where gradients leave it open which it is. */
const GROUNDS_MAX = 16;
/** Of the letters' size: what is blurred more cannot be read. */
const BLUR_MAX = 0.2;
const SIZE_MIN_PX = 3;
/** Of the letters' size: a line as thick as this hides them. */
const BAR_MIN = 0.7;
const SHADOW = /((?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g;
const SHADOW_BLUR_MAX = 0.3;
const SHADOW_REACH_MAX = 3;

/** What letters may stand on: within their group of opacity, and under that. */
interface Ground {
  readonly base: Color;
  readonly back: Color;
}

/** The text of one element: asked for many points. */
export class Judge {
  readonly #survey: Survey;
  readonly #look: Look;
  readonly #layer: Layer;
  readonly #inks: readonly Color[] | null;
  readonly #isHittable: boolean;
  #last: { painters: readonly Painter[] | null; isDistinct: boolean } = { painters: null, isDistinct: true };

  constructor(survey: Survey, look: Look) {
    this.#survey = survey;
    this.#look = look;
    this.#layer = layerIn(look.inner.layer, Z.inline, look.order);
    this.#inks = inksOf(look);
    const { pointerEvents, display } = look.style;
    this.#isHittable =
      !survey.hasModal && pointerEvents !== "none" && display !== "contents" && !closestTo(look.element, "[inert]");
  }

  /** True where no text of the element can be read, wherever it stands. */
  get isBlank(): boolean {
    const { style, inner } = this.#look;
    if (this.#inks?.length === 0 || inner.group.opacity < 0.02) return true;
    const size_px = Number.parseFloat(style.fontSize);
    return (
      size_px < SIZE_MIN_PX ||
      inner.effects.blur_px > size_px * BLUR_MAX ||
      isMasked(style) ||
      isStruckOut(style, size_px)
    );
  }

  /** `at` is a point of the window. `asks` whether the browser finds the text there, which takes longest. */
  reads(at: Point, asks: boolean): boolean {
    const { frame, clip } = this.#look.inner.flow;
    if (!holdsPoint(clip, shiftPoint(at, frame))) return false;
    if (!this.#look.inner.effects.shapes.every((shape) => shape(at))) return false;
    return this.#isDistinct(at) && (!asks || this.#isHit(at));
  }

  /** The browser's own word, for what is in the window now. */
  #isHit(at: Point): boolean {
    const { element, inner } = this.#look;
    if (!this.#isHittable || !isInWindow(inner.flow.frame, at)) return true;
    const root = rootOf(element);
    const [one, all] = isShadowRoot(root)
      ? [ShadowRoot.prototype.elementFromPoint, ShadowRoot.prototype.elementsFromPoint]
      : [Document.prototype.elementFromPoint, Document.prototype.elementsFromPoint];
    const first = one.call(root, at.x, at.y);
    // What lies over the text was looked at before: here it counts that the text is there. Nothing is under scroll bars.
    return (
      first === null ||
      containsNode(element, first) ||
      all.call(root, at.x, at.y).some((hit) => containsNode(element, hit))
    );
  }

  /** The same painters make the same picture. */
  #isDistinct(at: Point): boolean {
    const painters = this.#paintersAt(at);
    const { painters: before, isDistinct } = this.#last;
    if (painters.length === before?.length && painters.every((one, i) => one === before[i])) return isDistinct;
    this.#last = { painters, isDistinct: this.#isDistinctFrom(painters) };
    return this.#last.isDistinct;
  }

  #isDistinctFrom(painters: readonly Painter[]): boolean {
    const { group, effects } = this.#look.inner;
    const under = painters
      .filter(({ layer }) => isUnder(layer, this.#layer))
      .sort((a, b) => (isUnder(a.layer, b.layer) ? -1 : 1));
    const within = (one: Painter): boolean => group.parent !== null && one.group === group;
    let grounds = (this.#survey.canvas ?? [BLACK, WHITE]).map((back): Ground => ({ base: back, back }));
    for (const one of under.filter((one) => !within(one))) {
      grounds = laid(grounds, one, one.group.opacity, (ground, lay) => ({
        base: lay(ground.base),
        back: lay(ground.back),
      }));
    }
    for (const one of under.filter(within)) {
      grounds = laid(grounds, one, 1, ({ base, back }, lay) => ({ base, back: lay(back) }));
    }
    if (!this.#inks) return true;
    const covers = painters.filter((one) => one.isSure && !under.includes(one));
    if (covers.some((one) => one.isFrosted && one.group.opacity > 0.5)) return false;
    return grounds.some(({ base, back }) =>
      this.#inks?.some((ink) => {
        const blend = BLENDS[effects.blend ?? ""];
        const mixed = blend ? blend(ink, back) : ink;
        const pair = [over(mixed, back), back].map((color) => over(faded(color, group.opacity), base));
        const [letters = back, ground = back] = pair.map((color) => covers.reduce(covered, color));
        return effects.blend && !blend ? true : isDistinct(letters, ground);
      }),
    );
  }

  /** What is painted at a point, and what is painted over or under all that its frame is seen through. */
  #paintersAt(at: Point): Painter[] {
    const { frame } = this.#look.inner.flow;
    const found = frame.painters.at(shiftPoint(at, frame));
    for (let inner = frame; inner.parent; inner = inner.parent) {
      const { port, parent } = inner;
      const around = parent.painters.at(center(port));
      found.push(...around.filter(({ layer, box }) => isUnder(layer, this.#layer) || holdsBox(box, port)));
    }
    const { document } = this.#survey;
    // What is fixed lies over the document, wherever that is scrolled to.
    if (!frame.parent)
      found.push(...document.painters.at(shiftPoint(at, document)).filter(({ layer }) => isUnder(layer, this.#layer)));
    return found;
  }
}

const shiftPoint = ({ x, y }: Point, frame: Frame): Point => {
  const origin = frame.origin();
  return { x: x - origin.x, y: y - origin.y };
};

function isInWindow(frame: Frame, at: Point): boolean {
  for (let inner = frame; inner.parent; inner = inner.parent) {
    // A frame element's document is hit in its own window.
    if (inner.view) return holdsPoint(inner.view, at);
    if (!holdsPoint(shift(inner.port, inner.parent.origin()), at)) return false;
  }
  return at.x >= 0 && at.y >= 0 && at.x < innerWidth && at.y < innerHeight;
}

function laid(
  grounds: Ground[],
  painter: Painter,
  opacity: number,
  put: (ground: Ground, lay: (on: Color) => Color) => Ground,
): Ground[] {
  const colors = painter.colors() ?? [BLACK, WHITE];
  if (colors.length === 0) return grounds;
  const next = colors.flatMap((color) => grounds.map((ground) => put(ground, (on) => over(faded(color, opacity), on))));
  const isCertain = painter.isSure && painter.colors() !== null;
  return (isCertain ? next : [...next, ...grounds]).slice(0, GROUNDS_MAX);
}

/** A color under what is laid over it: as little of it as may be covered. */
function covered(color: Color, cover: Painter): Color {
  const [thinnest] = cover.colors()?.toSorted((one, other) => one.a - other.a) ?? [];
  return thinnest ? over(faded(thinnest, cover.group.opacity), color) : color;
}

/** The colors of letters, outlines and shadows; null where only the browser knows. */
function inksOf({ style, inner }: Look): readonly Color[] | null {
  const fill = parseColor(style.webkitTextFillColor || style.color);
  const { letters, effects } = inner;
  if (letters === null && fill.a < 0.9) return null;
  const inks = fill.a < 0.9 && letters ? [...letters] : [fill];
  if (Number.parseFloat(style.webkitTextStrokeWidth) > 0) inks.push(parseColor(style.webkitTextStrokeColor));
  const size_px = Number.parseFloat(style.fontSize);
  for (const [, color = "", x, y, blur] of style.textShadow.matchAll(SHADOW)) {
    const isNear = Math.max(Math.abs(Number(x)), Math.abs(Number(y))) <= size_px * SHADOW_REACH_MAX;
    if (isNear && Number(blur) <= size_px * SHADOW_BLUR_MAX) inks.push(parseColor(color));
  }
  return inks.filter(({ a }) => a > 0.02).map((ink) => tinted(ink, effects.tints));
}

/** Letters under a bar. */
function isStruckOut({ textDecorationLine, textDecorationThickness }: CSSStyleDeclaration, size_px: number): boolean {
  return textDecorationLine.includes("line-through") && Number.parseFloat(textDecorationThickness) >= size_px * BAR_MIN;
}

/** Letters shown as dots. */
const isMasked = (style: CSSStyleDeclaration): boolean =>
  (style.getPropertyValue("-webkit-text-security") || "none") !== "none";
