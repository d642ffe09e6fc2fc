import type { Source } from "../wire.js";
import type { LiveBlock } from "./blocks/draft.js";
import { readBlocks } from "./blocks/reader.js";
import { liveBlocks } from "./extract.js";
import { look } from "./sight/sight.js";

/** Where a passage stands on the page now, or null where it is gone. */
export async function locate(source: Source): Promise<Range | null> {
  const block = liveBlocks()[source.block];
  const remembered = block && rangeOf(block, source.start, source.end);
  if (remembered) return remembered;
  // The page has drawn itself anew since: look for the same words.
  for (const other of await readBlocks(await look())) {
    const start = other.text.indexOf(source.text);
    const found = start < 0 ? null : rangeOf(other, start, start + source.text.length);
    if (found) return found;
  }
  return null;
}

/** The live range of `block.text.slice(start, end)`; null where the nodes have left the page or changed. */
function rangeOf({ text, nodes, offsets }: LiveBlock, start: number, end: number): Range | null {
  for (let i = start; i < end; i++) {
    const unit = nodes[i]?.data.charAt(offsets[i] ?? -1);
    // A space may stand for several kinds of white space, or for a boundary between elements.
    if (unit === undefined || (text[i] !== " " && text[i] !== "\t" && unit !== text[i])) return null;
  }
  const first = nodes[start];
  const last = nodes[end - 1];
  if (!first?.isConnected || !last?.isConnected) return null;
  const range = new Range();
  range.setStart(first, offsets[start] ?? 0);
  range.setEnd(last, (offsets[end - 1] ?? 0) + 1);
  return range;
}
