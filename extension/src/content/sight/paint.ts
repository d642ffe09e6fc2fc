// What an element paints: its background and edges, and the picture that it is.
import {
  boxOf,
  clientRectsOf,
  closestTo,
  frameIn,
  isHtml,
  offsetHeightOf,
  offsetWidthOf,
  parentOf,
  tagOf,
} from "../own.js";
import { BLACK, type Color, colorsIn, type Tint, WHITE } from "./color.js";
import { edgesOf, hasEdges } from "./edges.js";
import { backgroundOf, glassOf } from "./fill.js";
import { type Frame, toFrame } from "./frames.js";
import { type Box, center, height, intersect, type Point, shift, width } from "./geometry.js";
import { layerIn, Z } from "./layers.js";
import { isBlock, type Look } from "./look.js";
import { DENSE_MIN, gradientShape } from "./masks.js";
import { colorsOfPicture, drawsAt } from "./pictures.js";
import type { Painter } from "./painters.js";
import { fromMiddle, isTurned } from "./plane.js";

const PICTURES = new Set("IMG VIDEO CANVAS SVG IFRAME FRAME OBJECT EMBED INPUT PROGRESS METER".split(" "));
/** They have no picture beside their background. */
const FIELDS = new Set(["INPUT", "PROGRESS", "METER"]);
/** True for elements that show something else than what is in them. */
export const isPicture = (element: Element): boolean => PICTURES.has(tagOf(element)) && !frameIn(element);

/** A color after the filters that it is seen through. */
export const tinted = (color: Color, tints: readonly Tint[]): Color => tints.reduce((seen, tint) => tint(seen), color);

const DROPPED = /drop-shadow\(((?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)) (-?[\d.]+)px (-?[\d.]+)px/g;
/** A shadow that falls further lies over something else. */
const DROP_MIN_PX = 8;

/** Adds what an element paints by itself to what its frame shows. */
export function paint(look: Look): void {
  const { element, style, place, layer, inner } = look;
  const { group, effects } = inner;
  const client = boxOf(element);
  const background = backgroundOf(style, client);
  const glass = glassOf(style);
  const [isEdged, isDropped] = [hasEdges(style), style.filter.includes("drop-shadow")];
  if (background?.length === 0 && glass === "clear" && !isEdged && !isDropped && !isPicture(element)) return;
  const known = {
    group,
    glass,
    isSure: !effects.isVague,
    isPassing: isPassing(element, style, place.frame, client),
    ...(style.position === "sticky" && { sticksFrom: look.order }),
    ...holdsOf(look),
  };
  const { tints } = effects;
  const add = (box: Box, colors: Painter["colors"], more: Partial<Painter> = {}): void =>
    place.frame.painters.add({
      ...known,
      layer,
      colors,
      box: intersect(toFrame(box, place.frame), place.clip),
      ...more,
    });
  if (background?.length !== 0 || glass !== "clear") {
    const veil = background && isMixed(background) ? gradientShape(element, style.backgroundImage) : "unsure";
    const shown = veil === "unsure" ? background : background?.filter(({ a }) => a >= DENSE_MIN);
    const colors = shown?.map((color) => tinted(color, tints)) ?? null;
    const part = veil === "unsure" ? {} : { holds: (at: Point) => veil(at) && (known.holds?.(at) ?? true) };
    // A box in a line has a part on each of its lines.
    const boxes = isBlock(style) || isPicture(element) ? [client] : [...clientRectsOf(element)];
    for (const box of boxes) add(box, () => colors, part);
  }
  if (isEdged)
    for (const { box, color, isSure, isOnTop } of edgesOf(style, client)) {
      const at = isOnTop ? layerIn(inner.context, Z.own === layer.z ? Z.top : 0, look.order) : layer;
      const colors = [tinted(color, tints)];
      add(box, () => colors, { layer: at, isSure: isSure && known.isSure, glass: "clear", holds: shapesHold(look) });
    }
  if (isDropped)
    for (const [, color = "", x, y] of style.filter.matchAll(DROPPED)) {
      if (Math.max(Math.abs(Number(x)), Math.abs(Number(y))) < DROP_MIN_PX) continue;
      const colors = colorsIn(color);
      add(shift(client, { x: Number(x), y: Number(y) }), () => colors, { isSure: false, glass: "clear" });
    }
  if (!isPicture(element) || FIELDS.has(tagOf(element))) return;
  let picture: readonly Color[] | null | undefined;
  const read = (): readonly Color[] | null =>
    (picture ??= colorsOfPicture(element)?.map((color) => tinted(color, tints)) ?? null);
  const at = layer.z === Z.block ? layerIn(layer.parent, Z.inline, layer.order) : layer;
  const hold = known.holds;
  add(client, read, {
    layer: at,
    isPicture: true,
    holds: (point) => (hold?.(point) ?? true) && drawsAt(element, point),
  });
}

/** What is cut by a shape, or turned, is not wherever its box is. */
function holdsOf({ element, inner: { effects } }: Look): Pick<Painter, "holds"> {
  const { shapes, plane } = effects;
  if (shapes.length === 0 && (plane.isDeep || !isTurned(plane))) return {};
  const own = isHtml(element) ? { x: offsetWidthOf(element) / 2, y: offsetHeightOf(element) / 2 } : null;
  const isIn = (at: Point): boolean => {
    if (plane.isDeep || !own || !isTurned(plane)) return true;
    const now = center(boxOf(element));
    const from = fromMiddle(plane, { x: at.x - now.x, y: at.y - now.y });
    return !from || (Math.abs(from.x) <= own.x + 1 && Math.abs(from.y) <= own.y + 1);
  };
  return { holds: (at) => isIn(at) && shapes.every((shape) => shape(at)) };
}

const shapesHold =
  ({ inner: { effects } }: Look) =>
  (at: Point): boolean =>
    effects.shapes.every((shape) => shape(at));

/** Dense here and clear there. */
const isMixed = (colors: readonly Color[]): boolean =>
  colors.some(({ a }) => a >= DENSE_MIN) && colors.some(({ a }) => a < DENSE_MIN);

/** What sticks now to an edge of what scrolls, and has room to move: what it covers is seen later. */
function isPassing(element: Element, style: CSSStyleDeclaration, frame: Frame, box: Box): boolean {
  if (style.position !== "sticky") return false;
  const parent = /^(?:T[HDR]|THEAD|TFOOT)$/.test(tagOf(element)) ? closestTo(element, "table") : parentOf(element);
  const port = frame.parent ? shift(frame.port, frame.parent.origin()) : frame.port;
  const isAt = (edge: number, at: number): boolean => Math.abs(edge - at) <= 1.5;
  const around = parent && boxOf(parent);
  if (!around) return false;
  const { top, bottom, left, right } = style;
  const sticksY =
    isAt(box.top, port.top + Number.parseFloat(top)) || isAt(box.bottom, port.bottom - Number.parseFloat(bottom));
  const sticksX =
    isAt(box.left, port.left + Number.parseFloat(left)) || isAt(box.right, port.right - Number.parseFloat(right));
  return (sticksY && height(around) >= 2 * height(box)) || (sticksX && width(around) >= 2 * width(box));
}

/** The color under everything, by the page's color scheme. */
export function canvasColor(root: CSSStyleDeclaration): Color {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const isDark = root.colorScheme.includes("dark") && (prefersDark || !root.colorScheme.includes("light"));
  return isDark ? { ...BLACK, r: 18, g: 18, b: 18 } : WHITE;
}
