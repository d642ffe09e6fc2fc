// Lines in reading order: columns one after the other, and what stands across them in between.
import type { Line } from "./lines.js";

/** Lines that belong together: a column, or what lies across the page. */
export interface Region {
  left: number;
  right: number;
  /** Rows from top to bottom; a row of more than one line has cells. */
  rows: Line[][];
}

/** A column has at least so many lines, of so many characters, that fill so much of its width. */
const COLUMN_LINES_MIN = 3;
const COLUMN_CHARS_MIN = 14;
const COLUMN_FILL_MIN = 0.55;
/** Columns in columns, at most. */
const DEPTH_MAX = 3;
/** A row of a table has so many cells, which fill so much of the width at most. */
const TABLE_CELLS_MIN = 3;
const TABLE_FILL_MAX = 0.6;
const BIN_POINTS = 2;
const GUTTERS_TRIED = 4;

/** The regions of a page in the order in which they are read. */
export function inOrder(lines: readonly Line[], depth = 0): Region[] {
  if (lines.length === 0) return [];
  if (depth < DEPTH_MAX) {
    for (const x of gutters(lines)) {
      const bands = splitAt(lines, x);
      if (!bands.some(({ isColumns }) => isColumns)) continue;
      return bands.flatMap(({ isColumns, lines: some }) => {
        if (!isColumns) return inOrder(some, depth + 1);
        const left = some.filter((one) => one.right <= x);
        const right = some.filter((one) => one.right > x);
        const isRtl = some.filter((one) => one.isRtl).length * 2 > some.length;
        const [first, second] = isRtl ? [right, left] : [left, right];
        return [...inOrder(first, depth + 1), ...inOrder(second, depth + 1)];
      });
    }
  }
  return [region(lines)];
}

/** Places where columns may be parted: those with a gap beside most lines, best first. */
function gutters(lines: readonly Line[]): number[] {
  const counts = new Map<number, number>();
  const sorted = [...lines].sort((a, b) => a.y - b.y);
  sorted.forEach((line, at) => {
    let next = Infinity;
    for (const step of [1, -1]) {
      for (let other = at + step; other >= 0 && other < sorted.length; other += step) {
        const one = sorted[other]!;
        if (Math.abs(one.y - line.y) > Math.max(one.size, line.size) * 0.7) break;
        if (one.left >= line.right) next = Math.min(next, one.left);
      }
    }
    if (next === Infinity) return;
    for (let bin = Math.ceil(line.right / BIN_POINTS); bin * BIN_POINTS <= next; bin++)
      counts.set(bin, (counts.get(bin) ?? 0) + 1);
  });
  const ranked = [...counts]
    .filter(([, count]) => count >= COLUMN_LINES_MIN)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const chosen: number[] = [];
  for (const [bin, count] of ranked) {
    if (chosen.length >= GUTTERS_TRIED) break;
    // Of neighbors with the same count the middle is taken.
    let last = bin;
    while (counts.get(last + 1) === count) last++;
    const x = ((bin + last) / 2) * BIN_POINTS;
    if (!chosen.some((one) => Math.abs(one - x) < 4 * BIN_POINTS)) chosen.push(x);
  }
  return chosen;
}

/** Bands from top to bottom: lines across `x`, and between them lines beside it. */
function splitAt(lines: readonly Line[], x: number): { isColumns: boolean; lines: Line[] }[] {
  const bands: { across: boolean; lines: Line[] }[] = [];
  const cells = cellsIn(lines);
  for (const line of [...lines].sort((a, b) => a.y - b.y)) {
    const across = (line.left < x && line.right > x) || cells.has(line);
    const last = bands.at(-1);
    if (last?.across === across) last.lines.push(line);
    else bands.push({ across, lines: [line] });
  }
  const judged = bands.map(({ across, lines: some }) => ({ isColumns: !across && areColumns(some, x), lines: some }));
  // Where there are columns, what is between two figures may be a line or two of each.
  if (judged.some(({ isColumns }) => isColumns))
    bands.forEach(({ across, lines: some }, at) => {
      judged[at]!.isColumns ||= !across && areColumns(some, x, 1);
    });
  // What is no pair of columns joins its neighbor, so that a row is not torn.
  const merged: typeof judged = [];
  for (const band of judged) {
    const last = merged.at(-1);
    if (last && !last.isColumns && !band.isColumns) last.lines.push(...band.lines);
    else merged.push({ ...band });
  }
  return merged;
}

/** The lines that are cells of a table as wide as the page: rows of three and more that leave most of the width free. */
function cellsIn(lines: readonly Line[]): Set<Line> {
  const { left, right, rows } = region(lines);
  const isRow = (row: readonly Line[] | undefined): boolean =>
    row !== undefined &&
    row.length >= TABLE_CELLS_MIN &&
    row.reduce((sum, one) => sum + one.right - one.left, 0) < (right - left) * TABLE_FILL_MAX;
  const inTable = rows.filter((row, at) => isRow(row) && (isRow(rows[at - 1]) || isRow(rows[at + 1])));
  return new Set(inTable.flat());
}

function areColumns(lines: readonly Line[], x: number, linesMin = COLUMN_LINES_MIN): boolean {
  return [lines.filter((one) => one.right <= x), lines.filter((one) => one.right > x)].every((side) => {
    if (side.length < linesMin) return false;
    const width = Math.max(...side.map((one) => one.right)) - Math.min(...side.map((one) => one.left));
    const fill = median(side.map((one) => (one.right - one.left) / width));
    const chars = side.reduce((sum, { text }) => sum + text.length, 0) / side.length;
    // A character of Chinese or Japanese is as wide as two others.
    const wide = side.some(({ text }) => /\p{Script=Han}/u.test(text)) ? 2 : 1;
    return fill >= COLUMN_FILL_MIN && chars * wide >= COLUMN_CHARS_MIN;
  });
}

function region(lines: readonly Line[]): Region {
  const rows: Line[][] = [];
  for (const line of [...lines].sort((a, b) => a.y - b.y || a.left - b.left)) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row && first && Math.abs(first.y - line.y) <= Math.min(first.size, line.size) * 0.5) row.push(line);
    else rows.push([line]);
  }
  for (const row of rows) {
    const isRtl = row.some((one) => one.isRtl);
    row.sort((a, b) => (isRtl ? b.left - a.left : a.left - b.left));
  }
  return {
    left: Math.min(...lines.map((one) => one.left)),
    right: Math.max(...lines.map((one) => one.right)),
    rows,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
