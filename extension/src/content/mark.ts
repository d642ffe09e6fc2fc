// Shows a passage on the page: scrolls to it and marks it, until Escape or the next one.
import type { Source } from "../wire.js";
import { locate } from "./locate.js";
import { boxOf, bringIntoView, clientHeightOf, page, parentOf, scrollElementBy, scrollHeightOf } from "./own.js";

/** The name in the style sheet that comes with this script. */
const NAME = "pith-passage";

let unmark: (() => void) | null = null;

/** True when the passage was found. What a page can observe of it: README.md, under "Privacy". */
export async function show(source: Source, marks: boolean): Promise<boolean> {
  clear();
  const range = await locate(source);
  if (!range) return false;
  scrollTo(range);
  if (marks) mark(range);
  return true;
}

/** Takes the mark away. */
export function clear(): void {
  unmark?.();
  unmark = null;
}

/** A highlight changes nothing in the document, and no event tells of it. */
function mark(range: Range): void {
  CSS.highlights.set(NAME, new Highlight(range));
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") clear();
  };
  addEventListener("keydown", onKey, true);
  unmark = () => {
    removeEventListener("keydown", onKey, true);
    CSS.highlights.delete(NAME);
  };
}

function scrollTo(range: Range): void {
  const element = parentOf(range.startContainer);
  if (!element) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  const tall = boxOf(element).height > innerHeight * 0.8;
  if (!tall) {
    bringIntoView(element, { block: "center", behavior });
    return;
  }
  // The middle of a long paragraph need not be the passage: bring the paragraph in, then go on to it.
  bringIntoView(element, { block: "start", behavior: "instant" });
  scrollElementBy(scrollerOf(element), { top: range.getBoundingClientRect().top - innerHeight / 3, behavior });
}

function scrollerOf(element: Element): Element {
  for (let one = parentOf(element); one; one = parentOf(one)) {
    if (scrollHeightOf(one) > clientHeightOf(one) && /auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  }
  return page.scroller() ?? page.root();
}
