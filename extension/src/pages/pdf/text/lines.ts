// Pieces to lines: what stands on one baseline, without a gap that a column or a cell could make.
import { type Shift, written } from "../../../text/raised.js";
import { closeUp, joinsTightly } from "./characters.js";
import type { Piece } from "./pieces.js";
import { BULLETS } from "./signs.js";

/** A line, or a cell of a table. */
export interface Line {
  text: string;
  left: number;
  right: number;
  y: number;
  size: number;
  font: string;
  isMono: boolean;
  isRtl: boolean;
  /** All of it is in one font. */
  isPlain: boolean;
  /** All of it stands out without a font of its own. */
  isStrong: boolean;
  /** Pieces in the order in which they are read; none where only the text is wanted. */
  pieces: readonly Piece[];
}

/** In sizes of the type: a wider gap separates columns or cells. */
const GAP_SIZES = 1.05;
/** A narrower one is no space. */
const SPACE_SIZES = 0.12;
/** Baselines that differ by less are one: indices and footnote marks are raised. */
const BASELINE_SIZES = 0.45;
/** Between letters of scripts without spaces. */
const UNSPACED_GAP_SIZES = 0.7;
/** What is smaller, and stands so much higher or lower, is raised or lowered. */
const SHIFTED_SIZES_MAX = 0.85;
const RAISED_SIZES = 0.15;
const LOWERED_SIZES = 0.06;
/** Bullets and numbers stand off from their text. */
const MARKER_GAP_SIZES = 3;
const MARKER = new RegExp(`^(?:[${BULLETS}-]|\\(?(?:\\d{1,3}|[a-z]|[ivx]{1,4})[.)])$`);

/** Lines of a page, in no order that matters. */
export function toLines(pieces: readonly Piece[]): Line[] {
  const rows = toRows(pieces);
  for (const row of rows) row.sort((a, b) => a.left - b.left);
  const edges = edgesOf(rows);
  return rows.flatMap((row) => splitRow(row, edges));
}

/** Columns set close together: so many rows, of those that reach as far, have a piece that begins there behind a gap. */
const EDGE_ROWS_MIN = 6;
const EDGE_SHARE_MIN = 0.5;
const EDGE_GAP_SIZES = 0.55;
const EDGES_MAX = 20;

/** Places where another column begins, in points. */
function edgesOf(rows: readonly Piece[][]): Set<number> {
  const counts = new Map<number, number>();
  for (const row of rows)
    for (const at of new Set(
      row.flatMap((piece, at) => (isBehindGap(piece, row[at - 1]) ? [Math.round(piece.left)] : [])),
    ))
      counts.set(at, (counts.get(at) ?? 0) + 1);
  const found = new Set<number>();
  for (const [at, count] of [...counts].sort((a, b) => b[1] - a[1]).slice(0, EDGES_MAX)) {
    if (count < EDGE_ROWS_MIN) break;
    const reaching = rows.filter((row) => row[0]!.left < at - 1 && row.at(-1)!.right > at + 1).length;
    if (count >= reaching * EDGE_SHARE_MIN) found.add(at);
  }
  return found;
}

const isBehindGap = (piece: Piece, before: Piece | undefined): boolean =>
  before !== undefined && piece.left - before.right > piece.size * EDGE_GAP_SIZES;

/** Pieces by baseline. */
function toRows(pieces: readonly Piece[]): Piece[][] {
  const sorted = [...pieces].sort((a, b) => a.y - b.y);
  // The largest type first: what is raised or lowered joins it.
  const rows: { y: number; size: number; pieces: Piece[] }[] = [];
  for (const piece of sorted) {
    // Rows are many and sorted: only the last few can be meant.
    let found: (typeof rows)[number] | undefined;
    for (let at = rows.length - 1; at >= Math.max(0, rows.length - 6); at--) {
      const row = rows[at]!;
      if (Math.abs(row.y - piece.y) > Math.max(row.size, piece.size) * BASELINE_SIZES) continue;
      const isSame = Math.abs(row.y - piece.y) < 1;
      // Two columns may set their lines at heights of their own: only neighbors share a baseline that is not the same.
      if (isSame || row.pieces.some((one) => areNeighbors(one, piece))) {
        found = row;
        break;
      }
    }
    if (!found) {
      rows.push({ y: piece.y, size: piece.size, pieces: [piece] });
      continue;
    }
    if (piece.size > found.size) [found.y, found.size] = [piece.y, piece.size];
    found.pieces.push(piece);
  }
  return rows.map((row) => row.pieces);
}

