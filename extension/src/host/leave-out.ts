// A page without blocks that the browser does not draw where they stand.
import type { LeftOut, ReadPage } from "../wire.js";

const WORD = /[\p{L}\p{N}]+/gu;

/** Blocks keep their numbers: those that are left out are empty. */
export function withoutBlocks(read: ReadPage, numbers: readonly number[]): ReadPage {
  const out = new Set(numbers);
  const { page, coverage } = read;
  let [count, words] = [0, 0];
  const blocks = page.blocks.map((block, at) => {
    if (!out.has(at) || block.text === "") return block;
    count++;
    words += block.text.match(WORD)?.length ?? 0;
    const { headers: _none, ...rest } = block;
    return { ...rest, text: "" };
  });
  const known = coverage.leftOut.find(({ kind }) => kind === "unsure");
  const unsure: LeftOut = {
    kind: "unsure",
    count: count + (known?.count ?? 0),
    words: words + (known?.words ?? 0),
    texts: [],
  };
  const leftOut = [...coverage.leftOut.filter((one) => one !== known), unsure];
  return {
    ...read,
    page: { ...page, blocks },
    coverage: { ...coverage, wordsRead: Math.max(0, coverage.wordsRead - words), leftOut },
  };
}
