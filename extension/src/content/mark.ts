// Shows a passage on the page: scrolls to it and marks it, until Escape or the next one.
import type { Source } from "../wire.js";
import type { Spoken } from "./captions/read.js";
import { spokenAt } from "./extract.js";
import { locate } from "./locate.js";
import { seek } from "./own-media.js";
import { bringIntoView, isInPage, windowOf } from "./own.js";
import { bring } from "./scroll.js";

/** The name in the style sheet that comes with this script. */
const NAME = "pith-passage";

let unmark: (() => void) | null = null;

/** True when the passage was found. What a page can observe of it: README.md, under "Privacy". */
export async function show(source: Source, marks: boolean): Promise<boolean> {
  clear();
  const spoken = spokenAt(source.block);
  if (spoken) return play(spoken, source.start);
  const ranges: Range[] = [];
  for (const part of source.parts ?? [source]) {
    const range = await locate(part);
    if (range) ranges.push(range);
  }
  if (!ranges[0]) return false;
  void bring(ranges[0]);
  if (marks) mark(ranges);
  return true;
}

/** Brings the video or audio into view and goes to the second; it plays on or stays paused. */
function play({ media, times }: Spoken, offset: number): boolean {
  if (!isInPage(media)) return false;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  bringIntoView(media, { block: "center", behavior });
  seek(media, times.findLast(([from]) => from <= offset)?.[1] ?? 0);
  return true;
}

/** Takes the mark away. */
export function clear(): void {
  unmark?.();
  unmark = null;
}

/** A highlight changes nothing in the document, and no event tells of it. */
function mark(ranges: readonly Range[]): void {
  const { CSS: css, Highlight: Mark } = windowOf(ranges[0]!.startContainer);
  css.highlights.set(NAME, new Mark(...ranges));
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") clear();
  };
  addEventListener("keydown", onKey, true);
  unmark = () => {
    removeEventListener("keydown", onKey, true);
    css.highlights.delete(NAME);
  };
}
