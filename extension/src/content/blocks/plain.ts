// Text that is set line by line: a letter, a standard, a file of plain text.
import type { BlockKind } from "@pith/web";
import { childNodesOf, closestTo, findIn, isText, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import type { Container } from "./containers.js";
import { OF_ITS_OWN } from "./flow.js";
import { Letter } from "./letter.js";
import { isMarkdown, isPlainType, Markdown } from "./markdown.js";
import { readsAsLetter, readsAsText } from "./text.js";

/** Characters that are read between two looks at the clock. */
const PIECE_CHARS = 4_000;
/** Blank lines, which part paragraphs of plain text. */
const BLANK_LINES = /(\n[^\S\n]*\n\s*)/;

/** What is in them is no paragraph. */
const WITH_KIND = "li, dt, dd, td, th, h1, h2, h3, h4, h5, h6, blockquote, figcaption, pre, code";

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

  begin(element: Element, style: CSSStyleDeclaration): void {
    if (this.#element || !(tagOf(element) === "PRE" ? isPlain(element) : isPost(element, style))) return;
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

/** A box that shows its lines as they are written, and parts paragraphs by blank ones: a post, a comment. */
function isPost(element: Element, { whiteSpace }: CSSStyleDeclaration): boolean {
  if (!/^(?:pre-line|pre-wrap|break-spaces)/.test(whiteSpace) || closestTo(element, WITH_KIND)) return false;
  const isParted = [...childNodesOf(element)].some((one) => isText(one) && BLANK_LINES.test(one.data.trim()));
  return isParted && !findIn(element, OF_ITS_OWN);
}

/** Where a piece of a long text ends: where a blank line cannot be torn apart. */
export function pieceEnd(data: string, at: number, end: number): number {
  if (end - at <= PIECE_CHARS) return end;
  const space = data.slice(at + 1, at + PIECE_CHARS).search(/\S\s*$/);
  return space < 0 ? at + PIECE_CHARS : at + 1 + space;
}
