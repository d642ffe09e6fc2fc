// Which column of a table a cell stands in, and the rows of tables that hold data.
import { attributeOf, closestTo } from "../own.js";
import { holdsData, isCell, isHeaderCell, isRow, isRowGroup, isTable } from "./table-markup.js";

/** Bounds for hostile pages. */
const SPAN_MAX = 100;
const COLUMNS_MAX = 1_000;
const HEADER_CHARS_MAX = 100;
/** A cell over several rows is read in each of them where it is as short as a label or a value. */
const CARRIED_CHARS_MAX = 60;

/** A cell's place in the grid of its table. */
interface Place {
  readonly column: number;
  readonly span: number;
  readonly rows: number;
  readonly isHeader: boolean;
}

type Cell = Place & { readonly text: string };

/** Reads the text of a cell that began in a row above as one of `row`. */
export type Carry = (text: string, row: Element) => void;

/** A table while it is read. */
class Table {
  readonly element: Element;
  /** What is open. */
  row: Element | null = null;
  cell: Element | null = null;
  readonly #holdsData: boolean;
  /** By column. */
  #headers: string[] = [];
  /** For each column: rows that a cell from above still takes. */
  readonly #taken: number[] = [];
  #cells: Cell[] = [];
  /** The label over the rows below: a header cell alone in its row. */
  #group = "";
  /** Cells of rows above, by column. */
  readonly #carried = new Map<number, Cell>();
  readonly #carry: Carry;
  #place: Place = { column: 0, span: 1, rows: 1, isHeader: false };
  /** Where the text of the cell begins in that of the row. */
  #from = 0;
  #column = 0;
  /** The rows so far were all header rows. */
  #isHead = true;

  constructor(element: Element, holdsData: boolean, carry: Carry) {
    this.element = element;
    this.#holdsData = holdsData;
    this.#carry = carry;
  }

  get awaitsRow(): boolean {
    return this.#holdsData && !this.row;
  }

  get awaitsCell(): boolean {
    return this.row !== null && !this.cell;
  }

  /** Cells over several rows end with their group of rows. */
  beginGroup(): void {
    this.#taken.fill(0);
  }

  beginRow(row: Element): void {
    this.row = row;
    this.#cells = [];
    this.#column = 0;
  }

  /** The place of the next cell of the row. */
  place(cell: Element): Place {
    this.#pass();
    const column = this.#column;
    const span = spanOf(cell, "colspan");
    const rows = spanOf(cell, "rowspan");
    for (let at = column; at < column + span && rows > 1; at++) this.#taken[at] = rows;
    this.#column = Math.min(column + span, COLUMNS_MAX);
    return { column, span, rows, isHeader: isHeaderCell(cell) || closestTo(cell, "thead") !== null };
  }

  /** Goes over columns that cells from above take, and reads those cells. */
  #pass(): void {
    for (; this.#taken[this.#column]; this.#column++) {
      const cell = this.#carried.get(this.#column);
      if (!cell || !this.row || (this.#taken[this.#column] ?? 0) >= cell.rows) continue;
      this.#carry(cell.text, this.row);
      this.#cells.push(cell);
    }
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
    if (this.#cells.length > 0) this.#pass();
    this.row = null;
    for (const [at, rows] of this.#taken.entries()) if (rows) this.#taken[at] = rows - 1;
    const cells = this.#cells;
    const [only] = cells;
    if (only && cells.length === 1 && only.isHeader && only.span > 1) this.#group = only.text;
    if (cells.length > 1 && cells.every(({ isHeader, text }) => isHeader || text === "")) {
      this.#addHeaders();
      return undefined;
    }
    this.#isHead = false;
    for (const cell of cells)
      if (cell.rows > 1 && cell.text.length <= CARRIED_CHARS_MAX) this.#carried.set(cell.column, cell);
      else this.#carried.delete(cell.column);
    const found = cells.map(({ column }) => this.#headerOf(column, cells.length));
    return found.some((one) => one !== "") ? found : undefined;
  }

  /** The first column is labeled by the group as well. `count`: cells of the row; a label alone is of no group. */
  #headerOf(column: number, count: number): string {
    const header = this.#headers[column] ?? "";
    if (column > 0 || !this.#group || count < 2) return header;
    return (header ? `${this.#group}, ${header}` : this.#group).slice(0, HEADER_CHARS_MAX);
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
  // To the end of its group.
  if (span === 0 && name === "rowspan") return SPAN_MAX;
  return Math.min(SPAN_MAX, Math.max(1, span || 1));
}

/** The tables that are open while a page is read, the outermost first. */
export class Tables {
  readonly #open: Table[] = [];
  readonly #carry: Carry;

  constructor(carry: Carry) {
    this.#carry = carry;
  }

  get isInRow(): boolean {
    return this.#open.some(({ row }) => row);
  }

  /** The place of a cell in its row, hidden ones included: to be asked for before anything is left out. */
  placeOf(element: Element): Place | null {
    const table = this.#open.at(-1);
    return table?.awaitsCell && isCell(element) ? table.place(element) : null;
  }

  /** `chars`: how long the text of the row is so far. `flush` is called where a row begins. */
  begin(element: Element, place: Place | null, chars: number, flush: () => void): void {
    const table = this.#open.at(-1);
    if (table && isRowGroup(element)) table.beginGroup();
    if (isTable(element)) this.#open.push(new Table(element, holdsData(element), this.#carry));
    else if (place) table?.beginCell(element, place, chars);
    else if (table?.awaitsRow && isRow(element)) {
      flush();
      table.beginRow(element);
    }
  }

  /** What ends with an element: a cell, or a row, with the headers of its cells. `text`: that of the row so far. */
  end(element: Element, text: string): "cell" | { headers: string[] | undefined } | null {
    const table = this.#open.at(-1);
    if (table?.cell === element) {
      table.endCell(text);
      return "cell";
    }
    return table?.row === element ? { headers: table.endRow() } : null;
  }

  close(element: Element): void {
    if (this.#open.at(-1)?.element === element) this.#open.pop();
  }
}
