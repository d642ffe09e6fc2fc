// What a box is filled with.
import { type Color, colorsIn, over, parseColor } from "./color.js";
import type { Box } from "./geometry.js";

/** A shadow within the box, by its color and spread. */
const INSET = /((?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)) \S+ \S+ \S+ ([\d.]+)px inset/g;

const FROST_MIN_PX = 4;

/** The colors that a background may have at any point: none, or null where a picture is part of it. */
export function backgroundOf(style: CSSStyleDeclaration, box: Box): readonly Color[] | null {
  if (isClippedToText(style)) return [];
  return fillOf(style, box);
}

/** True for glass that letters cannot be read through. */
export function isFrosted(style: CSSStyleDeclaration): boolean {
  return Number.parseFloat(/blur\(([\d.]+)px/.exec(style.backdropFilter ?? "")?.[1] ?? "0") >= FROST_MIN_PX;
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
