// Colors in a PDF file, and whether an eye can tell two apart.

/** Red, green and blue, 0 to 255; null is a picture, a pattern or a gradient: any color. */
export type Ink = readonly [number, number, number] | null;

export const BLACK: Ink = [0, 0, 0];
export const WHITE: Ink = [255, 255, 255];
/** As for pages: less contrast than this, by WCAG's formula, and less distance in every channel, is not read by anyone. */
const CONTRAST_MIN = 1.2;
const DISTANCE_MIN = 48;

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

export function isDistinct(a: Ink, b: Ink): boolean {
  if (!a || !b || a.some((one, at) => Math.abs(one - (b[at] ?? 0)) >= DISTANCE_MIN)) return true;
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05) >= CONTRAST_MIN;
}

function luminance([r, g, b]: NonNullable<Ink>): number {
  const linear = (unit: number): number => {
    const share = unit / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
