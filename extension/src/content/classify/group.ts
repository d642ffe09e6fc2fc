import type { Container } from "../blocks/containers.js";

/** A group of blocks: the innermost element around a block that holds so many. */
const BLOCKS_MIN = 4;
const SHARE_MAX = 0.7;

/** `chars`: those of the page. An element with nearly all of them is no group. */
export function groupAround(container: Container, chars: number): Container {
  let group = container;
  for (let at: Container | null = container; at && at.chars <= chars * SHARE_MAX; at = at.parent) {
    group = at;
    if (at.blocks >= BLOCKS_MIN) break;
  }
  return group;
}
