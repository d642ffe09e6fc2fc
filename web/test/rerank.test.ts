import { expect, it } from "vitest";
import type { Pith } from "../src/client.js";
import { rerank } from "../src/rerank.js";

/** A model whose vector of a text is the angle that the text names, in degrees. */
const pith = {
  embed: async (_: string, texts: string[]) =>
    texts.map((text) => {
      const angle = (Number(text.replace(/\D+/g, "")) * Math.PI) / 180;
      return new Float32Array([Math.cos(angle), Math.sin(angle)]);
    }),
} as unknown as Pith;

it("orders documents by their angle to the query, and equal ones by their place", async () => {
  const ranked = await rerank(pith, "a", "query 10", ["170", "20", "doc 10", "20"], {
    queryPrefix: "query: ",
    documentPrefix: "passage: ",
  });
  expect(ranked.map(({ index }) => index)).toEqual([2, 1, 3, 0]);
  expect(ranked[0]!.score).toBeCloseTo(1);
  expect(ranked[3]!.score).toBeCloseTo(Math.cos((160 * Math.PI) / 180));
  expect(await rerank(pith, "a", "0", ["90", "1"], { topN: 1 })).toMatchObject([{ index: 1 }]);
  expect(await rerank(pith, "a", "0", [])).toEqual([]);
});

it.each([
  ["a query that is none", 3, ["1"], {}],
  ["documents that are none", "1", "1", {}],
  ["a document that is none", "1", ["1", null], {}],
  ["too many", "1", Array(2049).fill("1"), {}],
  ["topN of 0", "1", ["1"], { topN: 0 }],
])("refuses %s", async (_, query, documents, options) => {
  await expect(rerank(pith, "a", query as string, documents as string[], options)).rejects.toMatchObject({
    code: "bad_argument",
  });
});
