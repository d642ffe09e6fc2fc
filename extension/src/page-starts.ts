import { countUpTo } from "./positions.js";

/** Where the pages of a PDF begin: for page n + 1, the block and the place in its text. */
export type PageStarts = readonly (readonly [block: number, offset: number])[];

/** The page of a PDF on which a place in its blocks stands. */
export function pageOf(starts: PageStarts, block: number, offset: number): number {
  return Math.max(1, countUpTo(starts, block, offset));
}
