// Texts of one model are written side by side: they join and leave between two rounds, each is what it is alone, and what needs no
// text to end does not wait for one.

import { basename, dirname } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { MINILM_FILE } from "../../harness/paths.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Event, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const BACKENDS = ["cpu", "webgpu", "webgl2"] as const;

/** What tabs ask for at once: twice greedy, drawn by the device where it can, drawn by the host. */
const ORDERS: Extract<Request, { type: "generate" }>[] = [
  { type: "generate", model: "a", prompt: { type: "ids", ids: [1, 5, 9, 200] }, maxTokens: 40 },
  { type: "generate", model: "a", prompt: { type: "ids", ids: [3, 44, 5] }, maxTokens: 35 },
  {
    type: "generate",
    model: "a",
    prompt: { type: "ids", ids: [7, 7, 100] },
    maxTokens: 30,
    sampling: { temperature: 0.8, topK: 20, seed: 3 },
  },
  {
    type: "generate",
    model: "a",
    prompt: { type: "ids", ids: Array.from({ length: 90 }, (_, at) => (at * 31) % 8000) },
    maxTokens: 20,
    sampling: { temperature: 0.8, seed: 4 },
  },
];

async function open(page: Page, site: Site, size: "large" | "small", backend: (typeof BACKENDS)[number] = "cpu") {
  const file = randomModel(size);
  site.mount("/random/", dirname(file));
  site.mount("/models/", dirname(MINILM_FILE));
  const worker = await RawWorker.open(page, site);
  const load = (name: string, contextTokens: number): Request => ({
    type: "load",
    name,
    source: { type: "packaged", url: site.url(`/random/${basename(file)}`) },
    backend,
    contextTokens,
  });
  await worker.get("loaded", load("a", 1024));
  return { worker, load };
}

const has = (events: Event[], type: Event["type"]) => events.some((event) => event.type === type);

for (const backend of BACKENDS) {
  test(
    `texts side by side are what each is alone (${backend})`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site }) => {
      const { worker } = await open(page, site, backend === "cpu" ? "large" : "small", backend);
      const alone = [];
      for (const order of ORDERS) alone.push(await worker.get("text", order));
      const ids = [];
      for (const order of ORDERS) ids.push(await worker.start(order));
      const together = await Promise.all(ids.map((id) => worker.ended(id)));
      for (const [at, { result, error }] of together.entries()) {
        if (result?.type !== "text") throw new Error(`${error?.code}: ${error?.detail}`);
        expect(result.ids, `text ${at}`).toEqual(alone[at]!.ids);
        expect(result.finishReason).toBe("length");
      }
      const shared = together.map(({ result }) => (result?.type === "text" ? result.stats.sharedTokens : 0));
      expect(Math.min(shared[0]!, shared[1]!) > 0, `${shared}`).toBe(backend !== "cpu");
      expect(alone.map(({ stats }) => stats.sharedTokens)).toEqual([0, 0, 0, 0]);
    },
  );
}

test("one is cancelled, another one joins, the rest go on", async ({ page, site }) => {
  const { worker } = await open(page, site, "large");
  const long = { ...ORDERS[0]!, maxTokens: 150 };
  const want = await worker.get("text", long);
  const short = await worker.get("text", ORDERS[1]!);
  const first = await worker.start({ ...long, maxTokens: 900 });
  const second = await worker.start(long);
  await worker.reached(first, "prefill", 4);
  const third = await worker.start(ORDERS[1]!);
  await worker.get("ok", { type: "cancel", target: first });
  const { error, events } = await worker.ended(first);
  expect(error?.code).toBe("cancelled");
  expect(endings(events)).toBe(1);
  for (const [id, { ids }] of [
    [second, want],
    [third, short],
  ] as const) {
    const { result } = await worker.ended(id);
    expect(result?.type === "text" && result.ids).toEqual(ids);
  }
});

test(
  "vectors, counts and summaries do not wait for a text, nor does another model; unloading does",
  { tag: "@long" },
  async ({ page, site }) => {
    const { worker, load } = await open(page, site, "large");
    const source = { type: "packaged", url: site.url("/models/minilm-q8_0.gguf") } as const;
    await worker.get("loaded", { type: "load", name: "embedding", source, backend: "cpu" });
    const order = { ...ORDERS[0]!, maxTokens: 400 };
    const want = (await worker.get("text", order)).ids;
    const text = await worker.start(order);
    await worker.reached(text, "prefill", 4);
    const sentence = "The miller repairs the old wheel beside the stone bridge before the evening comes.";
    const blocks = Array.from({ length: 6 }, (_, at) => ({ kind: "paragraph" as const, text: `${at} ${sentence}` }));
    const beside: Request[] = [
      { type: "embed", model: "embedding", texts: ["a mill"] },
      { type: "tokenize", model: "embedding", text: sentence },
      { type: "summarize", page: { title: "Mill", blocks } },
      load("b", 64),
      { type: "generate", model: "b", prompt: { type: "ids", ids: [3] }, maxTokens: 3 },
      { type: "unload", name: "b" },
    ];
    for (const request of beside) {
      const { error } = await worker.ask(request);
      expect(error, request.type).toBeUndefined();
      expect(endings(await worker.received(text)), `${request.type}: the text ended before`).toBe(0);
    }
    const unload = await worker.start({ type: "unload", name: "a" });
    const after = await worker.start({ ...order, maxTokens: 1 });
    const { result } = await worker.ended(text);
    expect(result?.type === "text" && result.ids).toEqual(want);
    expect((await worker.ended(unload)).result?.type).toBe("ok");
    expect((await worker.ended(after)).error?.code).toBe("model_not_loaded");
  },
);

test(
  "where the context has no room for two, the later one waits and says so",
  { tag: "@long" },
  async ({ page, site }) => {
    const { worker, load } = await open(page, site, "large");
    await worker.get("loaded", load("a", 128));
    const order = (seed: number): Request => ({
      type: "generate",
      model: "a",
      prompt: { type: "ids", ids: Array.from({ length: 60 }, (_, at) => (at * 17 + seed) % 8000) },
      maxTokens: 60,
    });
    const alone = [await worker.get("text", order(1)), await worker.get("text", order(2))];
    const ids = [await worker.start(order(1)), await worker.start(order(2))];
    for (const [at, id] of ids.entries()) {
      const { result, events } = await worker.ended(id);
      expect(result?.type === "text" && result.ids).toEqual(alone[at]!.ids);
      expect(has(events, "progress")).toBe(true);
    }
  },
);
