// Which element of the page is a part that can be read alone, and which is beside another.
import { isUnread } from "../furniture.js";
import { boxOf, firstChildOf, isElement, isRendered, nextOf, page, previousOf, tagOf, textOf } from "../own.js";
import { shownParentOf } from "./part.js";

export type Step = "out" | "in" | "previous" | "next";

/** A cell alone would lose its headers: its row is the part. */
const CELLS = new Set(["TD", "TH"]);
/** Siblings and levels that are looked at: a bound for hostile pages. */
const STEPS_MAX = 2_000;
/** Text that is looked at for a word. */
const LOOKED_CHARS_MAX = 10_000;

/** The innermost part around an element. */
export function partAt(element: Element): Element {
  let at: Node | null = element;
  for (let steps = 0; at && steps < STEPS_MAX; steps++) {
    if (isElement(at) && isPart(at)) return at;
    at = shownParentOf(at);
  }
  return page.body() ?? page.root();
}

/** The part in a direction; the same one where there is none. */
export function partBeside(element: Element, step: Step): Element {
  if (step === "out") {
    const parent = shownParentOf(element);
    return parent && isElement(parent) && parent !== page.root() ? partAt(parent) : element;
  }
  if (step === "in") return firstWithin(element) ?? element;
  const go = step === "next" ? nextOf : previousOf;
  let at = go(element);
  for (let steps = 0; at && steps < STEPS_MAX; steps++, at = go(at)) if (isPart(at)) return at;
  return element;
}

/** The first part in an element, by levels of single children. */
function firstWithin(element: Element): Element | null {
  let level = firstChildOf(element);
  for (let steps = 0; level && steps < STEPS_MAX; steps++) {
    if (isPart(level)) return level;
    level = nextOf(level) ?? firstChildOf(level);
  }
  return null;
}

/** A block with text that is shown. What stands in a line is a part of that line. */
function isPart(element: Element): boolean {
  if (isUnread(element) || CELLS.has(tagOf(element)) || !isRendered(element)) return false;
  if (/^(?:inline|contents|ruby)/.test(getComputedStyle(element).display) && tagOf(element) !== "IFRAME") return false;
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 && /\S/.test((textOf(element) ?? "").slice(0, LOOKED_CHARS_MAX) || frameMark(element));
}

const frameMark = (element: Element): string => (tagOf(element) === "IFRAME" ? "frame" : "");
