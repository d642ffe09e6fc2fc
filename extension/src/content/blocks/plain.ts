// Text that is set line by line: a letter, a standard, a file of plain text.
import type { BlockKind } from "@pith/web";
import { findIn, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import type { Container } from "./containers.js";
import { Letter } from "./letter.js";
import { isMarkdown, isPlainType, Markdown } from "./markdown.js";
import { readsAsLetter, readsAsText } from "./text.js";

/** Characters that are read between two looks at the clock. */
const PIECE_CHARS = 4_000;
/** Blank lines, which part paragraphs of plain text. */
const BLANK_LINES = /(\n[^\S\n]*\n\s*)/;

/** A stretch of a text node, and whether a paragraph ends before it. */
export interface Stretch {
  readonly text: string;
  readonly from: number;
  readonly begins: boolean;
}

/** What is done with it. */
export interface OnPlain {
  /** A paragraph ends. */
  boundary(): void;
  take(text: string, from: number): void;
}

export class PlainText {
  /** The element whose text is read so. */
  #element: Element | null = null;
  #letter = new Letter();

  readonly #isFile = isPlainType();
  readonly #markdown = isMarkdown() ? new Markdown() : null;

  get isOpen(): boolean {
    return this.#element !== null || this.#isFile;
  }

  /** Whether text keeps its lines since it is code. */
  isCode(here: Container, sight: Sight): boolean {
    return here.kind === "code" && !this.isOpen && sight.styleOf(here.element).whiteSpace.startsWith("pre");
  }

  /** What the block at hand is. */
  get kind(): BlockKind {
    return this.#markdown?.kind ?? (this.#letter.isQuoted ? "quote" : "paragraph");
  }

  begin(element: Element): void {
    if (!this.#element && tagOf(element) === "PRE" && isPlain(element))
      [this.#element, this.#letter] = [element, new Letter()];
  }

  end(element: Element): void {
    if (this.#element === element) [this.#element, this.#letter] = [null, new Letter()];
  }

  /** Blank lines part paragraphs, and so do the edges of what is quoted. */
  read(node: Text, data: string, at: number, { boundary, take }: OnPlain): void {
    for (const { text, from, begins } of this.#stretches(node, data, at)) {
      // The kind of what ends is known until then.
      if (begins) boundary();
      if (text) take(text, from);
    }
  }

  *#stretches(node: Text, data: string, at: number): Generator<Stretch> {
    if (this.#markdown) return yield* this.#markdown.stretches(data, at);
    let from = at;
    for (const part of data.split(BLANK_LINES)) {
      if (/^\n[^\S\n]*\n/.test(part)) {
        yield { text: "", from, begins: true };
        this.#letter.begin();
      } else {
        for (const { start, end, isOther } of this.#letter.linesOf(part, node.data.length - from)) {
          if (isOther) yield { text: "", from, begins: true };
          this.#letter.turn(isOther);
          yield { text: part.slice(start, end), from: from + start, begins: false };
        }
      }
      from += part.length;
    }
  }
}

/** A `pre` whose text is set line by line and is no code. */
function isPlain(element: Element): boolean {
  const text = textOf(element) ?? "";
  return readsAsText(text) || (readsAsLetter(text) && !findIn(element, "code, kbd, samp"));
}

/** Where a piece of a long text ends: where a blank line cannot be torn apart. */
export function pieceEnd(data: string, at: number, end: number): number {
  if (end - at <= PIECE_CHARS) return end;
  const space = data.slice(at + 1, at + PIECE_CHARS).search(/\S\s*$/);
  return space < 0 ? at + PIECE_CHARS : at + 1 + space;
}
