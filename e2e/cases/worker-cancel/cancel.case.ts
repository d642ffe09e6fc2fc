// `cancel` is honoured between two slices of work, wherever a request is, and what follows works.

import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import { endings, RawWorker } from "../../harness/raw-worker.ts";
import { randomModel, VOCAB } from "../../helpers/random-model.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

test("a download is cancelled", async ({ page, site }) => {
  const bytes = await readFile(join(referenceDir(), "models/llama32.F16.gguf"));
  site.handle("/hangs.gguf", (_, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(bytes.subarray(0, 100_000));
  });
  const worker = await RawWorker.open(page, site);
  await worker.get("status", { type: "status" });
  const url = site.url("/hangs.gguf");
  const load = await worker.start({ type: "load", name: "a", source: { type: "url", url } });
  const waiting = await worker.start({ type: "tokenize", model: "a", text: "b" });
  await worker.heard(waiting, "progress");
  // The one that waits ends at once, although the first still hangs.
  await worker.get("ok", { type: "cancel", target: waiting });
  expect((await worker.ended(waiting)).error?.code).toBe("cancelled");
  expect(endings(await worker.received(load))).toBe(0);
  await worker.get("ok", { type: "cancel", target: load });
  const { error, events } = await worker.ended(load);
  expect(error?.code).toBe("cancelled");
  expect(endings(events)).toBe(1);
  const { stored } = await worker.get("status", { type: "status" });
  expect(stored.filter(({ whole }) => whole)).toEqual([]);
});

for (const backend of ["cpu", "webgpu"] as const) {
  test(`an answer is cancelled while it is written (${backend})`, async ({ page, site }) => {
    const worker = await RawWorker.open(page, site);
    const source = { type: "packaged", url: site.url("/reference/models/llama32.F16.gguf") } as const;
    await worker.get("loaded", { type: "load", name: "a", source, backend, contextTokens: 4096 });
    const prompt: Prompt = { type: "ids", ids: [506, 293, 266] };
    const long = await worker.start({ type: "generate", model: "a", prompt, maxTokens: 4000 });
    await worker.heard(long, "token");
    await worker.get("ok", { type: "cancel", target: long });
    const { error, events } = await worker.ended(long);
    expect(error?.code).toBe("cancelled");
    expect(endings(events)).toBe(1);
    // Its pages are free again: twice the whole context fits one after the other.
    const next = await worker.get("text", { type: "generate", model: "a", prompt, maxTokens: 5 });
    expect(next.ids.length).toBeGreaterThan(0);
  });
}

for (const [backend, size] of [
  ["cpu", "large"],
  ["webgpu", "small"],
] as const) {
  test(`a prompt of 2,000 tokens is cancelled within two slices (${backend})`, async ({ page, site }) => {
    test.slow();
    const file = randomModel(size);
    site.mount("/random/", dirname(file));
    const worker = await RawWorker.open(page, site);
    const source = { type: "packaged", url: site.url(`/random/${basename(file)}`) } as const;
    await worker.get("loaded", { type: "load", name: "a", source, backend, contextTokens: 2048 });
    const ids = Array.from({ length: 2000 }, (_, at) => (at * 7919) % VOCAB);
    // From inside the page, at the first slice: a message through the test would come some slices later.
    await worker.cancelAt("prefill");
    const long = await worker.start({ type: "generate", model: "a", prompt: { type: "ids", ids }, maxTokens: 8 });
    const { error, events } = await worker.ended(long);
    expect(error?.code).toBe("cancelled");
    const slices = events.flatMap((event) =>
      event.type === "progress" && event.stage === "prefill" ? event.done : [],
    );
    const [first = 0, ...later] = slices.filter((done) => done > 0);
    // A slice of this model takes longer than the time within which progress is told once: none goes unseen.
    expect(first, `${slices}`).toBeGreaterThan(0);
    expect(later.length, `${slices}`).toBeLessThanOrEqual(2);
    expect(slices.at(-1)).toBeLessThan(2000);
    const next: Request = { type: "generate", model: "a", prompt: { type: "ids", ids: [1] }, maxTokens: 2 };
    expect((await worker.get("text", next)).ids).toHaveLength(2);
  });
}
