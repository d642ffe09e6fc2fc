// Who wrote which block of a thread.
import type { LiveBlock } from "../blocks/draft.js";
import type { Judged } from "../classify/classify.js";
import { findMarkers } from "./markers.js";
import { quotedIn } from "./names.js";
import { authorsOf } from "./posts.js";

/** Blocks before a quotation in which somebody may be named. */
const BEFORE_QUOTE = 2;

/** The author of each block, by the place of its first character; what is quoted is its author's own, where that one is named. */
export async function speakersOf(
  judged: readonly Judged[],
): Promise<ReadonlyMap<Text, [offset: number, name: string][]>> {
  const markers = await findMarkers(judged);
  const authors = await authorsOf(judged, markers);
  const known = new Set(markers.map(({ name }) => name));
  const found = new Map<Text, [number, string][]>();
  for (const [at, { block, isRead }] of judged.entries()) {
    if (!isRead || block.kind === "heading") continue;
    const name = block.kind === "quote" ? quoted(judged, at, known) : authors[at];
    const [node, offset] = [block.nodes[0], block.offsets[0]];
    if (!name || !node || offset === undefined) continue;
    found.set(node, [...(found.get(node) ?? []), [offset, name]]);
  }
  return found;
}

/** Who is named right before a quotation. */
function quoted(judged: readonly Judged[], at: number, known: ReadonlySet<string>): string | null {
  for (let before = at - 1; before >= Math.max(0, at - BEFORE_QUOTE); before--) {
    const one = judged[before];
    if (!one) break;
    // What is quoted before it has the same author.
    const name = quotedIn(one.block.text, known);
    if (name) return name;
    if (one.isRead && one.block.kind !== "quote") break;
  }
  return null;
}

/** The author of a block. */
export function speakerOfBlock(
  speakers: ReadonlyMap<Text, readonly (readonly [offset: number, name: string])[]>,
  { nodes, offsets }: LiveBlock,
): string | null {
  const [node] = nodes;
  const known = node && speakers.get(node);
  return known?.find(([offset]) => offset === offsets[0])?.[1] ?? null;
}
