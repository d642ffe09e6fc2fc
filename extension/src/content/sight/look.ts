// What an element is to the eye: where it is seen, in which order it is painted, and what it does to what is in it.
import { isBar } from "../furniture.js";
import {
  boxOf,
  childNodesOf,
  frameIn,
  hasAutoSize,
  isBody,
  isElement,
  isRendered,
  isRoot,
  page,
  parentOf,
} from "../own.js";
import { type Effects, effectsOf, NO_EFFECTS, opacityOf } from "./effects.js";
import { type Frame, insideOf, insideOfView, type Place, putOff, toFrame } from "./frames.js";
import { intersect } from "./geometry.js";
import type { Color } from "./color.js";
import { fillOf, isClippedToText } from "./fill.js";
import {
  containsPaint,
  isFixedContainer,
  isPositioned,
  isStacking,
  isTransformed,
  type Layer,
  layerIn,
  Z,
} from "./layers.js";
import type { Group } from "./painters.js";

/** What of an element can be seen: nothing, only what its children show, or all. */
export type Seen = "nothing" | "children" | "all";

/** What an element hands on to what is in it. */
export interface Inner {
  /** Where content is seen: what is in the flow, what is placed absolutely, and what is fixed. */
  readonly flow: Place;
  readonly absolute: Place;
  readonly fixed: Place;
  /** What absolute places are counted from. */
  readonly container: Element;
  /** What content is painted in, and what positioned content is. */
  readonly layer: Layer;
  readonly context: Layer;
  readonly group: Group;
  readonly effects: Effects;
  /** The colors seen through the letters, where a background is clipped to them; null where that is a picture. */
  readonly letters: readonly Color[] | null | undefined;
  readonly isFlexOrGrid: boolean;
}

export interface Look {
  readonly element: Element;
  readonly style: CSSStyleDeclaration;
  readonly seen: Seen;
  /** Its place in the tree. */
  readonly order: number;
  /** Where its own box is seen, and what that is painted in. */
  readonly place: Place;
  readonly layer: Layer;
  readonly inner: Inner;
}

/** What the document hands on to its root. */
export function outermost(ofWindow: Frame, ofDocument: Frame): Inner {
  const flow = { frame: ofDocument, clip: ofDocument.area };
  const layer = layerIn(null, 0, 0);
  return {
    flow,
    absolute: flow,
    fixed: { frame: ofWindow, clip: ofWindow.area },
    container: page.root(),
    layer,
    context: layer,
    group: { parent: null, opacity: 1 },
    effects: NO_EFFECTS,
    letters: undefined,
    isFlexOrGrid: false,
  };
}

export function lookAt(element: Element, outer: Inner, order: number): Look {
  const style = getComputedStyle(element);
  const known = { element, style, order, place: outer.flow, layer: outer.layer };
  // Boxes of `display: contents` count as not rendered, their children do not.
  const seen = style.visibility === "visible" ? "all" : "children";
  if (style.display === "contents") return { ...known, seen, inner: outer };
  const effects = isRendered(element) && !isBar(element, style) ? effectsOf(element, style, outer.effects) : null;
  if (!effects) return { ...known, seen: "nothing", inner: outer };
  const opacity = opacityOf(style);
  const place = clipped(element, style, placeOf(style, outer));
  const isMoved = isTransformed(style);
  const { layer, context } = layersOf(style, outer, order, isMoved);
  const flow = flowIn(element, style, place);
  const view = frameIn(element);
  const shown = view && insideOfView(element, view, place);
  const isFixed = !isRoot(element) && isFixedContainer(style, isMoved);
  const isContainer = isFixed || isPositioned(style);
  const inner: Inner = {
    flow: shown?.flow ?? flow,
    absolute: shown?.flow ?? (isContainer ? flow : outer.absolute),
    fixed: shown?.fixed ?? (isFixed ? flow : outer.fixed),
    container: view?.root ?? (isContainer ? element : outer.container),
    layer,
    context,
    group: opacity < 1 ? { parent: outer.group, opacity: outer.group.opacity * opacity } : outer.group,
    effects,
    letters: isClippedToText(style) ? fillOf(style, boxOf(element)) : outer.letters,
    isFlexOrGrid: /flex|grid/.test(style.display),
  };
  const z = isBlock(style) ? Z.block : Z.inline;
  return {
    ...known,
    place,
    seen,
    inner,
    layer: layer === outer.layer ? layerIn(layer, z, order) : layerIn(layer, Z.own, order),
  };
}

