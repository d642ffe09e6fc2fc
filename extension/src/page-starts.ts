/** Where the pages of a PDF begin: for page n + 1, the block and the place in its text. */
export type PageStarts = readonly (readonly [block: number, offset: number])[];

/** The page of a PDF on which a place in its blocks stands. */
export function pageOf(starts: PageStarts, block: number, offset: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [at = 0, from = 0] = starts[middle] ?? [];
    if (at < block || (at === block && from <= offset)) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}
