// Brings a passage into view and keeps at it until it is there: the browser may lay out a long page only where it is seen,
// so that places move while one scrolls to them.
import {
  boxOf,
  bringIntoView,
  clientHeightOf,
  frameElementOf,
  parentOf,
  scrollElementBy,
  scrollerOfDocument,
  scrollHeightOf,
} from "./own.js";

/** How often the place is looked at, and for how long. */
const LOOK_MS = 80;
const LOOKS_MAX = 40;
/** So many looks in a row must find it in view, where it was. */
const CALM_LOOKS = 3;
/** Of the window's height: a taller element is scrolled to by the passage itself. */
const TALL_SHARE = 0.8;
/** What a user does who goes elsewhere. */
const TAKEN_OVER = ["wheel", "touchmove", "keydown", "pointerdown"];

let stop = new AbortController();

/** Resolves when the passage is in view and stays there, when the user scrolls, or after a few seconds. */
export async function bring(range: Range): Promise<void> {
  stop.abort();
  const { signal } = (stop = new AbortController());
  for (const name of TAKEN_OVER) addEventListener(name, () => stop.abort(), { capture: true, passive: true, signal });
  scrollTo(range, matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth");
  let [before, calm] = [NaN, 0];
  for (let looks = 0; looks < LOOKS_MAX && calm < CALM_LOOKS; looks++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (signal.aborted) return;
    const { top, bottom } = placeOf(range);
    const isStill = Math.abs(top - before) < 1;
    const isInView = top >= 0 && (bottom <= innerHeight || top < innerHeight / 2);
    before = top;
    calm = isStill && isInView ? calm + 1 : 0;
    if (isStill && !isInView) scrollTo(range, "instant");
  }
  stop.abort();
}

/** Where a range is in the page's window. */
function placeOf(range: Range): { top: number; bottom: number } {
  let { top, bottom } = range.getBoundingClientRect();
  for (let frame = frameElementOf(range.startContainer); frame; frame = frameElementOf(frame)) {
    const box = boxOf(frame);
    [top, bottom] = [top + box.top, bottom + box.top];
  }
  return { top, bottom };
}

function scrollTo(range: Range, behavior: ScrollBehavior): void {
  const element = parentOf(range.startContainer);
  if (!element) return;
  if (boxOf(element).height <= innerHeight * TALL_SHARE) {
    bringIntoView(element, { block: "center", behavior });
    return;
  }
  // The middle of a long paragraph need not be the passage: bring the paragraph in, then go on to it.
  bringIntoView(element, { block: "start", behavior: "instant" });
  const scroller = scrollerOf(element);
  if (scroller) scrollElementBy(scroller, { top: placeOf(range).top - innerHeight / 3, behavior });
}

function scrollerOf(element: Element): Element | null {
  for (let one = parentOf(element); one; one = parentOf(one)) {
    if (scrollHeightOf(one) > clientHeightOf(one) && /auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  }
  return scrollerOfDocument(element);
}
