// Text that is set line by line: a letter, a standard, a file of plain text.
import type { BlockKind } from "@pith/web";
import { findIn, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import type { Container } from "./containers.js";
import { Letter } from "./letter.js";
import { Markdown } from "./markdown.js";
import { begunBy, closedUp } from "./plain-lines.js";
import { isMarkdown, isPlainType } from "./plain-type.js";
import { readsAsLetter, readsAsText } from "./text.js";

/** Characters that are read between two looks at the clock. */
const PIECE_CHARS = 4_000;
/** What is around the cells of a table, whose style says nothing about them. */
const ROWS = /^(?:TABLE|TBODY|TR)$/;
/** Styles that end lines where the text does. */
const KEEPS_LINES = /^(?:pre|break-spaces)/;
/** Blank lines, which part paragraphs of plain text. */
const BLANK_LINES = /(\n[^\S\n]*\n\s*)/;

/** A stretch of a text node, and whether a paragraph ends before it. */
export interface Stretch {
  readonly text: string;
  readonly from: number;
  readonly begins: boolean;
  /** It is a cell of a row. */
  readonly isCell?: boolean;
}

/** What is done with it. */
export interface OnPlain {
  /** A paragraph ends. */
  boundary(): void;
  /** A line ends. */
  line(): void;
  /** A cell of a row ends. */
  cell(): void;
  take(text: string, from: number): void;
}

export class PlainText {
  readonly #sight: Sight;
  /** The element whose text is read so. */
  #element: Element | null = null;
  #letter = new Letter();
  /** The block at hand is a row. */
  #isRow = false;

  readonly #isFile = isPlainType();
  readonly #markdown = isMarkdown() ? new Markdown() : null;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  get isOpen(): boolean {
    return this.#element !== null || this.#isFile;
  }

  /** Whether text keeps its lines since it is code. */
  isCode(here: Container): boolean {
    if (this.isOpen) return this.#markdown?.kind === "code";
    return here.kind === "code" && (ROWS.test(here.tag) || this.#whiteSpaceOf(here).startsWith("pre"));
  }

  /** Takes the lines of a text whose style keeps their ends; code keeps them itself. */
  #lines(data: string, at: number, here: Container, { line, take }: OnPlain): void {
    const isKept = data.includes("\n") && !this.isCode(here) && KEEPS_LINES.test(this.#whiteSpaceOf(here));
    for (const [number, one] of (isKept ? data.split("\n") : [data]).entries()) {
      if (number > 0) line();
      take(one, at);
      at += one.length + 1;
    }
  }

  #whiteSpaceOf = ({ element }: Container): string => this.#sight.styleOf(element).whiteSpace;

  /** What the block at hand is. */
  get kind(): BlockKind {
    if (this.#isRow) return "table";
    return this.#markdown?.kind ?? (this.#letter.isQuoted ? "quote" : "paragraph");
  }

  begin(element: Element): void {
    if (!this.#element && tagOf(element) === "PRE" && isPlain(element))
      [this.#element, this.#letter] = [element, new Letter()];
  }

  end(element: Element): void {
    if (this.#element === element) [this.#element, this.#letter, this.#isRow] = [null, new Letter(), false];
  }

  /** Reads a part of a text in pieces. */
  *pieces(node: Text, start: number, end: number, here: Container, on: OnPlain): Generator<void> {
    for (let at = start; at < end;) {
      const next = pieceEnd(node.data, at, end);
      const piece = node.data.slice(at, next);
      if (this.isOpen) this.#read(node, piece, at, on);
      else this.#lines(piece, at, here, on);
      at = next;
      if (at < end) yield;
    }
  }

  /** Blank lines part paragraphs, and so do the edges of what is quoted. */
  #read(node: Text, data: string, at: number, { boundary, cell, take }: OnPlain): void {
    for (const { text, from, begins, isCell } of this.#stretches(node, data, at)) {
      // The kind of what ends is known until then.
      if (begins) boundary();
      if (text) take(text, from);
      if (isCell) cell();
    }
  }

  *#stretches(node: Text, data: string, at: number): Generator<Stretch> {
    if (this.#markdown) return yield* this.#markdown.stretches(data, at);
    let from = at;
    for (const part of data.split(BLANK_LINES)) {
      if (/^\n[^\S\n]*\n/.test(part)) {
        yield { text: "", from, begins: true };
        this.#isRow = false;
        this.#letter.begin();
      } else {
        const begun = begunBy(part);
        for (const { start, end, isOther } of this.#letter.linesOf(part, node.data.length - from)) {
          const begins = begun.get(start);
          if (isOther || begins) yield { text: "", from, begins: true };
          this.#letter.turn(isOther);
          this.#isRow = begins === "row";
          const line = closedUp(part, start, end);
          yield* stretchesIn(part.slice(line.start, line.end), from + line.start, this.#isRow);
        }
      }
      from += part.length;
    }
  }
}

/** A line, or the cells of a row. */
function* stretchesIn(line: string, from: number, isRow: boolean): Generator<Stretch> {
  let at = from;
  for (const text of isRow ? line.split(/(\t+)/) : [line]) {
    if (!isRow || !text.startsWith("\t")) yield { text, from: at, begins: false, isCell: isRow };
    at += text.length;
  }
}

/** A `pre` whose text is set line by line and is no code. */
function isPlain(element: Element): boolean {
  const text = textOf(element) ?? "";
  return readsAsText(text) || (readsAsLetter(text) && !findIn(element, "code, kbd, samp"));
}

/** Where a piece of a long text ends: where a blank line cannot be torn apart. */
function pieceEnd(data: string, at: number, end: number): number {
  if (end - at <= PIECE_CHARS) return end;
  const space = data.slice(at + 1, at + PIECE_CHARS).search(/\S\s*$/);
  return space < 0 ? at + PIECE_CHARS : at + 1 + space;
}
