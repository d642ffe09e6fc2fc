import { isControl, isMark, isUnread } from "../furniture.js";
import { findIn, isElement, isText, page, tagOf, textOf } from "../own.js";
import { isApart, isBlock } from "../sight/look.js";
import type { Sight } from "../sight/sight.js";
import { walk } from "../walk.js";
import { Letter } from "./letter.js";
import { close, containerOf, type Container } from "./containers.js";
import { Draft, type LiveBlock } from "./draft.js";
import { holdsData, isCell, isRow, isTable, Table } from "./tables.js";
import { readsAsLetter, readsAsText } from "./text.js";

/** Bounds for hostile pages. */
const BLOCKS_MAX = 50_000;
const BLOCK_CHARS_MAX = 12_000;
const ELEMENTS_MAX = 500_000;
const MEDIA = /^(?:VIDEO|AUDIO)$/;
/** Characters that are read between two looks at the clock. */
const PIECE_CHARS = 4_000;
/** Blank lines, which part paragraphs of plain text. */
const BLANK_LINES = /(\n[^\S\n]*\n\s*)/;

/** Reads the text blocks of what is seen. `media`: takes the videos and audios that are seen. */
export async function readBlocks(sight: Sight, media: Element[] = []): Promise<LiveBlock[]> {
  const reader = new Reader(sight, media);
  await walk(page.root(), reader);
  reader.flush();
  return reader.blocks;
}

class Reader {
  readonly blocks: LiveBlock[] = [];
  readonly #sight: Sight;
  #here: Container | null = null;
  #elements = 0;
  #breaks = 0;
  #draft = new Draft();
  /** The element whose text is read as it is set, line by line. */
  #plain: Element | null = null;
  #letter = new Letter();
  /** A control, and the block in which it stands. */
  #control: { element: Element; outer: Draft } | null = null;
  readonly #tables: Table[] = [];
  readonly #media: Element[];

  constructor(sight: Sight, media: Element[]) {
    this.#sight = sight;
    this.#media = media;
  }

  enter(node: Node): boolean | Iterator<void> {
    if (isText(node)) return this.#text(node);
    if (!isElement(node)) return true;
    if (tagOf(node) === "BR") {
      this.#break();
      return false;
    }
    const table = this.#tables.at(-1);
    // Hidden cells take a column as well.
    const cell = table?.awaitsCell && isCell(node) ? table.place(node) : null;
    if (this.blocks.length >= BLOCKS_MAX || ++this.#elements > ELEMENTS_MAX) return false;
    if (MEDIA.test(tagOf(node)) && this.#sight.of(node) === "all") this.#media.push(node);
    if (isUnread(node) || isMark(node) || this.#sight.of(node) === "nothing") return false;
    const style = this.#sight.styleOf(node);
    const begins = isBlock(style);
    if (begins) this.#boundary();
    else if (isApart(style)) this.#draft.space();
    this.#here = containerOf(node, this.#here, begins);
    if (isTable(node)) this.#tables.push(new Table(node, holdsData(node)));
    else if (cell) table?.beginCell(node, cell, this.#draft.text.length);
    else if (table?.awaitsRow && isRow(node)) {
      this.flush();
      table.beginRow(node);
    }
    if (!this.#control && isControl(node) && this.#here.kind !== "heading") this.#beginControl(node);
    if (!this.#plain && tagOf(node) === "PRE" && isPlain(node)) [this.#plain, this.#letter] = [node, new Letter()];
    return true;
  }

  leave(node: Node): void {
    const here = this.#here;
    if (here?.element !== node) return;
    if (this.#control?.element === node) this.#endControl();
    const table = this.#tables.at(-1);
    if (table?.cell === node) {
      table.endCell(this.#draft.text);
      this.#draft.tab();
    } else if (table?.row === node) {
      this.#endRow(table);
    } else if (here.isBlock) this.#boundary();
    else if (isApart(this.#sight.styleOf(here.element))) this.#draft.space();
    if (table?.element === node) this.#tables.pop();
    if (this.#plain === node) [this.#plain, this.#letter] = [null, new Letter()];
    close(here);
    this.#here = here.parent;
  }

  *#text(node: Text): Iterator<void> {
    let from = 0;
    for (const { start, end } of this.#sight.runs(node)) {
      if (start > from) this.#draft.space();
      for (let at = start; at < end;) {
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
    if (!this.#here || !this.#draft.take(node, data, from, this.#here)) return;
    this.#breaks = 0;
    if (this.#draft.text.length > BLOCK_CHARS_MAX) this.#boundary();
  }

  /** Blank lines part paragraphs, and so do the edges of what is quoted. */
  #lines(node: Text, data: string, at: number): void {
    let from = at;
    for (const part of data.split(BLANK_LINES)) {
      if (/^\n[^\S\n]*\n/.test(part)) {
        this.#boundary();
        this.#letter.begin();
      } else {
        for (const { start, end, isOther } of this.#letter.linesOf(part, node.data.length - from)) {
          if (isOther) this.#boundary();
          this.#letter.turn(isOther);
          this.#take(node, part.slice(start, end), from + start);
        }
      }
      from += part.length;
    }
  }

  /** One line break is white space, two part paragraphs. */
  #break(): void {
    this.#draft.space();
    if (++this.#breaks >= 2) this.#boundary();
  }

  /** Parts blocks; in a row of a table only words. */
  #boundary(): void {
    if (this.#tables.some(({ row }) => row)) this.#draft.space();
    else this.flush();
  }

  #endRow(table: Table): void {
    const headers = table.endRow();
    this.#finish(this.#draft.finish("table", false, headers));
  }

  /** What a control says stands in the middle of a text, and is no part of it. */
  #beginControl(element: Element): void {
    this.#draft.space();
    this.#control = { element, outer: this.#draft };
    this.#draft = new Draft();
  }

  #endControl(): void {
    if (!this.#control) return;
    this.flush();
    this.#draft = this.#control.outer;
    this.#control = null;
  }

  /** Ends the block at hand. */
  flush(): void {
    const isPlain = this.#plain !== null || page.contentType() === "text/plain";
    const kind = this.#letter.isQuoted ? "quote" : "paragraph";
    this.#finish(this.#draft.finish(isPlain ? kind : null, this.#control !== null));
  }

  #finish(block: LiveBlock | null): void {
    if (block) this.blocks.push(block);
    this.#draft = new Draft();
    this.#breaks = 0;
  }
}

/** A `pre` whose text is set line by line and is no code. */
function isPlain(element: Element): boolean {
  const text = textOf(element) ?? "";
  return readsAsText(text) || (readsAsLetter(text) && !findIn(element, "code, kbd, samp"));
}

/** A piece ends where a blank line cannot be torn apart. */
function pieceEnd(data: string, at: number, end: number): number {
  if (end - at <= PIECE_CHARS) return end;
  const space = data.slice(at + 1, at + PIECE_CHARS).search(/\S\s*$/);
  return space < 0 ? at + PIECE_CHARS : at + 1 + space;
}
