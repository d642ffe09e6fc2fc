/** A place in the blocks of a page, and whatever begins there. */
export type Position = readonly [block: number, offset: number, ...rest: number[]];

/** How many of these, which are in order, begin at or before a place. */
export function countUpTo(positions: readonly Position[], block: number, offset: number): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [at = 0, from = 0] = positions[middle] ?? [];
    if (at < block || (at === block && from <= offset)) low = middle + 1;
    else high = middle;
  }
  return low;
}
