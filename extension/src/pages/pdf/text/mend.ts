// Mends the pieces of a page before they become lines: what is drawn twice, large first letters, numbers of lines.
import { median } from "./order.js";
import type { Piece } from "./pieces.js";

/** In sizes of the type: copies that make a text bold lie so close. */
const COPY_SIZES = 0.3;
/** The same letter may follow itself. */
const COPY_LETTER_SIZES = 0.1;
const LETTERS_MAX = 2;

/** Without the pieces that lie over an equal one. */
export function withoutCopies(pieces: readonly Piece[]): Piece[] {
  const seen = new Map<string, Piece[]>();
  for (const piece of pieces) {
    const { text, size, left, y } = piece;
    const near = size * (text.trim().length <= LETTERS_MAX ? COPY_LETTER_SIZES : COPY_SIZES);
    const same = seen.get(text) ?? [];
    seen.set(text, same);
    // Equal texts follow each other: of many on a page only the last few can be meant.
    const at = same.findLastIndex((one) => Math.abs(one.left - left) <= near && Math.abs(one.y - y) <= near);
    if (at < 0) same.push(piece);
    else same[at] = { ...same[at]!, isStrong: true };
  }
  return [...seen.values()].flat().sort((a, b) => a.item - b.item);
}

/** A large first letter: how large, against the lines beside it, and how many of them there are. */
const INITIAL_SIZES = 1.7;
const INITIAL_CHARS_MAX = 3;
const INITIAL_LINES_MIN = 2;
const INITIAL_GAP_SIZES = 2;
const INITIALS_MAX = 20;
/** Letters that are words as well. */
const WORD_LETTER = /^[AIOÀYEÉУИКВСО]$/u;

/** Puts large first letters into the first of the lines beside them. */
export function withInitials(pieces: readonly Piece[]): Piece[] {
  const usual = median(pieces.map(({ size }) => size));
  const isInitial = ({ text, size }: Piece): boolean =>
    size >= usual * INITIAL_SIZES && /\p{L}/u.test(text) && [...text.trim()].length <= INITIAL_CHARS_MAX;
  const initials = pieces.filter(isInitial).slice(0, INITIALS_MAX);
  let mended = [...pieces];
  for (const initial of initials) mended = withInitial(mended, initial);
  return mended;
}

function withInitial(pieces: readonly Piece[], initial: Piece): Piece[] {
  const beside = pieces.filter(
    (one) =>
      one !== initial &&
      one.size * INITIAL_SIZES <= initial.size &&
      one.left >= initial.right - one.size * 0.5 &&
      one.left <= initial.right + one.size * INITIAL_GAP_SIZES &&
      one.y <= initial.y + one.size * 0.4 &&
      one.y > initial.y - initial.size,
  );
  const rows = new Set(beside.map(({ y }) => Math.round(y)));
  const first = beside.reduce<Piece | null>((a, b) => (a && a.y <= b.y ? a : b), null);
  if (!first || rows.size < INITIAL_LINES_MIN) return [...pieces];
  const [word = ""] = /^\p{L}+/u.exec(first.text.trim()) ?? [];
  const isWord = WORD_LETTER.test(initial.text.trim()) && standsAlone(word, initial.text.trim(), pieces, first);
  const right = isWord ? first.left - first.size * 0.3 : first.left;
  return pieces.map((one) => {
    if (one === initial) return { ...one, y: first.y, size: first.size, right };
    // The room beside a letter is no space.
    if (one === first && !isWord) return { ...one, isAfterSpace: false };
    // The lines beside it begin where the paragraph does.
    return beside.includes(one) && one !== first ? { ...one, left: initial.left } : one;
  });
}

/** True where the letters behind the first one are a word of the page, and both together are none. */
function standsAlone(word: string, letter: string, pieces: readonly Piece[], first: Piece): boolean {
  if (/^\s/.test(first.text)) return true;
  const words = new Set(
    pieces.filter((one) => one !== first).flatMap(({ text }) => text.toLowerCase().match(/\p{L}+/gu) ?? []),
  );
  return words.has(word.toLowerCase()) && !words.has((letter + word).toLowerCase());
}

/** Numbers of lines: at least so many on a page, one below the other, each so many more than the last. */
const NUMBERED_LINES_MIN = 4;
const STEPS = [1, 2, 5, 10];
const ALIGNED_POINTS = 3;
/** Of the page's width: the lines that are numbered are long, so that a table of numbered rows is none. */
const LONG_SHARE_MIN = 0.4;

/** Parts the numbers of lines, in the left or right margin, from the text. `width`: of the page. */
export function withoutLineNumbers(pieces: readonly Piece[], width: number): { pieces: Piece[]; numbers: Piece[] } {
  const candidates = pieces.filter(({ text }) => /^\s*\d{1,4}\s*$/.test(text));
  const columns = [...columnsOf(candidates, "right"), ...columnsOf(candidates, "left")].sort(
    (a, b) => b.length - a.length,
  );
  for (const column of columns) {
    const numbers = new Set(column);
    const rest = pieces.filter((one) => !numbers.has(one));
    if (isCounting(column) && isMargin(column, rest) && areLong(column, rest, width))
      return { pieces: rest, numbers: column };
  }
  return { pieces: [...pieces], numbers: [] };
}

/** Numbers that are aligned at an edge, from top to bottom. */
function columnsOf(candidates: readonly Piece[], edge: "left" | "right"): Piece[][] {
  const columns: Piece[][] = [];
  for (const piece of [...candidates].sort((a, b) => a.y - b.y)) {
    const column = columns.find(([one]) => one && Math.abs(one[edge] - piece[edge]) <= ALIGNED_POINTS);
    if (column) column.push(piece);
    else columns.push([piece]);
  }
  return columns.filter(({ length }) => length >= NUMBERED_LINES_MIN);
}

function isCounting(column: readonly Piece[]): boolean {
  const values = column.map(({ text }) => Number(text));
  const steps = values.slice(1).map((value, at) => value - (values[at] ?? 0));
  return steps.every((step) => step === steps[0]) && STEPS.includes(steps[0] ?? 0);
}

/** Nothing of the text reaches to the other side of the numbers. */
function isMargin(column: readonly Piece[], rest: readonly Piece[]): boolean {
  const [left, right] = [Math.min(...column.map((one) => one.left)), Math.max(...column.map((one) => one.right))];
  const [top, bottom] = [column[0]?.y ?? 0, column.at(-1)?.y ?? 0];
  const beside = rest.filter(({ y }) => y >= top - 2 && y <= bottom + 2);
  return beside.every((one) => one.left >= right - 1) || beside.every((one) => one.right <= left + 1);
}

/** Half of the numbered lines are as long as lines of running text. */
function areLong(column: readonly Piece[], rest: readonly Piece[], width: number): boolean {
  const lengths = column.map(({ y, size }) => {
    const line = rest.filter((one) => Math.abs(one.y - y) < size * 0.6);
    return line.length > 0
      ? Math.max(...line.map(({ right }) => right)) - Math.min(...line.map(({ left }) => left))
      : 0;
  });
  return median(lengths) >= width * LONG_SHARE_MIN;
}
