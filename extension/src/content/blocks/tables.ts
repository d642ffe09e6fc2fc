// Which tables hold data, and which column of one a cell stands in.
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
/** Bounds for hostile pages. */
const SPAN_MAX = 100;
const COLUMNS_MAX = 1_000;
const HEADER_CHARS_MAX = 100;

const roleOf = (element: Element): string => attributeOf(element, "role")?.toLowerCase() ?? "";
export const isTable = (element: Element): boolean =>
  tagOf(element) === "TABLE" || /^(?:table|grid|treegrid)$/.test(roleOf(element));
export const isRow = (element: Element): boolean => tagOf(element) === "TR" || roleOf(element) === "row";
const isHeaderCell = (element: Element): boolean =>
  tagOf(element) === "TH" || /^(?:column|row)header$/.test(roleOf(element));
export const isCell = (element: Element): boolean =>
  tagOf(element) === "TD" || isHeaderCell(element) || /^(?:grid)?cell$/.test(roleOf(element));

/** True for tables whose rows belong together cell by cell; false for those that only place things side by side. */
export function holdsData(table: Element): boolean {
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

/** A cell's place in the grid of its table. */
interface Place {
  readonly column: number;
  readonly span: number;
  readonly isHeader: boolean;
}

/** A table while it is read. */
export class Table {
  readonly element: Element;
  /** What is open. */
  row: Element | null = null;
  cell: Element | null = null;
  readonly #holdsData: boolean;
  /** By column. */
  #headers: string[] = [];
  /** For each column: rows that a cell from above still takes. */
  readonly #taken: number[] = [];
  #cells: (Place & { text: string })[] = [];
  #place: Place = { column: 0, span: 1, isHeader: false };
  /** Where the text of the cell begins in that of the row. */
  #from = 0;
  #column = 0;
  /** The rows so far were all header rows. */
  #isHead = true;

  constructor(element: Element, holdsData: boolean) {
    this.element = element;
    this.#holdsData = holdsData;
  }

  get awaitsRow(): boolean {
    return this.#holdsData && !this.row;
  }

  get awaitsCell(): boolean {
    return this.row !== null && !this.cell;
  }

  beginRow(row: Element): void {
    this.row = row;
    this.#cells = [];
    this.#column = 0;
  }

  /** The place of the next cell of the row. */
  place(cell: Element): Place {
    while (this.#taken[this.#column]) this.#column++;
    const column = this.#column;
    const span = spanOf(cell, "colspan");
    const rows = spanOf(cell, "rowspan");
    for (let at = column; at < column + span && rows > 1; at++) this.#taken[at] = rows;
    this.#column = Math.min(column + span, COLUMNS_MAX);
    return { column, span, isHeader: isHeaderCell(cell) || closestTo(cell, "thead") !== null };
  }

  /** `from`: the length of the row's text so far. */
  beginCell(cell: Element, place: Place, from: number): void {
    this.cell = cell;
    this.#place = place;
    this.#from = from;
  }

  /** `text`: that of the row so far. */
  endCell(text: string): void {
    this.cell = null;
    this.#cells.push({ ...this.#place, text: text.slice(this.#from).trim() });
  }

  /** Ends the row; gives the header of each of its cells, or nothing where there is none. */
  endRow(): string[] | undefined {
    this.row = null;
    for (const [at, rows] of this.#taken.entries()) if (rows) this.#taken[at] = rows - 1;
    const cells = this.#cells;
    if (cells.length > 1 && cells.every(({ isHeader, text }) => isHeader || text === "")) {
      this.#addHeaders();
      return undefined;
    }
    this.#isHead = false;
    const found = cells.map(({ column }) => this.#headers[column] ?? "");
    return found.some((one) => one !== "") ? found : undefined;
  }

  /** Header rows that follow each other name groups and what is in them; one further down begins anew. */
  #addHeaders(): void {
    if (!this.#isHead) this.#headers = [];
    this.#isHead = true;
    for (const { column, span, text } of this.#cells) {
      for (let at = column; at < column + span; at++) {
        this.#headers[at] = `${this.#headers[at] ?? ""} ${text}`.trim().slice(0, HEADER_CHARS_MAX);
      }
    }
  }
}

function spanOf(cell: Element, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? attributeOf(cell, `aria-${name}`) ?? "1");
  return Math.min(SPAN_MAX, Math.max(1, span || 1));
}
