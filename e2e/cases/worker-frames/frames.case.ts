// Answers in frames: guesses from the text so far, pages that an earlier prompt has filled, stop strings and `cancel`
// wherever a frame ends, and contexts that are full.

import { expect, test } from "../../fixtures.ts";
import { STORY, teller } from "../../helpers/story.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import type { Overflow, Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const tell = teller(80);

type Backend = "cpu" | "webgpu" | "webgl2";
const load = (site: Site, backend: Backend, contextTokens = 512) =>
  ({
    type: "load",
    name: "story",
    source: { type: "packaged", url: site.url(`/reference/${STORY}`) },
    backend,
    contextTokens,
  }) satisfies Request;

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  test(`guesses, stop strings and known beginnings change no token (${backend})`, async ({ page, site }, info) => {
    const worker = await RawWorker.open(page, site);
    await worker.get("loaded", load(site, backend));
    const plain = await worker.get("text", tell({ promptLookup: false }));
    expect(plain.stats).toMatchObject({ drafted: 0, accepted: 0, reusedTokens: 0, objectsCreated: 0 });

    // The story once more, and what it goes on with: every sentence of it has been read before.
    const ids = [...plain.ids, ...plain.ids.slice(0, 20)];
    const prompt: Prompt = { type: "ids", ids };
    const without = await worker.get("text", tell({ prompt, promptLookup: false }));
    const guessed = await worker.get("text", tell({ prompt }));
    info.annotations.push({ type: "stats", description: JSON.stringify(guessed.stats) });
    expect(guessed.ids).toEqual(without.ids);
    expect(guessed.text).toBe(without.text);
    expect(guessed.stats.drafted).toBeGreaterThan(0);
    expect(guessed.stats.accepted).toBeLessThanOrEqual(guessed.stats.drafted);
    expect(guessed.stats.objectsCreated).toBe(0);
    // The second time the prompt was there, but for the page of its last token.
    expect(without.stats.reusedTokens).toBe(0);
    expect(guessed.stats.reusedTokens).toBe(Math.floor((ids.length - 1) / 32) * 32);

    // Another question about the same text reads only itself.
    const question: Prompt = { type: "ids", ids: [...ids.slice(0, 70), ...plain.ids.slice(30, 60)] };
    const second = await worker.get("text", tell({ prompt: question, maxTokens: 30 }));
    expect(second.stats.reusedTokens).toBe(64);
    await worker.get("loaded", load(site, backend, 480));
    const alone = await worker.get("text", tell({ prompt: question, maxTokens: 30 }));
    expect(alone.stats.reusedTokens).toBe(0);
    expect(second.ids).toEqual(alone.ids);

    for (const at of [5, 22, 41, 77, 120]) {
      const stop = plain.text.slice(at, at + 7);
      const stopped = await worker.get("text", tell({ stop: [stop, "no such text"] }));
      expect(stopped).toMatchObject({ finishReason: "stop", text: plain.text.slice(0, plain.text.indexOf(stop)) });
    }
  });
}

// The CPU has read all of a prompt of this model before a message arrives.
test("a prompt is cancelled while it is read", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const { model } = await worker.get("loaded", load(site, "webgpu"));
  const ids = Array.from({ length: model.contextTokens - 10 }, (_, i) => 300 + ((i * 7) % 100));
  const order = tell({ prompt: { type: "ids", ids }, maxTokens: 5 });
  const id = await worker.start(order);
  await worker.get("ok", { type: "cancel", target: id });
  const { error, events } = await worker.ended(id);
  expect(error?.code).toBe("cancelled");
  expect(endings(events)).toBe(1);
  const done = events.flatMap((event) => (event.type === "progress" ? [event.done] : []));
  expect(Math.max(...done)).toBeLessThan(ids.length);
  // What was read before is still there, and right.
  const next = await worker.get("text", order);
  await worker.get("loaded", load(site, "webgpu", model.contextTokens - 1));
  expect(next.ids).toEqual((await worker.get("text", order)).ids);
});

test("a full context ends an answer, or slides", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const { model } = await worker.get("loaded", load(site, "cpu", 64));
  const stopped = await worker.get("text", tell({ maxTokens: 300 }));
  expect(stopped).toMatchObject({ finishReason: "context", stats: { slides: 0 } });
  for (const keep of [undefined, 0, 40, 1000]) {
    const overflow: Overflow = { type: "slide", ...(keep !== undefined && { keep }) };
    const slid = await worker.get("text", tell({ maxTokens: 300, overflow }));
    expect(slid.text.startsWith(stopped.text)).toBe(true);
    expect(slid.stats.slides).toBeGreaterThan(300 / model.contextTokens / 2);
    // A story that comes to its end is over; one that does not goes on to the limit.
    expect(slid.finishReason === "stop" || slid.ids.length === 300).toBe(true);
    const again = await worker.get("text", tell({ maxTokens: 300, overflow, promptLookup: false }));
    expect(again.ids).toEqual(slid.ids);
  }
});

test.describe("in a profile of its own", () => {
  test.use({ freshProfile: true });

  test("an adapter is checked once", async ({ page, site }) => {
    const first = await RawWorker.open(page, site);
    const { model } = await first.get("loaded", load(site, "webgpu"));
    expect(model.backend.reason).toMatch(/passed its self-check\.$/);
    // Another worker: what the first one knew is gone, but for what it wrote down.
    const second = await RawWorker.open(page, site);
    const again = await second.get("loaded", load(site, "webgpu"));
    expect(again.model.backend.reason).toMatch(/passed its self-check at an earlier start\.$/);
    expect((await second.get("status", { type: "status" })).stored).toEqual([]);
  });
});
