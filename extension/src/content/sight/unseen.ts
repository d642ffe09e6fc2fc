// Text that keeps its room on the page and is not shown: sections that appear while one scrolls, or were hidden on purpose.
import { boxOf, textOf } from "../own.js";
import { height, width } from "./geometry.js";
import type { Look } from "./look.js";

export interface Unseen {
  /** Parts of the page, and their words. */
  readonly count: number;
  readonly words: number;
}

const OPACITY_MAX = 0.05;
const WORDS_MIN = 5;
const SIZE_MIN_PX = 12;
const WORD = /[\p{L}\p{N}]+/gu;

/** Finds them while elements are entered and left, from the outside in. */
export class UnseenParts implements Unseen {
  count = 0;
  words = 0;
  /** The outermost of the open elements that is not shown, or stands out of the flow: what is in it was counted, or does not count. */
  #within: Look | null = null;

  enter(look: Look, parent: Look | undefined): void {
    if (this.#within) return;
    const { style } = look;
    const isOut = style.position === "absolute" || style.position === "fixed";
    const isFaded = look.inner.group.opacity < OPACITY_MAX && look.seen === "all";
    const isHidden = style.visibility === "hidden" && parent?.style.visibility !== "hidden";
    if (!isOut && !isFaded && !isHidden) return;
    this.#within = look;
    const box = boxOf(look.element);
    if (isOut || width(box) < SIZE_MIN_PX || height(box) < SIZE_MIN_PX) return;
    const words = (textOf(look.element) ?? "").match(WORD)?.length ?? 0;
    if (words < WORDS_MIN) return;
    this.count++;
    this.words += words;
  }

  leave(look: Look): void {
    if (this.#within === look) this.#within = null;
  }
}
