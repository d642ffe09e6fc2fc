// What scrolls together. A place on a page counts as seen where scrolling brings it into view, so every box is kept in
// the coordinates of its frame: the window, the document, or an element that scrolls. Scrolling meanwhile changes none.
import {
  boxOf,
  clientHeightOf,
  clientLeftOf,
  clientTopOf,
  clientWidthOf,
  type frameIn,
  isHtml,
  offsetHeightOf,
  offsetWidthOf,
  page,
  scrollHeightOf,
  scrollLeftOf,
  scrollTopOf,
  scrollWidthOf,
} from "../own.js";
import { moment } from "../walk.js";
import { type Box, EVERYWHERE, type Point, height, intersect, NOWHERE, shift, width } from "./geometry.js";
import { containsPaint } from "./layers.js";
import { Painters } from "./painters.js";

/** A slot smaller than this shows nothing that could be read. */
export const SLOT_MIN_PX = 3;

export interface Frame {
  readonly parent: Frame | null;
  /** What of the parent the frame's content is seen through, in the parent's coordinates. */
  readonly port: Box;
  /** What scrolling can bring into the port, in the frame's own coordinates. */
  readonly area: Box;
  readonly painters: Painters;
  /** Of the document of a frame element: its own window, which its boxes are counted in. */
  readonly view?: Box;
  /** Where the frame's zero is in the window now. */
  origin(): Point;
}

/** What a frame element shows. */
export type View = NonNullable<ReturnType<typeof frameIn>>;

/** A part of a frame that content can be seen in. */
export interface Place {
  readonly frame: Frame;
  readonly clip: Box;
}

const ZERO: Point = { x: 0, y: 0 };

/** Measures anew only after the page has had its turn. */
function momentary(measure: () => Point): () => Point {
  let [at, last] = [-1, ZERO];
  return () => {
    if (at !== moment()) [at, last] = [moment(), measure()];
    return last;
  };
}

/** A box of the window in a frame's coordinates. */
export function toFrame(box: Box, frame: Frame): Box {
  const { x, y } = frame.origin();
  return shift(box, { x: -x, y: -y });
}

export function windowFrame(): Frame {
  const area = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return { parent: null, port: area, area, painters: new Painters(), origin: () => ZERO };
}

export function documentFrame(parent: Frame): Frame {
  const element = page.scroller() ?? page.root();
  const style = getComputedStyle(page.body() ?? element);
  const root = getComputedStyle(page.root());
  const all = scrollArea(element, style);
  // Pages lock scrolling while they show a notice: what is further down counts. What is cut off at the side does not.
  const isCut = [root, style].some(({ overflowX }) => overflowX === "hidden" || overflowX === "clip");
  const area = isCut ? { ...all, left: 0, right: clientWidthOf(element) } : all;
  return {
    parent,
    port: parent.area,
    area,
    painters: new Painters(),
    origin: momentary(() => ({ x: -scrollX, y: -scrollY })),
  };
}

/** What is inside of a frame element: its document, and its window, in which fixed boxes stand. */
export function insideOfView(
  element: Element,
  { root, body, scroller }: View,
  { frame, clip }: Place,
): { flow: Place; fixed: Place } {
  const port = intersect(toFrame(paddingBox(element), frame), clip);
  const view = { left: 0, top: 0, right: clientWidthOf(element), bottom: clientHeightOf(element) };
  const area = isOpen(port) ? scrollArea(scroller, getComputedStyle(body ?? root)) : NOWHERE;
  const origin = momentary(() => ({ x: -scrollLeftOf(scroller), y: -scrollTopOf(scroller) }));
  const known = { parent: frame, port, view };
  const flow: Frame = { ...known, area, painters: new Painters(), origin };
  const fixed: Frame = { ...known, area: isOpen(port) ? view : NOWHERE, painters: new Painters(), origin: () => ZERO };
  return { flow: { frame: flow, clip: area }, fixed: { frame: fixed, clip: fixed.area } };
}