/** Where a box is seen, by what it is placed in. */
export function placeOf({ position }: CSSStyleDeclaration, { flow, absolute, fixed }: Inner): Place {
  return position === "fixed" ? fixed : position === "absolute" ? absolute : flow;
}

export function layersOf(
  style: CSSStyleDeclaration,
  outer: Inner,
  order: number,
  isMoved = isTransformed(style),
): Pick<Inner, "layer" | "context"> {
  if (isStacking(style, outer.isFlexOrGrid, isMoved)) {
    const layer = layerIn(outer.context, Number.parseInt(style.zIndex) || 0, order);
    return { layer, context: layer };
  }
  return { layer: isPositioned(style) ? layerIn(outer.context, 0, order) : outer.layer, context: outer.context };
}

/** The old property `clip`, which cuts what is placed absolutely. */
function clipped(element: Element, style: CSSStyleDeclaration, place: Place): Place {
  const [top, right, bottom, left] =
    /^rect\((.+)\)$/.exec(style.clip)?.[1]?.split(/[ ,]+/).map(Number.parseFloat) ?? [];
  if (left === undefined || !/absolute|fixed/.test(style.position)) return place;
  const box = toFrame(boxOf(element), place.frame);
  const edge = (from: number, by: number | undefined, auto: number): number =>
    Number.isNaN(by ?? NaN) ? auto : from + (by ?? 0);
  const rest = {
    left: edge(box.left, left, -Infinity),
    top: edge(box.top, top, -Infinity),
    right: edge(box.left, right, Infinity),
    bottom: edge(box.top, bottom, Infinity),
  };
  return { frame: place.frame, clip: intersect(place.clip, rest) };
}

function flowIn(element: Element, style: CSSStyleDeclaration, place: Place): Place {
  if (style.display === "inline" || isWindows(element)) return place;
  if (isPutOff(element, style)) return putOff(element, place);
  const isCut = style.overflowX !== "visible" || style.overflowY !== "visible" || containsPaint(style);
  return isCut ? insideOf(element, style, place) : place;
}

/** True where the size of a box is a guess, because the browser has put off laying out what is in it. */
function isPutOff(element: Element, style: CSSStyleDeclaration): boolean {
  if (style.contentVisibility !== "auto" || style.maxHeight !== "none" || !hasAutoSize(element)) return false;
  const child = [...childNodesOf(element)].find((one) => isElement(one) && isRendered(one));
  if (child && isElement(child)) return !isRendered(child, { contentVisibilityAuto: true });
  const { top, bottom } = boxOf(element);
  return bottom < 0 || top > innerHeight;
}

/** The overflow of a root is its window's, or else the body's is. */
function isWindows(element: Element): boolean {
  if (isRoot(element)) return true;
  const root = isBody(element) ? parentOf(element) : null;
  return root !== null && getComputedStyle(root).overflowX === "visible";
}

/** Of the size of the letters: margins as wide as a space part words. */
const SPACE_EM = 0.2;

/** True for boxes in a line whose margins part them from what is beside them. */
export function isApart({ fontSize, marginInlineStart, marginInlineEnd }: CSSStyleDeclaration): boolean {
  const margin_px = Math.max(Number.parseFloat(marginInlineStart), Number.parseFloat(marginInlineEnd));
  return margin_px >= SPACE_EM * Number.parseFloat(fontSize);
}

/** True for boxes that begin a line of their own. */
export function isBlock(style: CSSStyleDeclaration): boolean {
  return !/^(?:inline|contents|ruby)/.test(style.display);
}
