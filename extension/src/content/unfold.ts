// Brings to light what the page keeps closed or shows while one scrolls, where the reader asks for it.
import { type Closed, closedDetailsIn } from "./blocks/sections.js";
import { countWords } from "./blocks/text.js";
import {
  attributeOf,
  clickOn,
  innerTextOf,
  isHtml,
  isInPage,
  page,
  removeAttribute,
  scrollTopOf,
  setAttribute,
  tagOf,
} from "./own.js";

/** How long a section may take to open, and a part of the page to show itself. */
const OPEN_MS = 600;
const STEP_MS = 80;
/** Windows of the page that are gone through. */
const STEPS_MAX = 100;

/** A page of which at least this share of the words is closed is made of its closed sections. */
const CLOSED_SHARE = 0.2;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Opens the page's `details` where much of its text is in them, and says how many: they stay open, so that what is read is what is
 * shown. What a script opens is pressed at the reader's wish only.
 */
export function openWhereMost(body: Element): number {
  const closed = closedDetailsIn(body);
  if (closed.length === 0 || !isHtml(body)) return 0;
  const words = closed.reduce((sum, { words }) => sum + words, 0);
  if (words < countWords(innerTextOf(body)) * CLOSED_SHARE) return 0;
  for (const { opener } of closed) open(opener);
  return closed.length;
}

/** `scrolls`: goes once through the page, so that what waits for that shows itself. */
export async function unfold(closed: readonly Closed[], scrolls: boolean): Promise<void> {
  for (const { opener } of closed) if (isInPage(opener)) open(opener);
  if (scrolls) await goThrough();
  await wait(OPEN_MS);
}

function open(opener: Element): void {
  if (tagOf(opener) !== "DETAILS") {
    // What a page's script has opened meanwhile would be closed.
    if (attributeOf(opener, "aria-expanded") !== "true") clickOn(opener);
    return;
  }
  // Of those that share a name only one can be open.
  removeAttribute(opener, "name");
  setAttribute(opener, "open", "");
}

async function goThrough(): Promise<void> {
  const scroller = page.scroller();
  if (!scroller) return;
  const from = scrollTopOf(scroller);
  for (let step = 0, last = -1; step < STEPS_MAX && scrollTopOf(scroller) !== last; step++) {
    last = scrollTopOf(scroller);
    scrollTo({ top: step * innerHeight, behavior: "instant" });
    await wait(STEP_MS);
    if (step === 0) last = -1;
  }
  scrollTo({ top: from, behavior: "instant" });
}
