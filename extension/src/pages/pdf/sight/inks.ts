// Colors in a PDF file, and whether an eye can tell two apart.
import { isContrast, isFar, luminance } from "../../../contrast.js";

/** Red, green and blue, 0 to 255; null is a picture, a pattern or a gradient: any color. */
export type Ink = readonly [number, number, number] | null;

export const BLACK: Ink = [0, 0, 0];
export const WHITE: Ink = [255, 255, 255];

/** A color as pdf.js writes it. */
export function parseInk(hex: unknown): Ink {
  const found = typeof hex === "string" ? /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex) : null;
  return found ? [parseInt(found[1]!, 16), parseInt(found[2]!, 16), parseInt(found[3]!, 16)] : null;
}

export function mix(top: Ink, back: Ink, alpha: number): Ink {
  if (alpha >= 1) return top;
  if (alpha <= 0) return back;
  if (!top || !back) return null;
  const at = (index: 0 | 1 | 2): number => top[index] * alpha + back[index] * (1 - alpha);
  return [at(0), at(1), at(2)];
}

export const isDistinct = (a: Ink, b: Ink): boolean =>
  !a || !b || isFar(a[0] - b[0], a[1] - b[1], a[2] - b[2]) || isContrast(luminance(...a), luminance(...b));
