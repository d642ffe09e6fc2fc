// On pages that are isolated from other origins the CPU's products are shared among threads: the same tokens, whoever multiplies,
// and also when one of them stops in the middle of an answer.

import { basename, dirname } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { patchedWorker } from "../../harness/patched-worker.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const prompt: Prompt = { type: "ids", ids: Array.from({ length: 200 }, (_, at) => (at * 37) % 8192) };
const write: Request = { type: "generate", model: "text", prompt, maxTokens: 24 };
const threads = (count: number): Request => ({ type: "configure", settings: { threads: count } });

function load(site: Site, contextTokens = 512): Request {
  const file = randomModel("medium");
  site.mount("/random/", dirname(file));
  const url = site.url(`/random/${basename(file)}`);
  return { type: "load", name: "text", source: { type: "packaged", url }, backend: "cpu", contextTokens };
}

test("two threads and one give the same tokens", async ({ page, site }) => {
  site.isolate();
  const worker = await RawWorker.open(page, site);
  await worker.get("ok", threads(1));
  const one = await worker.get("loaded", load(site));
  expect(one.model.backend.device).not.toContain("threads");
  const want = await worker.get("text", write);
  await worker.get("ok", threads(2));
  const two = await worker.get("loaded", load(site, 480));
  expect(two.model.backend).toMatchObject({ kind: "cpu", device: expect.stringContaining(", 2 threads") });
  const got = await worker.get("text", write);
  expect(got.ids).toEqual(want.ids);
  expect(got.ids.length).toBe(24);
  expect(await worker.deaths()).toEqual([]);
});

test("without isolation there is one thread", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await worker.get("ok", threads(2));
  const { model } = await worker.get("loaded", load(site));
  expect(model.backend.device).not.toContain("threads");
});

test("cancel ends an answer of two threads, and nothing waits behind it", async ({ page, site }) => {
  site.isolate();
  const worker = await RawWorker.open(page, site);
  await worker.get("ok", threads(2));
  await worker.get("loaded", load(site));
  const id = await worker.start({ ...write, maxTokens: 250 });
  await worker.reached(id, "prefill", 1);
  const start_ms = performance.now();
  await worker.get("ok", { type: "cancel", target: id });
  expect((await worker.ended(id)).error?.code).toBe("cancelled");
  expect(performance.now() - start_ms).toBeLessThan(1000);
  expect((await worker.get("text", write)).ids.length).toBe(24);
});

/** Runs before the worker's own script: a thread that multiplies stops at its 900th answer. */
function patch(): void {
  if (self.name !== "pith thread") return;
  const { notify } = Atomics;
  let count = 0;
  Atomics.notify = ((...args: Parameters<typeof notify>) => {
    count += 1;
    if (count === 900) throw new Error("this thread stops");
    return notify(...args);
  }) as typeof notify;
}

test("a thread that stops is not noticed in what comes", async ({ page, site, errors }) => {
  errors.expect(/this thread stops/);
  site.isolate();
  const worker = await RawWorker.open(page, site);
  await worker.get("ok", threads(1));
  await worker.get("loaded", load(site));
  const want = await worker.get("text", write);
  await worker.restart(patchedWorker(site, patch));
  await worker.get("ok", threads(2));
  const { model } = await worker.get("loaded", load(site));
  expect(model.backend.device).toContain(", 2 threads");
  const { error, events, result } = await worker.ask(write);
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ type: "text", ids: want.ids, stats: { recoveries: 1 } });
  expect(events.some((event) => event.type === "progress" && event.stage === "recover")).toBe(true);
  const { models } = await worker.get("status", { type: "status" });
  expect(models[0]?.backend.device).not.toContain("threads");
});
