// Headings that are pressed to open and close what they head.
import { type Container, isWithin, lineBoxOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";

const OPENER = /^(?:SUMMARY|BUTTON|LABEL)$/;

/** For each block: whether it stands under a heading that opens and closes its section. */
export function openedOf(blocks: readonly LiveBlock[]): boolean[] {
  let around: Container | null = null;
  return blocks.map((block) => {
    if (block.kind === "heading") around = isOpener(block) ? boxAround(block) : null;
    return block.kind !== "heading" && around !== null && isWithin(block.container, around);
  });
}

/** True for a heading that is pressed to open its section: it looks like a button, and belongs to the text. */
export function isOpener({ kind, container }: LiveBlock): boolean {
  for (let at: Container | null = kind === "heading" ? container : null; at?.kind === "heading"; at = at.parent)
    if (OPENER.test(at.tag) || at.role === "button") return true;
  return false;
}

function boxAround({ container }: LiveBlock): Container | null {
  let at = lineBoxOf(container).parent;
  while (at?.kind === "heading") at = at.parent;
  return at;
}
