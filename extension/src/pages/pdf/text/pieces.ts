// Text items of pdf.js as pieces with a place on the page: upright, y downwards, in points.
import { closeUp, isGarbled, normalize } from "./characters.js";

/** What is used of a text item of pdf.js. */
export interface Item {
  str: string;
  dir: string;
  width: number;
  height: number;
  transform: readonly number[];
  fontName: string;
  /** Its line ends with it. */
  hasEOL?: boolean | undefined;
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
  /** Text that cannot be seen; it is not among the items. */
  hidden?: readonly string[];
  /** The text is the invisible layer of a scan. */
  isLayer?: boolean;
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
  /** It stands out without a font of its own: drawn twice, or set with space between its letters. */
  isStrong: boolean;
  /** Which item it is of. */
  item: number;
  /** The item before it is a space. */
  isAfterSpace: boolean;
}

/** Angles smaller than this are drawing errors. */
const UPRIGHT_SINE_MAX = 0.05;

/** A page's pieces: those that stand as most of its text does, which are upright, and what stands askew to them. */
export interface PagePieces {
  upright: Piece[];
  askew: Piece[];
  /** Texts that are no characters. */
  garbled: string[];
  /** Of the page, turned so that its pieces are upright. */
  width: number;
  height: number;
}

/** Where text goes: to the right, or by a quarter turn up or down. */
type Turn = "right" | "up" | "down" | null;

/** The page's text. A page whose text goes up or down, as a wide table or vertical Japanese does, is turned by a quarter. */
export function toPieces(page: PageItems): PagePieces {
  const turn = mostlyTurned(page);
  const { items, styles, transform } = page;
  const [width, height] = turn === "right" ? [page.width, page.height] : [page.height, page.width];
  const turned = multiply(QUARTERS[turn](page), transform);
  const upright: Piece[] = [];
  const askew: Piece[] = [];
  const garbled: string[] = [];
  items.forEach((item, at) => {
    if (isGarbled(item.str)) return void garbled.push(item.str);
    const text = normalize(closeUp(item.str, false));
    if (text.trim() === "") return;
    const [a, b, c, d, x, y] = multiply(turned, item.transform);
    const size = Math.hypot(c, d) || Math.hypot(a, b) || 1;
    const style = styles[item.fontName];
    const before = items[at - 1]?.str ?? "";
    const common = {
      text,
      size,
      font: item.fontName,
      isMono: style?.fontFamily === "monospace",
      isRtl: item.dir === "rtl",
      isStrong: closeUp(item.str, true) !== item.str,
      item: at,
      isAfterSpace: before !== "" && before.trim() === "",
    };
    if (turnOf(item, page) !== turn) {
      askew.push({ ...common, left: x, right: x + size, y });
      return;
    }
    // A mirrored font goes to the left.
    const length = style?.vertical ? item.height : item.width;
    const [left, right] = a < 0 && !style?.vertical ? [x - length, x] : [x, x + length];
    upright.push({ ...common, left, right, y });
  });
  return { upright, askew, garbled, width, height };
}

const QUARTERS: Record<NonNullable<Turn>, (page: PageItems) => Matrix> = {
  right: () => [1, 0, 0, 1, 0, 0],
  up: ({ height }) => [0, 1, -1, 0, height, 0],
  down: ({ width }) => [0, -1, 1, 0, 0, width],
};

function turnOf({ fontName, transform: own }: Item, { styles, transform }: PageItems): Turn {
  if (styles[fontName]?.vertical) return "down";
  const [a, b] = multiply(transform, own);
  const length = Math.hypot(a, b) || 1;
  if (Math.abs(b) / length <= UPRIGHT_SINE_MAX) return "right";
  return Math.abs(a) / length > UPRIGHT_SINE_MAX ? null : b < 0 ? "up" : "down";
}

/** Where most characters of a page go. */
function mostlyTurned(page: PageItems): NonNullable<Turn> {
  const chars = { right: 0, up: 0, down: 0 };
  for (const item of page.items) {
    const turn = turnOf(item, page);
    if (turn) chars[turn] += item.str.trim().length;
  }
  if (chars.right >= Math.max(chars.up, chars.down)) return "right";
  return chars.up > chars.down ? "up" : "down";
}

type Matrix = [number, number, number, number, number, number];

/** The transform that applies `inner` first. */
function multiply(outer: readonly number[], inner: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = outer;
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}
