// Paragraphs and rows of plain text that no blank line parts.
import { endsSentence } from "./text.js";

/** What a line begins. A row has cells between tabs. */
export type Begun = "paragraph" | "row";

const INDENT = /^(?: {2,8}|\t|\u3000{1,2})(?=\S)/;
const CELLS = /\S\t+\S/;
/** Of the lines: where more are indented, the indent begins no paragraph. */
const INDENTED_SHARE_MAX = 0.5;
/** Nobody wraps lines by hand that are longer. */
const WRAPPED_CHARS_MAX = 100;

/**
 * What lines of a text begin, by the place where they do. Behind the end of a sentence a line that is indented begins a paragraph,
 * and so does one that stands behind a line as long as a paragraph.
 */
export function begunBy(text: string): Map<number, Begun> {
  const lines = text.split(/(?<=\n)/);
  const isIndented = lines.map((line) => INDENT.test(line));
  const areFirst = text.includes("\u3000") || isIndented.filter(Boolean).length <= lines.length * INDENTED_SHARE_MAX;
  const found = new Map<number, Begun>();
  let [start, wasRow] = [0, false];
  for (const [at, line] of lines.entries()) {
    const before = (lines[at - 1] ?? "").trimEnd();
    const isRow = haveCells(line, lines[at - 1]) || haveCells(line, lines[at + 1]);
    const isApart = (areFirst && isIndented[at]) || before.length > WRAPPED_CHARS_MAX;
    if (isRow) found.set(start, "row");
    else if (wasRow || (isApart && endsSentence(before))) found.set(start, "paragraph");
    start += line.length;
    wasRow = isRow;
  }
  return found;
}

/** Two lines of as many cells. */
const haveCells = (line: string, other = ""): boolean =>
  CELLS.test(line) && CELLS.test(other) && countCells(line) === countCells(other);
const countCells = (line: string): number => line.trim().split(/\t+/).length;

/** A word that is parted at its hyphen, and what comes before and behind the place. */
const [PARTED, REST] = [/\p{L}-\s*$/u, /^[^\S\n]*\p{Ll}/u];
const LOOKED_AT_CHARS = 80;

/** A line of a text without the white space at a hyphen that parts a word of it. */
export function closedUp(text: string, start: number, end: number): { start: number; end: number } {
  const line = text.slice(start, end);
  const isParted = PARTED.test(line.slice(-LOOKED_AT_CHARS)) && REST.test(text.slice(end, end + LOOKED_AT_CHARS));
  const isRest = PARTED.test(text.slice(Math.max(0, start - LOOKED_AT_CHARS), start)) && REST.test(line);
  return {
    start: isRest ? end - line.trimStart().length : start,
    end: isParted ? start + line.trimEnd().length : end,
  };
}
