// Text items of pdf.js as pieces with a place on the page: upright, y downwards, in points.
import { normalize } from "./characters.js";

/** What is used of a text item of pdf.js. */
export interface Item {
  str: string;
  dir: string;
  width: number;
  height: number;
  transform: readonly number[];
  fontName: string;
}

/** What is used of a font's style. */
export interface Style {
  fontFamily: string;
  vertical?: boolean | undefined;
}

/** A page as pdf.js gives it. `transform`: from PDF coordinates to the page as it is shown at scale 1. */
export interface PageItems {
  items: readonly Item[];
  styles: Readonly<Record<string, Style>>;
  width: number;
  height: number;
  transform: readonly number[];
}

/** Text on one baseline, in one font. */
export interface Piece {
  text: string;
  left: number;
  right: number;
  /** The baseline. */
  y: number;
  size: number;
  font: string;
  isMono: boolean;
  isRtl: boolean;
  /** Which item it is of. */
  item: number;
}

/** Angles smaller than this are drawing errors. */
const UPRIGHT_SINE_MAX = 0.05;

/** The page's text: upright pieces, and what stands askew. Vertical Japanese or Chinese lines are pieces as well. */
export function toPieces({ items, styles, transform }: PageItems): { upright: Piece[]; askew: Piece[] } {
  const upright: Piece[] = [];
  const askew: Piece[] = [];
  items.forEach((item, at) => {
    const text = normalize(item.str);
    if (text.trim() === "") return;
    const [a, b, c, d, x, y] = multiply(transform, item.transform);
    const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
    const style = styles[item.fontName];
    const common = {
      text,
      size,
      font: item.fontName,
      isMono: style?.fontFamily === "monospace",
      isRtl: item.dir === "rtl",
      item: at,
    };
    const sine = Math.abs(b) / (Math.hypot(a, b) || 1);
    if (style?.vertical || sine > UPRIGHT_SINE_MAX) {
      askew.push({ ...common, left: x, right: x + size, y });
      return;
    }
    // A mirrored font goes to the left.
    const [left, right] = a < 0 ? [x - item.width, x] : [x, x + item.width];
    upright.push({ ...common, left, right, y });
  });
  return { upright, askew };
}

type Matrix = [number, number, number, number, number, number];

/** The transform that applies `inner` first. */
function multiply(outer: readonly number[], inner: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
