import type { LiveBlock } from "../blocks/draft.js";
import { parentOf } from "../own.js";

/** Which share of a block's text Readability took, or null where it gave no vote. */
export type Vote = ((block: LiveBlock) => number) | null;

/** `kept`: the numbers of the elements that Readability took. */
export function voteOf(kept: ReadonlySet<number>, numbers: ReadonlyMap<Element, number>): Vote {
  return ({ nodes }) => {
    let [count, last, isKept] = [0, null as Node | null, false];
    for (const node of nodes) {
      if (node !== last) {
        const parent = parentOf(node);
        [last, isKept] = [node, parent !== null && kept.has(numbers.get(parent) ?? -1)];
      }
      if (isKept) count++;
    }
    return nodes.length > 0 ? count / nodes.length : 0;
  };
}
