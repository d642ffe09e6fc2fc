// The blocks of a page while they are read. What stands apart in a line (a control, what is struck out, a note beside it) is read
// on its own and follows the line, which goes on behind it.
import { isControl } from "../furniture.js";
import type { Sight } from "../sight/sight.js";
import type { Container } from "./containers.js";
import { splitList } from "./broken-lines.js";
import { Draft, type LiveBlock } from "./draft.js";
import { isInSentence } from "./sentence-buttons.js";
import { isStruck } from "./struck.js";

export type PartKind = "control" | "struck" | "beside";

interface Part {
  readonly element: Element;
  readonly kind: PartKind;
  /** The line. */
  readonly outer: Draft;
}

export class Parts {
  readonly blocks: LiveBlock[] = [];
  /** What is read now. */
  draft = new Draft();
  /** The outermost first. */
  readonly #open: Part[] = [];
  /** Blocks that wait for the end of the line. */
  #held: LiveBlock[] = [];

  is(kind: PartKind): boolean {
    return this.#open.some((one) => one.kind === kind);
  }

  begin(element: Element, kind: PartKind): void {
    this.#open.push({ element, kind, outer: this.draft });
    this.draft = new Draft();
  }

  /** Begins the part that an element is, where it is one. */
  open(element: Element, sight: Sight, isInHeading: boolean): void {
    const style = sight.styleOf(element);
    if (!this.is("control") && !isInHeading && isControl(element) && !isInSentence(element, sight)) {
      this.draft.space();
      this.begin(element, "control");
    } else if (!this.is("struck") && isStruck(element, style)) this.begin(element, "struck");
  }

  /** Takes words that the style puts before or after what is in an element. */
  say(words: string | undefined, element: Element, here: Container | null): void {
    if (words && here) this.draft.take(element, words, 0, here);
  }

  /** Takes a text as the next cell of a row; `row` stands for it on the page. */
  takeCell(row: Element, text: string, here: Container | null): void {
    if (here) this.draft.take(row, text, 0, here);
    this.draft.tab();
  }

  /** True where the innermost part is this element's, and of one of these kinds. */
  endsWith(element: Element, ...kinds: PartKind[]): boolean {
    const last = this.#open.at(-1);
    return last?.element === element && kinds.includes(last.kind);
  }

  /** Ends the part; the line goes on. */
  end(flush: () => void): void {
    flush();
    const ended = this.#open.pop();
    if (ended) this.draft = ended.outer;
  }

  /** Takes a block and begins the next one. */
  finish(block: LiveBlock | null): void {
    const isHeld = this.#open.some(({ outer }) => outer.text !== "");
    if (block) (isHeld ? this.#held : this.blocks).push(...splitList(block, this.draft.breaks));
    if (!isHeld) {
      this.blocks.push(...this.#held);
      this.#held = [];
    }
    this.draft = new Draft();
  }
}
