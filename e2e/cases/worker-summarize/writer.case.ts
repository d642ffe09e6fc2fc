// A real language model shortens the lines of a summary: what stands says nothing that the page does not say.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Page, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });
test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");

const PAGE: Page = {
  title: "A library of things",
  language: "en",
  blocks: [
    "The city library of Marrow has opened a department in which nothing can be read.",
    "On its shelves lie drills, sewing machines and tents: 340 objects that members may borrow for two weeks.",
    "The city paid 60,000 euros for the first objects; a third of them were donated by residents.",
    "The branch that you work on is called the current branch, and its name moves forward with every commit.",
    "Daily copies are kept for two weeks, weekly copies for three months and monthly ones for two years.",
    "Every line of the catalogue that Ada Orwin keeps names an object, and who has it at home today.",
  ].map((text) => ({ kind: "paragraph" as const, text })),
};

const summarize = (writer: string | null): Request => ({ type: "summarize", page: PAGE, options: { writer } });
/** Words with a digit or a capital letter behind the first word, thousands apart. */
const special = (text: string): string[] =>
  text
    .split(" ")
    .slice(1)
    .join(" ")
    .match(/[\p{L}\p{N},]*[\p{Lu}\p{N}][\p{L}\p{N}]*/gu) ?? [];

test("lines are shortened one by one, each from its own words", async ({ page, site }, info) => {
  test.setTimeout(240_000);
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url(`/models/${basename(SMOLLM2_FILE)}`) } as const;
  const load: Request = { type: "load", name: "language", source, backend: "cpu", contextTokens: 1024 };
  await worker.get("loaded", load);
  const plain = (await worker.get("summary", summarize(null))).summary;
  expect(plain.lines.every(({ written }) => written === null)).toBe(true);

  const { events, result } = await worker.ask(summarize("language"));
  if (result?.type !== "summary") throw new Error("no summary");
  const { lines } = result.summary;
  expect(lines.map(({ text }) => text)).toEqual(plain.lines.map(({ text }) => text));
  // The page's own lines at once, then each line when it is done.
  const drafts = events.flatMap((event) => (event.type === "draft" ? [event.summary] : []));
  expect(drafts.length).toBe(1 + lines.length);
  expect(drafts[0]!.lines.every(({ written }) => written === null)).toBe(true);
  const written = lines.filter((line) => line.written !== null);
  info.annotations.push({ type: "written", description: `${written.length} of ${lines.length}` });
  expect(written.length, "some line is shortened").toBeGreaterThan(0);
  for (const { text, written } of lines) {
    if (written === null) continue;
    expect(written.split(" ").length).toBeLessThanOrEqual(text.split(" ").length);
    expect(
      special(written).filter((word) => !text.includes(word)),
      written,
    ).toEqual([]);
  }

  // Cancelled in the middle of a line, the model goes on with the next request.
  await worker.cancelAt("decode");
  const { error } = await worker.ask(summarize("language"));
  expect(error?.code).toBe("cancelled");
  expect((await worker.get("summary", summarize("language"))).summary.lines).toEqual(lines);
});

test("a writer that is not there, or that only embeds, is named", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  expect((await worker.ask(summarize("language"))).error?.code).toBe("model_not_loaded");
  const source = { type: "packaged", url: site.url("/models/minilm-q8_0.gguf") } as const;
  await worker.get("loaded", { type: "load", name: "embedding", source, backend: "cpu" });
  expect((await worker.ask(summarize("embedding"))).error?.code).toBe("wrong_model");
});
