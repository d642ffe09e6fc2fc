// Whether a text can be read at a point: it lies where it is shown, nothing covers it, and it differs from its ground.
import { closestTo, containsNode, isShadowRoot, rootOf } from "../own.js";
import { BLACK, BLENDS, type Color, faded, isDistinct, over, WHITE } from "./color.js";
import type { Frame } from "./frames.js";
import { center, grown, holdsBox, holdsPoint, type Point, shift } from "./geometry.js";
import { covered, type Ground, isDoubtful, laid } from "./grounds.js";
import { isUnder, type Layer, layerIn, Z } from "./layers.js";
import { inksOf, isBackward, isIllegible, stylesOf } from "./letters.js";
import type { Look } from "./look.js";
import type { Painter } from "./painters.js";
import { isReversed } from "./plane.js";
import type { Survey } from "./survey.js";

/** In the order of the tree, a text comes behind what its element paints. */
const OWN_TEXT = 0.5;
/** Of what scrolls: less than this around a cover shows no line of it. */
const RIM_PX = 12;

/** Whether a text can be read; "unsure" where what is computed does not say. */
export type Verdict = "seen" | "hidden" | "unsure";

/** The text of one element: asked for many points. */
export class Judge {
  readonly #survey: Survey;
  readonly #look: Look;
  readonly #layer: Layer;
  /** Of each style that parts of it have. */
  readonly #inks: readonly (readonly Color[] | null)[];
  readonly #isHittable: boolean;
  /** True where no text of the element can be read, wherever it stands. */
  readonly isBlank: boolean;
  /** True where nobody can tell whether its text is read as it is written. */
  readonly isUnsure: boolean;
  #last: { painters: readonly Painter[] | null; verdict: Verdict } = { painters: null, verdict: "seen" };

  constructor(survey: Survey, look: Look) {
    this.#survey = survey;
    this.#look = look;
    this.#layer = layerIn(look.inner.layer, Z.inline, look.order + OWN_TEXT);
    const { style, inner } = look;
    const parts = stylesOf(look, survey.parts).map((part): Look => ({ ...look, style: part }));
    this.#inks = parts.map(inksOf);
    this.isBlank = this.#inks[0]?.length === 0 || inner.group.opacity < 0.02 || isIllegible(look);
    this.isUnsure =
      inner.effects.isUnsure ||
      isReversed(inner.effects.plane) ||
      isBackward(look) ||
      parts.slice(1).some((part, i) => this.#inks[i + 1]?.length === 0 || isIllegible(part));
    const { pointerEvents, display } = style;
    this.#isHittable =
      !survey.hasModal && pointerEvents !== "none" && display !== "contents" && !closestTo(look.element, "[inert]");
  }

  /** `at` is a point of the window. `asks` whether the browser finds the text there, which takes longest. */
  reads(at: Point, asks: boolean): Verdict {
    const { frame, clip } = this.#look.inner.flow;
    if (!holdsPoint(clip, shiftPoint(at, frame))) return "hidden";
    if (!this.#look.inner.effects.shapes.every((shape) => shape(at))) return "hidden";
    const verdict = this.#verdictAt(at);
    return verdict !== "hidden" && asks && !this.#isHit(at) ? "hidden" : verdict;
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
  #verdictAt(at: Point): Verdict {
    const painters = this.#paintersAt(at);
    if (!painters) return "unsure";
    const { painters: before, verdict } = this.#last;
    if (painters.length === before?.length && painters.every((one, i) => one === before[i])) return verdict;
    this.#last = { painters, verdict: this.#verdictOn(painters) };
    return this.#last.verdict;
  }

  #verdictOn(painters: readonly Painter[]): Verdict {
    const under = painters
      .filter(({ layer }) => isUnder(layer, this.#layer))
      .sort((a, b) => (isUnder(a.layer, b.layer) ? -1 : 1));
    const grounds = this.#groundsOf(under);
    const isPassing = ({ isPassing, sticksFrom = Infinity }: Painter): boolean =>
      isPassing === true || sticksFrom < this.#look.order;
    const above = painters.filter((one) => !isPassing(one) && !under.includes(one));
    const sure = above.filter((one) => one.isSure);
    if (sure.some((one) => one.glass === "frosted" && one.group.opacity > 0.5)) return "hidden";
    if (!this.#isDistinct(0, grounds, sure)) return "hidden";
    if (above.some(isDoubtful)) return "unsure";
    return this.#inks.every((_, part) => part === 0 || this.#isDistinct(part, grounds, sure)) ? "seen" : "unsure";
  }

  #groundsOf(under: readonly Painter[]): readonly Ground[] {
    const { group } = this.#look.inner;
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
    return grounds;
  }

  /** Whether letters of one of its styles differ from any of the grounds, under what covers them. */
  #isDistinct(part: number, grounds: readonly Ground[], covers: readonly Painter[]): boolean {
    const inks = this.#inks[part];
    if (!inks) return true;
    const { group, effects } = this.#look.inner;
    const blend = BLENDS[effects.blend ?? ""];
    return grounds.some(({ base, back }) =>
      inks.some((ink) => {
        const mixed = blend ? blend(ink, back) : ink;
        const pair = [over(mixed, back), back].map((color) => over(faded(color, group.opacity), base));
        const [letters = back, ground = back] = pair.map((color) => covers.reduce(covered, color));
        return isDistinct(letters, ground);
      }),
    );
  }

  /** What is painted at a point, and what is painted over or under all that its frame is seen through; null where that is too much. */
  #paintersAt(at: Point): Painter[] | null {
    const { frame } = this.#look.inner.flow;
    const own = frame.painters.at(shiftPoint(at, frame));
    if (!own) return null;
    const found = own;
    for (let inner = frame; inner.parent; inner = inner.parent) {
      const { port, parent } = inner;
      const around = parent.painters.at(center(port));
      if (!around) return null;
      found.push(
        ...around.filter(({ layer, box }) => isUnder(layer, this.#layer) || holdsBox(grown(box, RIM_PX), port)),
      );
    }
    const around = this.#survey.document;
    // What is fixed lies over the document, wherever that is scrolled to.
    if (!frame.parent) {
      const below = around.painters.at(shiftPoint(at, around));
      if (!below) return null;
      found.push(...below.filter(({ layer }) => isUnder(layer, this.#layer)));
    }
    return found.filter(({ holds }) => holds?.(at) ?? true);
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
