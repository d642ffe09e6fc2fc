// Whether an eye can tell two colors apart: by the distance in a channel, or by their contrast. Less of both is not read by anyone.

const DISTANCE_MIN = 48;
/** By WCAG's formula. */
const CONTRAST_MIN = 1.2;

/** True where channels of 0 to 255 are as far apart as this. */
export const isFar = (r: number, g: number, b: number): boolean =>
  Math.max(Math.abs(r), Math.abs(g), Math.abs(b)) >= DISTANCE_MIN;

/** True where two luminances are. */
export const isContrast = (one: number, other: number): boolean =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= CONTRAST_MIN;

/** Relative luminance of sRGB, 0 to 255, by WCAG 2: 0 to 1. */
export function luminance(r: number, g: number, b: number): number {
  const linear = (unit: number): number => {
    const share = unit / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
