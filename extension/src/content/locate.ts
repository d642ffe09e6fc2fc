// Finds a passage on the page as it is now.
import type { Source } from "../wire.js";
import { type LiveBlock, placeOf } from "./blocks/draft.js";
import { joinCode } from "./blocks/join.js";
import { readBlocks } from "./blocks/reading.js";
import { joinTranscripts } from "./blocks/transcript.js";
import { liveBlocks } from "./extract.js";
import { isElement } from "./own.js";
import { look } from "./sight/sight.js";

/** What stands for other characters of the page, and what powers are written with. */
const STAND_INS = new Set(" \t\uFFFD^_(),.°®⁻₋");
/** True where a character of a block was made of this one: as it is, or a power of it. */
const standsFor = (shown: string, unit: string): boolean =>
  shown === unit || STAND_INS.has(shown) || shown.normalize("NFKC").includes(unit);

/** What the last search has read: the next passage is likely to stand in it. */
let searched: readonly LiveBlock[] = [];

/** Where a passage stands on the page now, or null where it is gone. */
export async function locate(source: Source): Promise<Range | null> {
  const block = liveBlocks()[source.block];
  const remembered =
    block?.text.slice(source.start, source.end) === source.text ? rangeOf(block, source.start, source.end) : null;
  if (remembered) return remembered;
  // The page was loaded again or has drawn itself anew: its words may still be there.
  const known = search(searched, source, block?.text);
  if (known) return known;
  searched = joinCode(await joinTranscripts((await readBlocks(await look())).blocks));
  return search(searched, source, block?.text);
}

/** The same words: best in the same block, then in the one that is nearest to where they stood. */
function search(blocks: readonly LiveBlock[], { block: place, text }: Source, whole: string | undefined): Range | null {
  const found = blocks.flatMap((block, at) => {
    const start = block.text.indexOf(text);
    return start < 0 ? [] : [{ block, start, isWhole: block.text === whole, distance: Math.abs(at - place) }];
  });
  found.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || a.distance - b.distance);
  for (const { block, start } of found) {
    const range = rangeOf(block, start, start + text.length);
    if (range) return range;
  }
  return null;
}

/** The live range of `block.text.slice(start, end)`; null where the nodes have left the page or changed. */
function rangeOf({ text, nodes, offsets }: LiveBlock, start: number, end: number): Range | null {
  for (let i = start; i < end; i++) {
    const node = nodes[i];
    const offset = offsets[i] ?? 0;
    // A label has no text in the page.
    if (node && (offset < 0 || isElement(node))) continue;
    const unit = node?.data.charAt(offset);
    // A space may stand for several kinds of white space, or for a boundary between elements.
    if (unit === undefined || !standsFor(text[i]!, unit)) return null;
  }
  const first = nodes[start];
  const last = nodes[end - 1];
  if (!first?.isConnected || !last?.isConnected) return null;
  const range = new Range();
  if (isElement(first)) range.setStartBefore(first);
  else range.setStart(first, placeOf(offsets[start] ?? 0));
  if (isElement(last)) range.setEndAfter(last);
  else range.setEnd(last, placeOf(offsets[end - 1] ?? 0) + 1);
  return range;
}
