import type { BlockKind } from "@pith/web";
import { Cleaner } from "../clean.js";
import type { Piece } from "../formulas/mathml.js";
import { boxOf } from "../own.js";
import { common, type Container, count, lineBoxOf } from "./containers.js";
import type { Written } from "../../text/raised.js";
import { countWords, isProse } from "./text.js";

/** A block and the live text nodes that it came from. */
export interface LiveBlock {
  readonly kind: BlockKind;
  readonly text: string;
  /** Of a table row: the header of each cell. */
  readonly headers?: string[];
  /**
   * For each UTF-16 unit of `text`: its node, and the offset in that node's data; below 0 where it stands for what is drawn there. Or the
   * element whose label it is of.
   */
  readonly nodes: readonly (Text | Element)[];
  readonly offsets: readonly number[];
  /** The innermost element around all of its text. */
  readonly container: Container;
  readonly words: number;
  /** It is written in sentences, and not in links. */
  readonly isProse: boolean;
  /** How much of the text stands in links, 0 to 1. */
  readonly linked: number;
  /** Its left and right edge in the document, in CSS pixels. */
  readonly sides: readonly [number, number];
  /** Size of its letters, in CSS pixels. */
  readonly size: number;
  /** The color of its letters, and how its lines are aligned. */
  readonly color: string;
  readonly align: string;
  /** The label of a control, which is no text of the page. */
  readonly isControl: boolean;
  /** It is a formula on a line of its own. */
  readonly isFormula: boolean;
  /** It is struck out: it no longer holds. */
  readonly isStruck: boolean;
}

const FORMULA_SHARE_MIN = 0.8;

/** The offset of a unit that is not the one in its node, and the place of any. */
const standsFor = (place: number): number => -1 - place;
export const placeOf = (offset: number): number => (offset < 0 ? -1 - offset : offset);

/** A block that is not complete. */
export class Draft {
  readonly #cleaner = new Cleaner<Text | Element>();
  #linked = 0;
  #around: Container | null = null;
  /** What was inserted before there was any text. */
  #ahead = "";
  #isRow = false;
  /** A sign that the text goes on with, and that belongs to what was left out. */
  #skipped = "";
  /** Units that were inserted. */
  #drawn = 0;
  /** Where the page breaks a line. */
  readonly breaks: number[] = [];

  get text(): string {
    return this.#cleaner.text;
  }

  /**
   * Adds text of a node, or the label of an element, that begins at `from` in the node's data; true where something of it remains. `isCode`: with
   * its lines.
   */
  take(node: Text | Element, data: string, from: number, here: Container, isCode = false): boolean {
    const skipped = this.#skipped;
    this.#skipped = "";
    if (skipped && data.trimStart().startsWith(skipped)) {
      const length = data.indexOf(skipped) + skipped.length;
      return this.take(node, data.slice(length), from + length, here, isCode);
    }
    if (this.#ahead && /\S/.test(data)) {
      this.#cleaner.insert(this.#ahead, node, standsFor(from));
      this.#ahead = "";
    }
    const before = this.text.length;
    this.#cleaner.add(data, node, isCode);
    const { offsets } = this.#cleaner;
    for (let i = before; i < offsets.length; i++) offsets[i]! += from;
    const added = this.text.length - before;
    if (added === 0) return false;
    this.#around = this.#around ? common(this.#around, here) : here;
    if (here.isLink) this.#linked += added;
    return true;
  }

  /** Takes a text that stands for what is drawn; what has no node stands where the text before it does. */
  insert(pieces: readonly Piece[], here: Container): void {
    const before = this.text.length;
    for (const { text, node } of pieces) {
      const { origins, offsets } = this.#cleaner;
      const origin = node ?? origins.at(-1);
      if (!origin) this.#ahead += text;
      else if (text.trim() === "") this.space();
      else this.#cleaner.insert(text, origin, standsFor(node ? 0 : placeOf(offsets.at(-1) ?? 0)));
    }
    this.#drawn += this.text.length - before;
    if (this.text.length > before) this.#around = this.#around ? common(this.#around, here) : here;
  }

  /** Takes a sign that the browser draws at an element. */
  put(sign: string, element: Element): void {
    this.#cleaner.insert(sign, element, 0);
  }

  /** Puts other units in place of the text from `from` on. */
  rewrite(from: number, units: readonly Written[]): void {
    this.#cleaner.rewrite(from, units);
  }

  /** What comes next is taken without this sign at its beginning. */
  skip(sign: string): void {
    this.#skipped = sign;
  }

  space(): void {
    this.#cleaner.space();
  }

  /** What comes next is the value to the label at hand. */
  cell(): void {
    this.#isRow = true;
    this.#cleaner.tab();
  }

  /** A line ends here. */
  break(): void {
    this.#cleaner.space();
    if (this.text.length > (this.breaks.at(-1) ?? 0)) this.breaks.push(this.text.length);
  }

  /** A line of code ends here. `isAlways`: also an empty one. */
  line(isAlways = false): void {
    this.#cleaner.line(isAlways);
  }

  tab(): void {
    this.#cleaner.tab();
  }

  /** The block, and its sums added to its container; null where it is empty. `kind`: where its elements do not decide. */
  finish(kind: BlockKind | null, isControl: boolean, isStruck: boolean, headers?: string[]): LiveBlock | null {
    const { origins, offsets } = this.#cleaner;
    // Half a character is none outside JavaScript.
    const text = this.#cleaner.text.replace(/\p{Surrogate}/gu, "\uFFFD");
    const container = this.#around;
    if (!container || !text.trim()) return null;
    const linked = this.#linked / text.length;
    const isText = linked < 0.5 && isProse(text);
    const { color, textAlign: align } = getComputedStyle(lineBoxOf(container).element);
    count(container, {
      blocks: 1,
      chars: text.length,
      linked: this.#linked,
      prose: isText ? text.length : 0,
      hasTitle: container.tag === "H1" || container.parent?.tag === "H1",
    });
    return {
      kind: kind ?? (this.#isRow && text.includes("\t") ? "table" : container.kind) ?? "paragraph",
      text,
      ...(headers && { headers }),
      nodes: origins,
      offsets,
      container,
      words: countWords(text),
      isProse: isText,
      linked,
      sides: sidesOf(container),
      size: Number.parseFloat(getComputedStyle(container.element).fontSize),
      color,
      align,
      isControl,
      isFormula: this.#drawn > text.length * FORMULA_SHARE_MIN,
      isStruck,
    };
  }
}

function sidesOf(container: Container): [number, number] {
  const { element, frameLeft } = lineBoxOf(container);
  const { left, right } = boxOf(element);
  return [left + frameLeft + scrollX, right + frameLeft + scrollX];
}
