// A real language model writes about a page: what stands says nothing that the page does not say.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Page as PlaywrightPage } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import type { Page, Request, WriterTier } from "../../../web/src/protocol.gen.ts";

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

/** Opens a worker with the model, and with what is known of it. */
async function open(page: PlaywrightPage, site: Site, known: { tier?: WriterTier } = {}): Promise<RawWorker> {
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url(`/models/${basename(SMOLLM2_FILE)}`) } as const;
  await worker.get("loaded", { type: "load", name: "language", source, backend: "cpu", contextTokens: 2048, ...known });
  return worker;
}

test("the test of a small model does not let it write summaries", { tag: "@long" }, async ({ page, site }, info) => {
  test.setTimeout(240_000);
  const worker = await open(page, site);
  const { test: result } = await worker.get("writerTest", { type: "testWriter", model: "language" });
  info.annotations.push({ type: "tier", description: `${result.tier}: ${result.reason}` });
  expect(result.tier).not.toBe("write");
  // It ends when it is decided: after three wrong answers, or with all questions and lines.
  expect(result.lines.length).toBeGreaterThanOrEqual(3);
  expect(result.lines.length).toBeLessThanOrEqual(12);
  expect(result.tokensPerS).toBeGreaterThan(0);
  for (const { ok, why } of result.lines) expect(ok).toBe(why === "");

  const plain = (await worker.get("summary", summarize(null))).summary;
  expect([plain.written, plain.notWritten]).toEqual([null, null]);
  // A headline is more than it may write: the key sentences stand alone, with the reason.
  const headline: Request = { type: "summarize", page: PAGE, options: { writer: "language", kind: "headline" } };
  const { summary } = await worker.get("summary", headline);
  expect([summary.written, summary.notWritten]).toEqual([null, "modelTooWeak"]);
  expect(summary.lines).toEqual(plain.lines);

  const { events, result: done } = await worker.ask(summarize("language"));
  if (done?.type !== "summary") throw new Error("no summary");
  const { written, notWritten } = done.summary;
  if (result.tier !== "shorten") return expect([written, notWritten]).toEqual([null, "modelTooWeak"]);
  const drafts = events.flatMap((event) => (event.type === "draft" ? [event.summary] : []));
  expect(drafts[0]!.written).toBe(null);
  expect(written!.lines.length).toBe(plain.lines.length);
  for (const { text, sources } of written!.lines) {
    const source = sources.map((at) => written!.passages[at]!.text).join(" ");
    expect(text.split(" ").length).toBeLessThanOrEqual(source.split(" ").length);
    expect(special(text).filter((word) => !source.includes(word))).toEqual([]);
  }

  // Cancelled in the middle of a line, the model goes on with the next request.
  await worker.cancelAt("decode");
  expect((await worker.ask(summarize("language"))).error?.code).toBe("cancelled");
  expect((await worker.get("summary", summarize("language"))).summary.written!.lines).toEqual(written!.lines);
});

test("a small model that may write makes key points of the key sentences", { tag: "@long" }, async ({ page, site }) => {
  test.setTimeout(240_000);
  const worker = await open(page, site, { tier: "write" });
  const plain = (await worker.get("summary", summarize(null))).summary;
  const { written } = (await worker.get("summary", summarize("language"))).summary;
  expect(written!.lines.length).toBe(plain.lines.length);
  for (const [at, { text, sources }] of written!.lines.entries()) {
    const source = sources.map((place) => written!.passages[place]!.text);
    expect(source).toEqual([plain.lines[at]!.text]);
    expect(special(text).filter((word) => !source[0]!.includes(word))).toEqual([]);
  }
  // What has no key sentences is written from the page.
  const headline: Request = { type: "summarize", page: PAGE, options: { writer: "language", kind: "headline" } };
  expect((await worker.get("summary", headline)).summary.notWritten).not.toBe("modelTooWeak");
});

test(
  "an answer rests on passages, and nothing is written where the page does not answer",
  { tag: "@long" },
  async ({ page, site }) => {
    test.setTimeout(240_000);
    const worker = await open(page, site);
    const ask = (question: string, more: object = {}): Request => ({
      type: "ask",
      page: PAGE,
      question,
      writer: "language",
      ...more,
    });
    const { events, result } = await worker.ask(ask("How much did the city pay for the first objects?"));
    if (result?.type !== "answer") throw new Error("no answer");
    const { answered, written } = result.answer;
    expect(answered).toBe(true);
    expect(events.some((event) => event.type === "answerDraft" && event.answer.written === null)).toBe(true);
    expect(written!.lines.length).toBeGreaterThan(0);
    expect(written!.lines.every(({ support }) => support !== "unsupported")).toBe(true);
    expect(written!.lines.map(({ text }) => text).join(" ")).toContain("60,000");
    for (const { sources } of written!.lines) expect(sources.length).toBeGreaterThan(0);
    for (const { block, start, end, text } of written!.passages)
      expect(PAGE.blocks[block]!.text.slice(start, end)).toBe(text);

    // By its handle the page is known; the same question finds its prompt read.
    const again = await worker.get("answer", {
      ...ask("How much did the city pay for the first objects?"),
      page: { handle: result.handle },
    } as Request);
    expect(again.answer.written!.lines).toEqual(written!.lines);
    expect(again.answer.written!.reusedTokens).toBeGreaterThan(0);

    const nothing = await worker.ask(ask("Which languages does the president of France speak?"));
    if (nothing.result?.type !== "answer") throw new Error("no answer");
    expect([nothing.result.answer.written, nothing.result.answer.notWritten]).toEqual([null, "notOnPage"]);
    expect(nothing.events.some((event) => event.type === "answerDraft")).toBe(false);

    const unknown = await worker.ask({ type: "suggestQuestions", page: { handle: "0" } });
    expect(unknown.error?.code).toBe("page_unknown");
  },
);

test("a writer that is not there, or that only embeds, is named", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  expect((await worker.ask(summarize("language"))).error?.code).toBe("model_not_loaded");
  const source = { type: "packaged", url: site.url("/models/minilm-q8_0.gguf") } as const;
  await worker.get("loaded", { type: "load", name: "embedding", source, backend: "cpu" });
  expect((await worker.ask(summarize("embedding"))).error?.code).toBe("wrong_model");
});
