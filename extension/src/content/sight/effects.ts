// What changes how an element and all that is in it look.
import { BLENDS, type Tint, TINTS } from "./color.js";
import { hidesLetters } from "./bars.js";
import { maskShapeOf } from "./masks.js";
import { type Plane, planeIn, UPRIGHT } from "./plane.js";
import { type Shape, shapeOf } from "./shapes.js";

/** Effects that add up from the root to an element. */
export interface Effects {
  readonly shapes: readonly Shape[];
  readonly tints: readonly Tint[];
  readonly blur_px: number;
  /** The blend mode that the text is mixed with, where that is not the normal one. */
  readonly blend: string | null;
  readonly plane: Plane;
  /** What it paints does not fill its box, or not with its color: it is turned in space, masked or blended. */
  readonly isVague: boolean;
  /** A line through the letters hides them. */
  readonly isBarred: boolean;
  /** Nothing that is computed says how a text in it looks. */
  readonly isUnsure: boolean;
}

export const NO_EFFECTS: Effects = {
  shapes: [],
  tints: [],
  blur_px: 0,
  blend: null,
  plane: UPRIGHT,
  isVague: false,
  isBarred: false,
  isUnsure: false,
};

const FILTER = /([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)/g;
/** Filters that leave the color of what they act on. */
const COLORLESS = new Set(["blur", "drop-shadow", "opacity"]);
/** Shapes are counted from the border box. */
const OTHER_BOX = /(?:content|padding|margin|fill|stroke|view)-box/;

/** The effects within an element, or null where they leave nothing of it. */
export function effectsOf(element: Element, style: CSSStyleDeclaration, outer: Effects): Effects | null {
  const { clipPath, filter, mixBlendMode } = style;
  if (style.contentVisibility === "hidden") return null;
  const mask = maskShapeOf(element, style);
  if (mask === "empty") return null;
  const filters = filter === "none" ? [] : [...filter.matchAll(FILTER)];
  const tints = filters.flatMap(([, name = "", value = ""]) => TINTS[name]?.(amount(value)) ?? []);
  const blur_px = filters.reduce(
    (sum, [, name, value = ""]) => sum + (name === "blur" ? Number.parseFloat(value) : 0),
    0,
  );
  const plane = planeIn(style, outer.plane);
  if (plane.turn && style.backfaceVisibility === "hidden" && plane.turn.m33 < 0) return null;
  const shape = clipPath === "none" ? null : shapeOf(element, clipPath);
  if (shape === "empty") return null;
  const shapes = [shape, mask].filter((one) => typeof one === "function");
  const isBlended = mixBlendMode !== "normal";
  const isUnsure =
    mask === "unsure" ||
    (clipPath !== "none" && (!shape || OTHER_BOX.test(clipPath))) ||
    filters.some(([, name = ""]) => !COLORLESS.has(name) && !TINTS[name]) ||
    (isBlended && (outer.blend !== null || !BLENDS[mixBlendMode])) ||
    (style.offsetPath ?? "none") !== "none";
  return {
    shapes: shapes.length > 0 ? [...outer.shapes, ...shapes] : outer.shapes,
    tints: tints.length > 0 ? [...tints.toReversed(), ...outer.tints] : outer.tints,
    blur_px: outer.blur_px + blur_px,
    blend: isBlended ? mixBlendMode : outer.blend,
    plane,
    isVague: outer.isVague || plane.isDeep || isBlended || isUnsure,
    isBarred: outer.isBarred || hidesLetters(style),
    isUnsure: outer.isUnsure || isUnsure,
  };
}

/** The opacity that an element has. */
export function opacityOf(style: CSSStyleDeclaration): number {
  const { filter } = style;
  const opacities = filter === "none" ? [] : [...filter.matchAll(FILTER)].filter(([, name]) => name === "opacity");
  return opacities.reduce((all, [, , value = ""]) => all * amount(value), Number(style.opacity));
}

/** A share as a number, an angle in radians. */
function amount(value: string): number {
  const number = Number.parseFloat(value);
  return value.endsWith("%") ? number / 100 : value.endsWith("deg") ? (number * Math.PI) / 180 : number;
}