/** What is inside of an element with overflow, for content that is laid out in it. */
export function insideOf(element: Element, style: CSSStyleDeclaration, { frame, clip }: Place): Place {
  const inner = paddingBox(element);
  const box = intersect(toFrame(inner, frame), clip);
  const x = scrolls(style.overflowX, scrollWidthOf(element), clientWidthOf(element));
  const y = scrolls(style.overflowY, scrollHeightOf(element), clientHeightOf(element));
  if (!x && !y) {
    const isContained = containsPaint(style);
    // `overflow: hidden` knows no margin.
    const margin =
      style.overflowX === "hidden" ? 0 : Number.parseFloat(style.overflowClipMargin?.match(/[\d.]+px/)?.[0] ?? "0");
    const edge = {
      left: box.left - margin,
      top: box.top - margin,
      right: box.right + margin,
      bottom: box.bottom + margin,
    };
    const rest = intersect(edge, clip);
    const cutX = isContained || style.overflowX !== "visible";
    const cutY = isContained || style.overflowY !== "visible";
    const [x, y] = [cutX ? rest : clip, cutY ? rest : clip];
    return { frame, clip: { left: x.left, right: x.right, top: y.top, bottom: y.bottom } };
  }
  const shown = { left: scrollLeftOf(element), top: scrollTopOf(element), right: 0, bottom: 0 };
  const all = scrollArea(element, style);
  const area = {
    left: x ? all.left : shown.left,
    right: x ? all.right : shown.left + clientWidthOf(element),
    top: y ? all.top : shown.top,
    bottom: y ? all.bottom : shown.top + clientHeightOf(element),
  };
  const origin = momentary(() => {
    const { left, top } = paddingBox(element);
    return { x: left - scrollLeftOf(element), y: top - scrollTopOf(element) };
  });
  const own: Frame = { parent: frame, port: box, area: isOpen(box) ? area : NOWHERE, painters: new Painters(), origin };
  return { frame: own, clip: own.area };
}

/** What is inside of an element whose layout the browser has put off: its box is a guess, what is in it is not. */
export function putOff(element: Element, { frame, clip }: Place): Place {
  const origin = momentary(() => {
    const { left, top } = boxOf(element);
    return { x: left, y: top };
  });
  const port = intersect(toFrame(boxOf(element), frame), clip);
  // What is around it is no guess: what that shows nothing of stays hidden.
  const area = isOpen(clip) ? EVERYWHERE : NOWHERE;
  return { frame: { parent: frame, port, area, painters: new Painters(), origin }, clip: area };
}

const isOpen = (port: Box): boolean => width(port) >= SLOT_MIN_PX && height(port) >= SLOT_MIN_PX;

const scrolls = (overflow: string, content_px: number, own_px: number): boolean =>
  /auto|scroll/.test(overflow) && content_px > own_px;

/** The box within the borders, without scroll bars. */
export function paddingBox(element: Element): Box {
  const { left, top, right, bottom } = boxOf(element);
  if (!isHtml(element)) return { left, top, right, bottom };
  const scaleX = (right - left) / (offsetWidthOf(element) || right - left || 1);
  const scaleY = (bottom - top) / (offsetHeightOf(element) || bottom - top || 1);
  const x = left + clientLeftOf(element) * scaleX;
  const y = top + clientTopOf(element) * scaleY;
  return { left: x, top: y, right: x + clientWidthOf(element) * scaleX, bottom: y + clientHeightOf(element) * scaleY };
}

/** Everything that an element scrolls over; it grows to the side to which lines and blocks follow each other. */
function scrollArea(element: Element, style: CSSStyleDeclaration): Box {
  const { direction, writingMode, display, flexDirection } = style;
  const isVertical = !writingMode.startsWith("horizontal");
  const isReversed = display.includes("flex") && flexDirection.endsWith("-reverse");
  const reversesLines = isReversed && flexDirection.startsWith("row");
  const reversesBlocks = isReversed && !reversesLines;
  const lines = (direction === "rtl") !== reversesLines;
  const blocks = /^(?:vertical|sideways)-rl$/.test(writingMode) !== reversesBlocks;
  const [toLeft, toTop] = isVertical ? [blocks, lines] : [lines, blocks];
  const [wide, high] = [scrollWidthOf(element), scrollHeightOf(element)];
  const left = toLeft ? clientWidthOf(element) - wide : 0;
  const top = toTop ? clientHeightOf(element) - high : 0;
  return { left, top, right: left + wide, bottom: top + high };
}
