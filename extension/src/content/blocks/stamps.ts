// Times that stand above the heading of what happened then: they are read under it.
import { lineBoxOf, common } from "./containers.js";
import type { LiveBlock } from "./draft.js";

const STAMP = /^\W*\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s*[ap]\.?\s?m\.?|\s+\p{Lu}{2,4}|\s*(?:uhr|h))?\W*$/iu;

/** Puts each such time behind its heading. */
export function placeStamps(blocks: readonly LiveBlock[]): LiveBlock[] {
  const placed = [...blocks];
  for (let at = 0; at + 1 < placed.length; at++) {
    const [before, stamp, heading] = [placed[at - 1], placed[at]!, placed[at + 1]!];
    if (heading.kind !== "heading" || stamp.kind === "heading" || !STAMP.test(stamp.text)) continue;
    if (!isWithNext(before, stamp, heading)) continue;
    [placed[at], placed[at + 1]] = [heading, stamp];
    at++;
  }
  return placed;
}

/** It shares a smaller part of the page with what comes next than with what stands before. */
function isWithNext(before: LiveBlock | undefined, stamp: LiveBlock, next: LiveBlock): boolean {
  const depthWith = (other: LiveBlock): number => common(lineBoxOf(stamp.container), lineBoxOf(other.container)).depth;
  return !before || depthWith(next) > depthWith(before);
}
