// What a box is filled with.
import { type Color, colorsIn, over, parseColor } from "./color.js";
import type { Box } from "./geometry.js";
import type { Glass } from "./painters.js";

/** A shadow within the box, by its color and spread. */
const INSET = /((?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)) \S+ \S+ \S+ ([\d.]+)px inset/g;

const FROST_MIN_PX = 4;
/** Filters of glass, and within which bounds letters can be read through them. */
const CLEAR: Record<string, readonly [number, number]> = {
  blur: [0, FROST_MIN_PX],
  brightness: [0.6, 1.5],
  contrast: [0.6, 2],
  saturate: [0, 3],
  grayscale: [0, 1],
  sepia: [0, 0.5],
  opacity: [0.9, 1],
};

/** The colors that a background may have at any point: none, or null where a picture is part of it. */
export function backgroundOf(style: CSSStyleDeclaration, box: Box): readonly Color[] | null {
  if (isClippedToText(style)) return [];
  return fillOf(style, box);
}

/** What a box does to what it stands before. */
export function glassOf({ backdropFilter }: CSSStyleDeclaration): Glass {
  if ((backdropFilter ?? "none") === "none") return "clear";
  let glass: Glass = "clear";
  for (const [, name = "", value = ""] of backdropFilter.matchAll(/([a-z-]+)\(([^()]*)\)/g)) {
    const amount = Number.parseFloat(value) / (value.endsWith("%") ? 100 : 1);
    const [least, most] = CLEAR[name] ?? [1, 0];
    if (amount >= least && amount < most + 0.001) continue;
    if (name === "blur") return "frosted";
    glass = "unknown";
  }
  return glass;
}

/** True where a background is seen through the letters only. */
export const isClippedToText = (style: CSSStyleDeclaration): boolean =>
  /text/.test(style.backgroundClip || style.webkitBackgroundClip);

/** The same, wherever it is seen. */
export function fillOf(
  { backgroundColor, backgroundImage, boxShadow }: CSSStyleDeclaration,
  box: Box,
): readonly Color[] | null {
  if (/url\(|image-set\(|element\(/.test(backgroundImage)) return null;
  const color = parseColor(backgroundColor);
  const stops = colorsIn(backgroundImage);
  const reach_px = Math.min(box.right - box.left, box.bottom - box.top) / 2;
  const shades = [...boxShadow.matchAll(INSET)].filter(([, , spread]) => Number(spread) >= reach_px);
  const under = color.a > 0 ? [color] : [];
  const laid = stops.length > 0 ? stops.map((stop) => (color.a > 0.99 ? over(stop, color) : stop)) : under;
  return shades.length > 0 ? shades.map(([, shade = ""]) => parseColor(shade)) : laid;
}
