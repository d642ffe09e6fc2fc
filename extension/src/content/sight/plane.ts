// How an element is turned, with all that it stands in: which side of it one sees, and which way its letters run.
import type { Point } from "./geometry.js";

export interface Plane {
  /** How it is turned in space, as far as what is around it takes part; null where nothing is. */
  readonly turn: DOMMatrix | null;
  /** What is in it takes part in its space. */
  readonly isSpace: boolean;
  /** How the flat picture is turned that this space is seen in, and the element on the screen. */
  readonly base: DOMMatrix;
  readonly shown: DOMMatrix;
  /** It, or what is around it, stands in space: no box says where it is painted. */
  readonly isDeep: boolean;
}

const START = { base: new DOMMatrix(), shown: new DOMMatrix(), isDeep: false };
export const UPRIGHT: Plane = { turn: null, isSpace: false, ...START };

const TURN_MIN = 0.01;
/** Of a whole turn over: from here on letters count as upside down. */
const OVER_MIN = 0.5;

export function planeIn(style: CSSStyleDeclaration, outer: Plane): Plane {
  const { transform, rotate, scale, transformStyle } = style;
  const isSpace = transformStyle === "preserve-3d";
  const isStill = transform === "none" && rotate === "none" && scale === "none";
  const around = outer.isSpace ? outer.turn : null;
  if (isStill && !around) return isSpace || outer.turn ? { ...outer, turn: null, isSpace, base: outer.shown } : outer;
  const [x = 1, y = x, z = 1] = scale === "none" ? [] : scale.split(" ").map(Number);
  // What an element is moved by does not change which side of it one sees.
  const own = new DOMMatrix(rotate === "none" ? "" : rotation(rotate))
    .scaleSelf(x, y, z)
    .multiplySelf(new DOMMatrix(transform === "none" ? "" : transform));
  const turn = (around ?? new DOMMatrix()).multiply(own);
  const base = outer.isSpace ? outer.base : outer.shown;
  const shown = base.multiply(new DOMMatrix([turn.m11, turn.m12, turn.m21, turn.m22, 0, 0]));
  return { turn, isSpace, base, shown, isDeep: outer.isDeep || !own.is2D };
}

export const isTurned = ({ shown: { b, c }, isDeep }: Plane): boolean =>
  isDeep || Math.abs(b) > TURN_MIN || Math.abs(c) > TURN_MIN;

/** True where letters are mirrored or upside down: nobody reads them as they are written. */
export function isReversed({ shown: { a, b, c, d } }: Plane): boolean {
  return a * d - b * c < 0 || a < -OVER_MIN * Math.hypot(a, b);
}

/** From the middle of a box that is turned, in its own directions; null where it has none. */
export function fromMiddle({ shown }: Plane, { x, y }: Point): Point | null {
  const back = shown.inverse();
  return Number.isNaN(back.a) ? null : { x: back.a * x + back.c * y, y: back.b * x + back.d * y };
}

/** The property's value as a function: "y 180deg", "0 1 0 180deg" or "180deg". */
function rotation(value: string): string {
  const parts = value.split(" ");
  const angle = parts.pop() ?? "0deg";
  const axes: Record<string, string> = { x: "1, 0, 0", y: "0, 1, 0", z: "0, 0, 1", "": "0, 0, 1" };
  return `rotate3d(${axes[parts.join(" ")] ?? parts.join(", ")}, ${angle})`;
}