function areNeighbors(a: Piece, b: Piece): boolean {
  const gap = Math.max(a.left, b.left) - Math.min(a.right, b.right);
  return gap < Math.min(a.size, b.size) * 0.6;
}

function splitRow(row: readonly Piece[], edges: ReadonlySet<number>): Line[] {
  const groups: Piece[][] = [];
  let right = -Infinity;
  for (const piece of row) {
    const group = groups.at(-1);
    const gap = piece.left - right;
    const size = Math.max(piece.size, group?.at(-1)?.size ?? 0);
    const isMarker = group?.length === 1 && MARKER.test(group[0]!.text.trim());
    const isEdge = !isMarker && gap > size * EDGE_GAP_SIZES && edges.has(Math.round(piece.left));
    if (group && !isEdge && gap <= size * (isMarker ? MARKER_GAP_SIZES : GAP_SIZES)) group.push(piece);
    else groups.push([piece]);
    right = Math.max(piece.right, group && groups.at(-1) === group ? right : -Infinity);
  }
  return groups.map(toLine);
}

const BRACKETS = "()[]{}<>«»‹›";
const mirrorOf = (sign: string): string => {
  const at = BRACKETS.indexOf(sign);
  return at < 0 ? sign : BRACKETS.charAt(at % 2 === 0 ? at + 1 : at - 1);
};

/** Signs alone in a line from right to left: a bracket that is drawn as ")" opens. */
function mirrored(piece: Piece): Piece {
  if (piece.isRtl || /[\p{L}\p{N}]/u.test(piece.text)) return piece;
  const signs = [...piece.text].reverse().map(mirrorOf);
  return { ...piece, text: signs.join("") };
}

/** One line of pieces that are sorted from left to right. */
function toLine(pieces: Piece[]): Line {
  const chars = (some: readonly Piece[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  const isRtl = chars(pieces.filter((one) => one.isRtl)) * 2 > chars(pieces);
  const main = pieces.reduce((a, b) => (b.text.length > a.text.length ? b : a));
  const ordered = isRtl ? pieces.map(mirrored).reverse() : pieces;
  const { text, kept } = textOf(ordered, main, isRtl);
  return {
    text: text.replace(/\s+/g, " ").trim(),
    left: Math.min(...pieces.map(({ left }) => left)),
    right: Math.max(...pieces.map(({ right }) => right)),
    y: main.y,
    size: main.size,
    font: main.font,
    isMono: main.isMono,
    isRtl,
    isPlain: pieces.every(({ font }) => font === main.font),
    isStrong: pieces.every(({ isStrong }) => isStrong),
    pieces: kept,
  };
}

/** The text of pieces in their order, and those of them that are in it: marks of notes are not. */
function textOf(pieces: readonly Piece[], main: Piece, isRtl: boolean): { text: string; kept: Piece[] } {
  let text = "";
  let before: Piece | null = null;
  const kept: Piece[] = [];
  // Letters that are set apart, as in headings, tell each other so.
  const isSpaced = pieces.every(({ isStrong }) => isStrong) && pieces.length > 1;
  for (const [at, piece] of pieces.entries()) {
    if (before) {
      const gap = isRtl ? before.left - piece.right : piece.left - before.right;
      const space = joinsTightly(text, piece.text) ? UNSPACED_GAP_SIZES : SPACE_SIZES;
      // A space of the file counts where letters are not set apart.
      const isSpace = piece.isAfterSpace && piece.item === before.item + 2 && space === SPACE_SIZES && !isSpaced;
      if ((isSpace || gap > Math.min(piece.size, before.size) * space) && !/\s$/.test(text)) text += " ";
    }
    before = piece;
    // The mark of a note begins the line of its note.
    const shift = text === "" ? null : shiftOf(piece, main);
    const after = pieces[at + 1]?.text ?? "";
    const found = shift && written(text, piece.text, { shift, leadsToNote: false, decimal: ".", after });
    if (found && found.units.length === 0) continue;
    kept.push(piece);
    if (!found) text += closeUp(piece.text, isSpaced);
    else text = text.slice(0, text.length - found.from) + found.units.map(({ unit }) => unit).join("");
  }
  return { text, kept };
}

/** Whether a piece is raised or lowered against its line. */
function shiftOf(piece: Piece, main: Piece): Shift | null {
  if (piece.size > main.size * SHIFTED_SIZES_MAX) return null;
  const up = (main.y - piece.y) / main.size;
  return up > RAISED_SIZES ? "raised" : up < -LOWERED_SIZES ? "lowered" : null;
}
