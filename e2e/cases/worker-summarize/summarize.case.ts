// Summaries, which need no model, and answers: better with embeddings, and fast the second time.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { BlockKind, Page, Passage } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const KINDS: Record<string, BlockKind> = {
  p: "paragraph",
  h: "heading",
  li: "listItem",
  quote: "quote",
  caption: "caption",
};

/** A page of the engine's own tests: lines of `kind: text`. */
async function readPage(name: string): Promise<Page> {
  const lines = (await readFile(resolve(ROOT, "engine/tests/digest", name), "utf8")).split("\n");
  const pairs = lines.map((line) => /^(\w+): (.*)$/.exec(line)).flatMap((m) => (m ? [[m[1]!, m[2]!] as const] : []));
  const find = (key: string) => pairs.find(([found]) => found === key)?.[1];
  const blocks = pairs.flatMap(([key, text]) => (KINDS[key] ? [{ kind: KINDS[key], text }] : []));
  return {
    title: find("title") ?? "",
    description: find("description") ?? null,
    language: find("language") ?? null,
    blocks,
  };
}

function expectInPage(page: Page, passages: Passage[]): void {
  for (const passage of passages)
    for (const { text, block, start, end } of passage.parts ?? [passage])
      expect(page.blocks[block]!.text.slice(start, end)).toBe(text);
}

test("without a model, by words alone", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const article = await readPage("english.page");
  const { events, result } = await worker.ask({ type: "summarize", page: article });
  if (result?.type !== "summary") throw new Error("no summary");
  expect(events.some(({ type }) => type === "draft")).toBe(false);
  const { summary } = result;
  expect(summary).toMatchObject({
    title: article.title,
    description: article.description,
  });
  expect(summary.lines.length).toBe(5);
  expectInPage(article, summary.lines);
  const short = await worker.get("summary", { type: "summarize", page: article, options: { length: "short" } });
  expect(short.summary.lines.length).toBe(3);

  const question = "How is the ferry's battery charged?";
  const { answer } = await worker.get("answer", { type: "ask", page: article, question, limit: 2 });
  expect(answer).toMatchObject({ answered: true, backend: null });
  expect(answer.passages.length).toBeLessThanOrEqual(2);
  expectInPage(article, answer.passages);
});

test("a row of a table is found by the names of its columns, and told with them", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const headers = ["Lock", "Length", "Keeper"];
  const rows = ["Averby\t31 m\tOttilie Brandt", "Sund\t28 m\tJonas Feld", "Kell\t40 m\tMarit Holm"];
  const blocks = [
    { kind: "heading" as const, text: "Locks of the canal" },
    {
      kind: "paragraph" as const,
      text: "The canal rises by sixty metres between the sea and the mills of the valley.",
    },
    ...rows.map((text) => ({ kind: "table" as const, text, headers })),
  ];
  const locks: Page = { title: "The canal", description: null, language: "en", blocks };
  const ask = { type: "ask", page: locks, question: "Who is the keeper of Sund?", limit: 1 } as const;
  const { answer } = await worker.get("answer", ask);
  expect(answer.passages).toEqual([expect.objectContaining({ block: 3, headers })]);
});

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  test(
    `with the embedded model on ${backend}: a summary without it, answers with it; the second question is fast`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site }, info) => {
      const worker = await RawWorker.open(page, site);
      const whole = await readPage("english.page");
      // A software GPU takes seconds per sentence.
      const article = backend === "cpu" ? whole : { ...whole, blocks: whole.blocks.slice(0, 8) };
      const source = { type: "packaged", url: site.url("/models/minilm-q8_0.gguf") } as const;
      const { model } = await worker.get("loaded", { type: "load", name: "embedding", source, backend });
      expect(model).toMatchObject({ encoder: true, architecture: "bert", chat: false });
      if (backend !== "cpu") expect(model.heapGrowthBytes, "of a file of 25 MB").toBeLessThan(16 << 20);

      const { events, result } = await worker.ask({ type: "summarize", page: article });
      if (result?.type !== "summary") throw new Error("no summary");
      const { summary } = result;
      expect(events.some(({ type }) => type === "draft" || type === "progress")).toBe(false);
      expectInPage(article, summary.lines);

      const request = (question: string) => ({ type: "ask", page: article, question }) as const;
      const ask = async (question: string) => (await worker.get("answer", request(question))).answer;
      const asked = await worker.ask(request("How often did the engines of the old ferry fail?"));
      expect(asked.events.some((event) => event.type === "progress" && event.stage === "embed")).toBe(true);
      if (asked.result?.type !== "answer") throw new Error("no answer");
      const first = asked.result.answer;
      expect(first.passages.map(({ text }) => text).join()).toContain("failed eleven times");
      expect(first).toMatchObject({ backend: { kind: backend } });
      const second = await ask("Where does the electricity come from?");
      expect(second).toMatchObject({ answered: true, backend: { kind: backend } });
      const times = { load: model.loadMs, summary: summary.timeMs };
      info.annotations.push({
        type: "times",
        description: JSON.stringify({ ...times, first: first.timeMs, second: second.timeMs }),
      });
      expect(second.timeMs).toBeLessThan(first.timeMs);
    },
  );
}

test("vectors have length 1; a cancelled embedding ends between two texts", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url("/models/minilm-q8_0.gguf") } as const;
  await worker.get("loaded", { type: "load", name: "embedding", source, backend: "cpu" });
  const texts = ["A boat on the tide.", "", "a ".repeat(2000)];
  const { vectors } = await worker.get("vectors", { type: "embed", model: "embedding", texts });
  expect(vectors.length).toBe(3);
  const many = Array.from({ length: 500 }, (_, at) => `Sentence number ${at} about boats, tides and harbours.`);
  await worker.cancelAt("embed");
  const { error } = await worker.ask({ type: "embed", model: "embedding", texts: many });
  expect(error?.code).toBe("cancelled");
  const generate = { type: "generate", model: "embedding", prompt: { type: "text", text: "a" }, maxTokens: 1 } as const;
  expect((await worker.ask(generate)).error?.code).toBe("wrong_model");
});
