import type { Block } from "@pith/web";
import { Cleaner } from "../clean.js";
import { isControl, isMark, isUnread } from "../furniture.js";
import { boxOf, isElement, isText, page, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import { walk } from "../walk.js";
import { close, common, containerOf, type Container } from "./containers.js";
import { Grid, holdsData, isCell, isRow, isTable } from "./tables.js";
import { isProse, readsAsText } from "./text.js";

/** A block and the live text nodes that it came from. */
export interface LiveBlock extends Block {
  /** For each UTF-16 unit of `text`: its node, and the offset in that node's data. */
  readonly nodes: readonly Text[];
  readonly offsets: readonly number[];
  /** The innermost element around all of its text. */
  readonly container: Container;
  /** How much of the text stands in links, 0 to 1. */
  readonly linked: number;
  /** Its left and right edge in the document, in CSS pixels. */
  readonly sides: readonly [number, number];
  /** The label of a control, which is no text of the page. */
  readonly isControl: boolean;
}

/** Bounds for hostile pages. */
const BLOCKS_MAX = 50_000;
const BLOCK_CHARS_MAX = 12_000;
const NODES_MAX = 600_000;
/** Characters that are read between two looks at the clock. */
const PIECE_CHARS = 4_000;
/** Blank lines, which part paragraphs of plain text. */
const BLANK_LINES = /(\n[^\S\n]*\n\s*)/;

/** Reads the text blocks of what is seen. */
export async function readBlocks(sight: Sight): Promise<LiveBlock[]> {
  const reader = new Reader(sight);
  await walk(page.root(), reader);
  reader.flush();
  return reader.blocks;
}

class Reader {
  readonly blocks: LiveBlock[] = [];
  readonly #sight: Sight;
  #here: Container | null = null;
  #nodes = 0;
  #breaks = 0;
  /** The block at hand. */
  #cleaner = new Cleaner<Text>();
  #linked = 0;
  #around: Container | null = null;
  /** The element whose text is read line by line as it is set. */
  #plain: Element | null = null;
  /** A control, and the block that it stands in. */
  #control: { element: Element; outer: [Cleaner<Text>, number, Container | null] } | null = null;
  readonly #tables: { element: Element; grid: Grid | null; row: Element | null; cell: Element | null; from: number }[] = [];
  #place: ReturnType<Grid["place"]> | null = null;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  enter(node: Node): boolean | Iterator<void> {
    if (isText(node)) return this.#text(node);
    if (!isElement(node)) return true;
    if (tagOf(node) === "BR") {
      this.#break();
      return false;
    }
    const table = this.#tables.at(-1);
    const isGridCell = table?.grid && table.row && !table.cell && isCell(node);
    if (isGridCell) this.#place = table.grid?.place(node) ?? null;
    if (this.blocks.length >= BLOCKS_MAX || ++this.#nodes > NODES_MAX) return false;
    if (isUnread(node) || isMark(node) || this.#sight.of(node) === "nothing") return false;
    const isBlock = this.#sight.isBlock(node);
    if (isBlock) this.#boundary();
    this.#here = containerOf(node, this.#here, isBlock);
    if (isTable(node)) this.#tables.push({ element: node, grid: holdsData(node) ? new Grid() : null, row: null, cell: null, from: 0 });
    else if (table?.grid && !table.row && isRow(node)) this.#beginRow(node);
    else if (isGridCell) this.#beginCell(node);
    if (!this.#control && isControl(node) && this.#here.kind !== "heading") this.#beginControl(node);
    if (!this.#plain && tagOf(node) === "PRE" && readsAsText(textOf(node) ?? "")) this.#plain = node;
    return true;
  }

  leave(node: Node): void {
    const here = this.#here;
    if (here?.element !== node) return;
    if (this.#control?.element === node) this.#endControl();
    const table = this.#tables.at(-1);
    if (table?.cell === node) this.#endCell();
    else if (table?.row === node) this.#endRow();
    else if (here.isBlock) this.#boundary();
    if (table?.element === node) this.#tables.pop();
    if (this.#plain === node) this.#plain = null;
    close(here);
    this.#here = here.parent;
  }

  *#text(node: Text): Iterator<void> {
    let from = 0;
    for (const { start, end } of this.#sight.runs(node)) {
      if (start > from) this.#cleaner.space();
      for (let at = start; at < end; ) {
        const next = pieceEnd(node.data, at, end);
        const piece = node.data.slice(at, next);
        if (this.#plain || page.contentType() === "text/plain") this.#lines(node, piece, at);
        else this.#take(node, piece, at);
        at = next;
        if (at < end) yield;
      }
      from = end;
    }
  }

  #take(node: Text, data: string, from: number): void {
    const before = this.#cleaner.text.length;
    this.#cleaner.add(data, node);
    const { text, offsets } = this.#cleaner;
    for (let i = before; i < offsets.length; i++) offsets[i]! += from;
    const here = this.#here;
    if (text.length === before || !here) return;
    this.#breaks = 0;
    this.#around = this.#around ? common(this.#around, here) : here;
    if (here.isLink) this.#linked += text.length - before;
    if (text.length > BLOCK_CHARS_MAX && !this.#tables.at(-1)?.row) this.flush();
  }

  #lines(node: Text, data: string, at: number): void {
    let from = at;
    for (const part of data.split(BLANK_LINES)) {
      if (/^\n[^\S\n]*\n/.test(part)) this.#boundary();
      else this.#take(node, part, from);
      from += part.length;
    }
  }

  /** One line break is white space, two part paragraphs. */
  #break(): void {
    this.#cleaner.space();
    if (++this.#breaks >= 2) this.#boundary();
  }

  /** Parts blocks; in a row of a table only words. */
  #boundary(): void {
    if (this.#tables.some(({ row }) => row)) this.#cleaner.space();
    else this.flush();
  }

  #beginRow(row: Element): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    this.flush();
    table.row = row;
    table.grid?.beginRow();
  }

  #beginCell(cell: Element): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    table.cell = cell;
    table.from = this.#cleaner.text.length;
  }

  #endCell(): void {
    const table = this.#tables.at(-1);
    if (!table || !this.#place) return;
    const text = this.#cleaner.text.slice(table.from).trim();
    table.grid?.add({ ...this.#place, text });
    this.#cleaner.tab();
    table.cell = null;
  }

  #endRow(): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    table.row = null;
    this.flush("table", table.grid?.endRow());
  }

  /** What a control says stands in the middle of a text, and is no part of it. */
  #beginControl(element: Element): void {
    this.#cleaner.space();
    this.#control = { element, outer: [this.#cleaner, this.#linked, this.#around] };
    [this.#cleaner, this.#linked, this.#around] = [new Cleaner(), 0, null];
  }

  #endControl(): void {
    if (!this.#control) return;
    this.flush();
    [this.#cleaner, this.#linked, this.#around] = this.#control.outer;
    this.#control = null;
  }

  /** Ends the block at hand. */
  flush(kind?: "table", headers?: string[]): void {
    const { text, origins, offsets } = this.#cleaner;
    const container = this.#around;
    if (text.trim() && container) {
      const linked = this.#linked / text.length;
      this.blocks.push({
        kind: kind ?? (this.#plain ? "paragraph" : (container.kind ?? "paragraph")),
        text,
        ...(headers && { headers }),
        nodes: origins,
        offsets,
        container,
        linked,
        sides: sidesOf(container.element),
        isControl: this.#control !== null,
      });
      container.blocks++;
      container.chars += text.length;
      container.linked += this.#linked;
      if (linked < 0.5 && isProse(text)) container.prose += text.length;
      container.hasTitle ||= container.tag === "H1" || container.parent?.tag === "H1";
    }
    this.#cleaner = new Cleaner();
    this.#linked = 0;
    this.#breaks = 0;
    this.#around = null;
  }
}

/** A piece ends where a blank line cannot be torn apart. */
function pieceEnd(data: string, at: number, end: number): number {
  if (end - at <= PIECE_CHARS) return end;
  const space = data.slice(at + 1, at + PIECE_CHARS).search(/\S\s*$/);
  return space < 0 ? at + PIECE_CHARS : at + 1 + space;
}

function sidesOf(element: Element): [number, number] {
  const { left, right } = boxOf(element);
  return [left + scrollX, right + scrollX];
}
