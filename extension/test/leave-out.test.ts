import { expect, it } from "vitest";
import { withoutBlocks } from "../src/host/leave-out.js";
import type { ReadPage } from "../src/wire.js";

const read: ReadPage = {
  key: "a https://example.com/",
  page: {
    title: "Glass",
    blocks: [
      { kind: "paragraph", text: "Sand and soda." },
      { kind: "table", text: "Lime\tmuch", headers: ["What", "How much"] },
      { kind: "paragraph", text: "It melts." },
    ],
  },
  coverage: { wordsVisible: 9, wordsRead: 7, leftOut: [{ kind: "unsure", count: 1, words: 2, texts: [] }] },
  timeMs: 1,
  readMs: 2,
  isPrivate: false,
};

it("blocks that are not drawn are empty, and counted once", () => {
  const once = withoutBlocks(read, [1]);
  expect(once.page.blocks.map(({ text }) => text)).toEqual(["Sand and soda.", "", "It melts."]);
  expect(once.page.blocks[1]).not.toHaveProperty("headers");
  expect(once.coverage).toEqual({
    wordsVisible: 9,
    wordsRead: 5,
    leftOut: [{ kind: "unsure", count: 2, words: 4, texts: [] }],
  });
  expect(withoutBlocks(once, [1]).coverage).toEqual(once.coverage);
  expect(read.page.blocks[1]?.text).toBe("Lime\tmuch");
});
