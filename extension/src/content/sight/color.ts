// Colors as the browser computes them, and what is left of them to see.
import { isContrast, isFar, luminance } from "../../contrast.js";

/** sRGB, 0 to 255; alpha 0 to 1. */
export interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}

export const BLACK: Color = { r: 0, g: 0, b: 0, a: 1 };
export const WHITE: Color = { r: 255, g: 255, b: 255, a: 1 };

/** A function of CSS that is a color, in a computed value. */
const COLORS = /(?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)/g;
const CACHE_MAX = 4_096;

const canvas = new OffscreenCanvas(4, 4);
/** A canvas to ask: it knows every color, and which points lie in a path. */
export const pen = canvas.getContext("2d", { willReadFrequently: true });
const known = new Map<string, Color>();

/** Any computed color. */
export function parseColor(css: string): Color {
  const simple = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(css);
  if (simple) return { r: Number(simple[1]), g: Number(simple[2]), b: Number(simple[3]), a: Number(simple[4] ?? 1) };
  const found = known.get(css);
  if (found) return found;
  if (known.size >= CACHE_MAX) known.clear();
  const color = paintColor(css);
  known.set(css, color);
  return color;
}

function paintColor(css: string): Color {
  if (!pen) return BLACK;
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = "#000";
  pen.fillStyle = css;
  pen.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = pen.getImageData(0, 0, 1, 1).data;
  return { r, g, b, a: a / 255 };
}

/** Every color that stands in a computed value, such as the stops of a gradient. */
export const colorsIn = (css: string): Color[] => [...css.matchAll(COLORS)].map(([one]) => parseColor(one));

export const faded = (color: Color, by: number): Color => ({ ...color, a: color.a * by });

/** `top` over an opaque `back`. */
export function over(top: Color, back: Color): Color {
  const mix = (a: number, b: number): number => a * top.a + b * (1 - top.a);
  return { r: mix(top.r, back.r), g: mix(top.g, back.g), b: mix(top.b, back.b), a: 1 };
}

/** True where two opaque colors can be told apart. */
export const isDistinct = (a: Color, b: Color): boolean =>
  isFar(a.r - b.r, a.g - b.g, a.b - b.b) || isContrast(luminance(a.r, a.g, a.b), luminance(b.r, b.g, b.b));

export type Tint = (color: Color) => Color;

const each = (color: Color, change: (unit: number) => number): Color => {
  const bounded = (unit: number): number => Math.min(255, Math.max(0, change(unit)));
  return { r: bounded(color.r), g: bounded(color.g), b: bounded(color.b), a: color.a };
};

/** A filter that mixes the channels, by a matrix of nine. */
const mixed =
  (m: readonly number[]): Tint =>
  ({ r, g, b, a }) => {
    const at = (i: number): number => Math.min(255, Math.max(0, m[i]! * r + m[i + 1]! * g + m[i + 2]! * b));
    return { r: at(0), g: at(3), b: at(6), a };
  };

/** Between every color as it is and one matrix of it. */
const toward = (to: readonly number[], share: number): Tint =>
  mixed(to.map((unit, i) => unit * share + (i % 4 === 0 ? 1 - share : 0)));

const GRAY = [0.2126, 0.7152, 0.0722];
const GRAYS = [...GRAY, ...GRAY, ...GRAY];
const SEPIA = [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131];
const [COSINES, SINES] = [
  [0.787, -0.715, -0.072, -0.213, 0.285, -0.072, -0.213, -0.715, 0.928],
  [-0.213, -0.715, 0.928, 0.143, 0.14, -0.283, -0.787, 0.715, 0.072],
];

/** The filters that can make a text as bright as what it stands on. */
export const TINTS: Record<string, (amount: number) => Tint> = {
  brightness: (amount) => (color) => each(color, (unit) => unit * amount),
  contrast: (amount) => (color) => each(color, (unit) => (unit - 127.5) * amount + 127.5),
  invert: (amount) => (color) => each(color, (unit) => unit * (1 - 2 * amount) + 255 * amount),
  grayscale: (amount) => toward(GRAYS, amount),
  saturate: (amount) => toward(GRAYS, 1 - amount),
  sepia: (amount) => toward(SEPIA, amount),
  "hue-rotate": (angle) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return mixed(COSINES!.map((unit, i) => GRAYS[i]! + unit * cos + SINES![i]! * sin));
  },
};

const blended =
  (mix: (top: number, back: number) => number) =>
  (top: Color, back: Color): Color => ({
    r: mix(top.r, back.r),
    g: mix(top.g, back.g),
    b: mix(top.b, back.b),
    a: top.a,
  });

function hardLight(top: number, back: number): number {
  return top <= 127.5 ? (2 * top * back) / 255 : 2 * (top + back) - (2 * top * back) / 255 - 255;
}

/** The blend modes that are thought through; what is blended by another is not read. */
export const BLENDS: Record<string, (top: Color, back: Color) => Color> = {
  multiply: blended((top, back) => (top * back) / 255),
  screen: blended((top, back) => top + back - (top * back) / 255),
  darken: blended(Math.min),
  lighten: blended(Math.max),
  difference: blended((top, back) => Math.abs(top - back)),
  "hard-light": blended(hardLight),
  overlay: blended((top, back) => hardLight(back, top)),
  exclusion: blended((top, back) => top + back - (2 * top * back) / 255),
  "color-dodge": blended((top, back) => (back === 0 ? 0 : Math.min(255, (back * 255) / Math.max(1, 255 - top)))),
  "color-burn": blended((top, back) =>
    back === 255 ? 255 : 255 - Math.min(255, ((255 - back) * 255) / Math.max(1, top)),
  ),
};
