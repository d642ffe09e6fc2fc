// Who wrote which block of a thread.
import type { Container } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import type { Verdict } from "../classify/classify.js";
import type { Judged } from "../classify/judged.js";
import { attributeOf } from "../own.js";
import { Pace } from "../walk.js";
import { findMarkers } from "./markers.js";
import { quotedIn } from "./names.js";
import { authorsOf } from "./posts.js";

const SIGNATURE = /(?:^|[\s_-])(?:sig|signature)(?:$|[\s_\d-])/i;
const SIGNATURE_CHARS_MAX = 600;
const SIGNATURE_LEVELS = 4;
/** Blocks before a quotation in which somebody may be named. */
const BEFORE_QUOTE = 2;

/** The author of each block, by the place of its first character; what is quoted is its author's own, where that one is named. */
export async function speakersOf(verdict: Verdict): Promise<ReadonlyMap<Node, [offset: number, name: string][]>> {
  const { judged } = verdict;
  const markers = await findMarkers(verdict);
  const authors = await authorsOf(judged, markers);
  const pace = new Pace();
  for (const [at, one] of judged.entries()) {
    // What ends every post of an author is no part of it.
    if (authors[at] && isSignature(one.block)) one.isRead = false;
    if (pace.isDue) await pace.pause();
  }
  const known = new Set(markers.map(({ name }) => name));
  const found = new Map<Node, [number, string][]>();
  for (const [at, { block, isRead }] of judged.entries()) {
    if (pace.isDue) await pace.pause();
    if (!isRead || block.kind === "heading") continue;
    const name = block.kind === "quote" ? quoted(judged, at, known) : authors[at];
    const [node, offset] = [block.nodes[0], block.offsets[0]];
    if (!name || !node || offset === undefined) continue;
    found.set(node, [...(found.get(node) ?? []), [offset, name]]);
  }
  return found;
}

function isSignature({ text, container }: LiveBlock): boolean {
  if (/^-- ?\S/.test(text) && text.length <= SIGNATURE_CHARS_MAX) return true;
  let at: Container | null = container;
  for (let level = 0; at && level < SIGNATURE_LEVELS && at.chars <= SIGNATURE_CHARS_MAX; level++, at = at.parent)
    if (SIGNATURE.test(`${attributeOf(at.element, "class") ?? ""} ${attributeOf(at.element, "id") ?? ""}`)) return true;
  return false;
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
  speakers: ReadonlyMap<Node, readonly (readonly [offset: number, name: string])[]>,
  { nodes, offsets }: LiveBlock,
): string | null {
  const [node] = nodes;
  const known = node && speakers.get(node);
  return known?.find(([offset]) => offset === offsets[0])?.[1] ?? null;
}
