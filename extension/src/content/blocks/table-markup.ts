// What the markup says of tables: which hold data, and what their rows and cells are.
import { attributeOf, closestTo, findAllIn, findIn, tagOf, textOf } from "../own.js";

const ROW = "tr, [role=row]";
const CELL = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";
const HEADER = "th, thead td, [role=columnheader], [role=rowheader]";
const TABLE = "table, [role=table], [role=grid], [role=treegrid]";
/** What no cell of data holds. */
const LAYOUT = "table, h1, h2, h3, form, article, section, blockquote, td hr, [role=table]";
/** Several paragraphs in a cell: with long cells, a sign that texts were set side by side. */
const PARAGRAPHS = "td br + br, td p + p";
/** Rows that are looked at. */
const ROWS_MAX = 30;
/** A cell with more text than this is part of a layout: where the table has header cells, and where it has none. */
const CELL_CHARS_MAX = 1_500;
const CELL_CHARS_MEAN_MAX = 80;
const BARE_CELL_CHARS_MAX = 160;
const BARE_CELL_CHARS_MEAN_MAX = 60;

const roleOf = (element: Element): string => attributeOf(element, "role")?.toLowerCase() ?? "";
export const isTable = (element: Element): boolean =>
  tagOf(element) === "TABLE" || /^(?:table|grid|treegrid)$/.test(roleOf(element));
export const isRowGroup = (element: Element): boolean =>
  /^(?:TBODY|THEAD|TFOOT)$/.test(tagOf(element)) || roleOf(element) === "rowgroup";
export const isRow = (element: Element): boolean => tagOf(element) === "TR" || roleOf(element) === "row";
export const isHeaderCell = (element: Element): boolean =>
  tagOf(element) === "TH" || /^(?:column|row)header$/.test(roleOf(element));
export const isCell = (element: Element): boolean =>
  tagOf(element) === "TD" || isHeaderCell(element) || /^(?:grid)?cell$/.test(roleOf(element));

/** Fonts for code. */
const MONO = /mono|courier|consolas|menlo|source code/i;

/** True for a table whose rows are lines of code: their last cells keep white space. */
export function holdsCode(table: Element): boolean {
  if (tagOf(table) !== "TABLE") return false;
  const cells = [...findAllIn(table, "td:last-child")].slice(0, 3);
  return cells.length > 1 && cells.every(isCodeCell);
}

export function isCodeCell(cell: Element): boolean {
  const { whiteSpace, fontFamily } = getComputedStyle(cell);
  return whiteSpace.startsWith("pre") && MONO.test(fontFamily);
}

/** True for tables whose rows belong together cell by cell; false for those that only place things side by side. */
export function holdsData(table: Element): boolean {
  if (holdsCode(table)) return false;
  if (/^(?:presentation|none)$/.test(roleOf(table)) || findIn(table, LAYOUT)) return false;
  const hasHeaders = findIn(table, HEADER) !== null;
  const rows = [...findAllIn(table, ROW)].slice(0, ROWS_MAX).filter((row) => closestTo(row, TABLE) === table);
  const cells = rows.map((row) => [...findAllIn(row, CELL)]);
  if (!cells.some((row) => row.length > 1)) return false;
  const lengths = cells.flat().map((cell) => (textOf(cell) ?? "").replace(/\s+/g, " ").length);
  const longest = lengths.reduce((max, one) => Math.max(max, one), 0);
  const mean = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length);
  if (hasHeaders) return longest <= CELL_CHARS_MAX && (mean <= CELL_CHARS_MEAN_MAX || !findIn(table, PARAGRAPHS));
  return rows.length > 1 && longest <= BARE_CELL_CHARS_MAX && mean <= BARE_CELL_CHARS_MEAN_MAX;
}
