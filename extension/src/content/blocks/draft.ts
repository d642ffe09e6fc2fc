import type { BlockKind } from "@pith/web";
import { Cleaner } from "../clean.js";
import { boxOf } from "../own.js";
import { common, type Container, count, lineBoxOf } from "./containers.js";
import { countWords, isProse } from "./text.js";

/** A block and the live text nodes that it came from. */
export interface LiveBlock {
  readonly kind: BlockKind;
  readonly text: string;
  /** Of a table row: the header of each cell. */
  readonly headers?: string[];
  /** For each UTF-16 unit of `text`: its node, and the offset in that node's data. */
  readonly nodes: readonly Text[];
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
}

/** A block that is not complete. */
export class Draft {
  readonly #cleaner = new Cleaner<Text>();
  #linked = 0;
  #around: Container | null = null;

  get text(): string {
    return this.#cleaner.text;
  }

  /** Adds text of a node that begins at `from` in the node's data; true where something of it remains. */
  take(node: Text, data: string, from: number, here: Container): boolean {
    const before = this.text.length;
    this.#cleaner.add(data, node);
    const { offsets } = this.#cleaner;
    for (let i = before; i < offsets.length; i++) offsets[i]! += from;
    const added = this.text.length - before;
    if (added === 0) return false;
    this.#around = this.#around ? common(this.#around, here) : here;
    if (here.isLink) this.#linked += added;
    return true;
  }

  space(): void {
    this.#cleaner.space();
  }

  tab(): void {
    this.#cleaner.tab();
  }

  /** The block, and its sums added to its container; null where it is empty. `kind`: where its elements do not decide. */
  finish(kind: BlockKind | null, isControl: boolean, headers?: string[]): LiveBlock | null {
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
      kind: kind ?? container.kind ?? "paragraph",
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
    };
  }
}

function sidesOf(container: Container): [number, number] {
  const { element, frameLeft } = lineBoxOf(container);
  const { left, right } = boxOf(element);
  return [left + frameLeft + scrollX, right + frameLeft + scrollX];
}
