// What changes how an element and all that is in it look.
import { animationsOf, boxOf, isHtml, offsetHeightOf, offsetWidthOf, page, rootOf } from "../own.js";
import { colorsIn, pen, type Tint, TINTS } from "./color.js";
import { height, type Point, width } from "./geometry.js";
import { maskOf } from "./layers.js";

/** Whether a point of the window lies in what a `clip-path` leaves. */
export type Shape = (at: Point) => boolean;

/** Effects that add up from the root to an element. */
export interface Effects {
  readonly shapes: readonly Shape[];
  readonly tints: readonly Tint[];
  readonly blur_px: number;
  /** The blend mode that the text is mixed with, where that is not the normal one. */
  readonly blend: string | null;
  /** Boxes are larger than what they hold: the element is turned or cut. */
  readonly isVague: boolean;
  /** Turned in space, as far as what is around it takes part. */
  readonly turn: DOMMatrix | null;
}

export const NO_EFFECTS: Effects = { shapes: [], tints: [], blur_px: 0, blend: null, isVague: false, turn: null };

/** A change that ends within this time counts as ended. */
const SOON_MS = 2_000;
const FILTER = /([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)/g;

/** The effects within an element, or null where they leave nothing of it. */
export function effectsOf(element: Element, style: CSSStyleDeclaration, outer: Effects): Effects | null {
  const { clipPath, filter, mixBlendMode, transform, rotate } = style;
  const mask = maskOf(style);
  if (style.contentVisibility === "hidden") return null;
  if (mask !== "none" && leavesNothing(mask, style)) return null;
  const filters = [...filter.matchAll(FILTER)].map(([, name = "", value = ""]) => ({ name, value }));
  const tints = filters.flatMap(({ name, value }) => TINTS[name]?.(amount(value)) ?? []);
  const blur_px = filters.reduce((sum, { name, value }) => sum + (name === "blur" ? Number.parseFloat(value) : 0), 0);
  const isTurned = rotate !== "none" || (transform !== "none" && !isUpright(new DOMMatrix(transform)));
  const turn = turnOf(element, style, outer.turn);
  if (turn && style.backfaceVisibility === "hidden" && turn.m33 < 0) return null;
  const shape = clipPath === "none" ? null : shapeOf(element, clipPath);
  if (shape === "empty") return null;
  return {
    shapes: shape ? [...outer.shapes, shape] : outer.shapes,
    tints: tints.length > 0 ? [...tints.toReversed(), ...outer.tints] : outer.tints,
    blur_px: outer.blur_px + blur_px,
    blend: mixBlendMode === "normal" ? outer.blend : mixBlendMode,
    isVague: outer.isVague || isTurned || clipPath !== "none" || mask !== "none" || mixBlendMode !== "normal",
    turn: style.transformStyle === "preserve-3d" ? turn : null,
  };
}

/** The opacity that an element has, or is about to have. */
export function opacityOf(element: Element, style: CSSStyleDeclaration): number {
  const now = Number(style.opacity) * filteredOpacity(style.filter);
  if (now > 0.5) return now;
  for (const animation of animationsOf(element)) {
    const timing = animation.effect?.getComputedTiming();
    const end = Number(timing?.endTime) - Number(animation.currentTime);
    if (!(animation.effect instanceof KeyframeEffect) || animation.playState !== "running" || !(end < SOON_MS))
      continue;
    const last = animation.effect.getKeyframes().at(-1)?.["opacity"];
    const stays = animation instanceof CSSTransition || timing?.fill === "forwards" || timing?.fill === "both";
    if (stays && last !== undefined) return Number(last);
  }
  return now;
}

function filteredOpacity(filter: string): number {
  return [...filter.matchAll(FILTER)].reduce(
    (all, [, name, value = ""]) => (name === "opacity" ? all * amount(value) : all),
    1,
  );
}

const amount = (value: string): number => Number.parseFloat(value) / (value.endsWith("%") ? 100 : 1);

function leavesNothing(mask: string, style: CSSStyleDeclaration): boolean {
  const sizes = style.maskSize || style.webkitMaskSize;
  if (/^(?:0(?:px|%)? ?)+$/.test(sizes)) return true;
  const stops = colorsIn(mask);
  return !mask.includes("url(") && stops.length > 0 && stops.every(({ a }) => a < 0.05);
}

const isUpright = ({ b, c, is2D }: DOMMatrix): boolean => is2D && Math.abs(b) < 0.01 && Math.abs(c) < 0.01;

/** Only turns count: what an element is moved and scaled by does not change which side of it one sees. */
function turnOf(
  element: Element,
  { transform, rotate }: CSSStyleDeclaration,
  outer: DOMMatrix | null,
): DOMMatrix | null {
  if (transform === "none" && rotate === "none") return outer;
  const own = new DOMMatrix(rotate === "none" ? "" : rotation(rotate)).multiply(
    new DOMMatrix(transform === "none" ? "" : transform),
  );
  return (outer ?? new DOMMatrix()).multiply(own);
}

/** The property's value as a function: "y 180deg", "0 1 0 180deg" or "180deg". */
function rotation(value: string): string {
  const parts = value.split(" ");
  const angle = parts.pop() ?? "0deg";
  const axes: Record<string, string> = { x: "1, 0, 0", y: "0, 1, 0", z: "0, 0, 1", "": "0, 0, 1" };
  return `rotate3d(${axes[parts.join(" ")] ?? parts.join(", ")}, ${angle})`;
}

/** What a `clip-path` leaves; "empty" where that is nothing, null where only the browser knows. */
function shapeOf(element: Element, clipPath: string): Shape | "empty" | null {
  const [, id] = /^url\("?[^"]*#([^")]+)"?\)/.exec(clipPath) ?? [];
  if (id !== undefined) return isEmptyClip(element, id) ? "empty" : null;
  const [, name = "", value = ""] = /([a-z]+)\(((?:[^()]|\([^()]*\))*)\)/.exec(clipPath) ?? [];
  if (!name) return null;
  const now = boxOf(element);
  const wide = isHtml(element) ? offsetWidthOf(element) : width(now);
  const high = isHtml(element) ? offsetHeightOf(element) : height(now);
  const path = pathOf(name, value, wide, high);
  if (!path) return null;
  return ({ x, y }) => {
    const box = boxOf(element);
    const inX = (x - box.left) * (width(box) > 0 ? wide / width(box) : 1);
    const inY = (y - box.top) * (height(box) > 0 ? high / height(box) : 1);
    return pen?.isPointInPath(path, inX, inY) ?? true;
  };
}

function isEmptyClip(element: Element, id: string): boolean {
  const root = rootOf(element);
  const clip = root instanceof ShadowRoot ? root.getElementById(id) : page.find(`[id="${CSS.escape(id)}"]`);
  const parts =
    clip instanceof SVGClipPathElement ? [...clip.children].filter((part) => part instanceof SVGGraphicsElement) : [];
  return (
    clip instanceof SVGClipPathElement && parts.every((part) => part.getBBox().width * part.getBBox().height === 0)
  );
}

function pathOf(name: string, value: string, wide: number, high: number): Path2D | null {
  const path = new Path2D();
  const tokens: string[] = value.replace(/ round .*/, "").match(/(?:calc|min|max|clamp)\([^()]*\)|[^\s,]+/g) ?? [];
  const [a = "0px", b = a, c = a, d = b] = tokens;
  const x = (token: string): number => length(token, wide);
  const y = (token: string): number => length(token, high);
  if (name === "inset") path.rect(x(d), y(a), Math.max(0, wide - x(d) - x(b)), Math.max(0, high - y(a) - y(c)));
  else if (name === "xywh") path.rect(x(a), y(b), x(c), y(d));
  else if (name === "rect") path.rect(x(d), y(a), Math.max(0, x(b) - x(d)), Math.max(0, y(c) - y(a)));
  else if (name === "circle" || name === "ellipse") {
    const at = tokens.indexOf("at");
    const [centerX, centerY] = at < 0 ? [wide / 2, high / 2] : [x(tokens[at + 1] ?? "50%"), y(tokens[at + 2] ?? "50%")];
    const radii = tokens.slice(0, at < 0 ? undefined : at);
    const diagonal = Math.hypot(wide, high) / Math.SQRT2;
    const toSides = [centerX, wide - centerX, centerY, high - centerY].map(Math.abs);
    const radius = (token: string | undefined, basis: number, sides: number[]): number =>
      token === "farthest-side"
        ? Math.max(...sides)
        : !token || token === "closest-side"
          ? Math.min(...sides)
          : length(token, basis);
    const isCircle = name === "circle";
    const radiusX = radius(radii[0], isCircle ? diagonal : wide, isCircle ? toSides : toSides.slice(0, 2));
    const radiusY = isCircle ? radiusX : radius(radii[1], high, toSides.slice(2));
    path.ellipse(centerX, centerY, Math.max(0, radiusX), Math.max(0, radiusY), 0, 0, 2 * Math.PI);
  } else if (name === "polygon") {
    const points = tokens.filter((token) => token !== "nonzero" && token !== "evenodd");
    for (let at = 0; at + 1 < points.length; at += 2) path.lineTo(x(points[at] ?? ""), y(points[at + 1] ?? ""));
    path.closePath();
  } else if (name === "path") return new Path2D(/"([^"]*)"/.exec(value)?.[1] ?? "");
  else return null;
  return path;
}

/** A computed length: pixels, a share of `basis`, or a sum of both. */
function length(token: string, basis: number): number {
  const terms = token.replace(/\s+/g, "").matchAll(/([+-]?[\d.]+(?:e[+-]?\d+)?)(px|%)/g);
  return [...terms].reduce((sum, [, amount, unit]) => sum + Number(amount) * (unit === "%" ? basis / 100 : 1), 0);
}
