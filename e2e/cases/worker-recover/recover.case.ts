// The GPU is lost at calls all over each phase: load, compile, prefill, decode, embed. The request goes on with a new device and
// gives what it gives undisturbed. A sample of the calls; with the long suites twenty of each phase.

import type { Page } from "@playwright/test";
import { basename, dirname } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { loseAt, losingWorker, type Phase, whatWasLost } from "../../harness/losing-worker.ts";
import { MINILM_FILE } from "../../harness/paths.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

/** Calls of each phase. */
const SAMPLE = process.env.PITH_FULL ? 20 : 1;
type Backend = "webgpu" | "webgl2";
/** An emulated WebGPU takes ten seconds to compile a model's kernels. */
const BACKENDS: Backend[] = process.env.PITH_FULL ? ["webgpu", "webgl2"] : ["webgl2"];
const PHASES: Phase[] = ["load", "compile", "prefill", "decode", "embed"];

const prompt: Prompt = { type: "ids", ids: Array.from({ length: 200 }, (_, at) => (at * 37) % 8192) };
const write: Request = { type: "generate", model: "text", prompt, maxTokens: 40 };
const texts = ["The ferry leaves at eight.", "A survey of the harbour.", "Corrosion was found in the engine room."];
const embed: Request = { type: "embed", model: "vectors", texts };

async function opened(page: Page, site: Site, backend: Backend) {
  const file = randomModel("small");
  site.mount("/random/", dirname(file));
  // While kernels are compiled it says nothing.
  const worker = await RawWorker.open(page, site, 240_000);
  const script = losingWorker(site);
  const load = (name: string, path: string): Request => ({
    type: "load",
    name,
    source: { type: "packaged", url: site.url(path) },
    backend,
    contextTokens: 512,
  });
  const loads = {
    text: load("text", `/random/${basename(file)}`),
    vectors: load("vectors", `/models/${basename(MINILM_FILE)}`),
  };
  await begin(worker, script);
  return { worker, script, loads };
}

/** A new worker, which listens. */
async function begin(worker: RawWorker, script: string) {
  await worker.restart(script);
  await worker.get("ok", { type: "ping" });
}

for (const backend of BACKENDS) {
  test(`a lost GPU is not noticed in what comes (${backend})`, { tag: "@long" }, async ({ page, site, errors }) => {
    test.setTimeout(process.env.PITH_FULL ? 3_600_000 : 900_000);
    errors.expect(/./);
    const { worker, script, loads } = await opened(page, site, backend);
    // The self-check, which loads too, is done once.
    await worker.get("loaded", loads.text);
    await begin(worker, script);
    await loseAt(page);
    await worker.get("loaded", loads.text);
    const want = await worker.get("text", write);
    const { calls } = await whatWasLost(page);
    await worker.get("loaded", loads.vectors);
    await loseAt(page);
    const { vectors } = await worker.get("vectors", embed);
    Object.assign(calls, (await whatWasLost(page)).calls);
    expect(want.stats.recoveries).toBe(0);

    for (const phase of PHASES) {
      const total = calls[phase] ?? 0;
      expect(total, `calls to the GPU in ${phase}`).toBeGreaterThan(0);
      const times: number[] = [];
      const sample = Math.min(SAMPLE, total);
      for (let at = 0; at < sample; at += 1) {
        // Slices and frames depend on time, so there may be fewer calls.
        const nth = 1 + Math.floor(((at + Math.random()) * 0.6 * total) / sample);
        const when = `${phase}, call ${nth} of ${total}`;
        await begin(worker, script);
        const isLoad = phase === "load" || phase === "compile";
        if (isLoad) await loseAt(page, [phase, nth]);
        await worker.get("loaded", phase === "embed" ? loads.vectors : loads.text);
        if (!isLoad) await loseAt(page, [phase, nth]);
        const { error, events, result } = await worker.ask(phase === "embed" ? embed : write);
        expect(error, when).toBeUndefined();
        const lost = await whatWasLost(page);
        expect(lost.losses, when).toBe(1);
        if (lost.recovery_ms !== null) times.push(lost.recovery_ms);
        if (result?.type === "text") {
          expect(result.ids, when).toEqual(want.ids);
          expect(result.stats.recoveries, when).toBe(isLoad ? 0 : 1);
        }
        if (result?.type === "vectors") {
          const cosine = result.vectors.map((vector, nth) =>
            vector.reduce((sum, x, i) => sum + x * vectors[nth]![i]!, 0),
          );
          for (const one of cosine) expect(one, when).toBeGreaterThan(0.99999);
        }
        const recovers = events.some((event) => event.type === "progress" && event.stage === "recover");
        expect(recovers, `${when}: the page is told`).toBe(!isLoad);
        const { models } = await worker.get("status", { type: "status" });
        expect(models, when).toMatchObject([{ backend: { kind: backend } }]);
        expect(await worker.deaths(), when).toEqual([]);
      }
      times.sort((a, b) => a - b);
      const ms = (value?: number) => (value === undefined ? "-" : `${Math.round(value)} ms`);
      console.log(
        `${backend}, ${phase}: ${sample} of ${total} calls; back after ${ms(times[times.length >> 1])} (median), ${ms(times.at(-1))} at most`,
      );
    }
  });
}

test(
  "a GPU that is lost twice within a minute is left for the next step",
  { tag: "@long" },
  async ({ page, site, errors }) => {
    test.setTimeout(480_000);
    errors.expect(/./);
    const { worker, loads } = await opened(page, site, "webgpu");
    await worker.get("loaded", loads.text);
    const want = await worker.get("text", write);
    // The second time while it recovers.
    await loseAt(page, ["decode", 3], ["prefill", 1]);
    const got = await worker.get("text", write);
    expect(got.ids.length).toBe(want.ids.length);
    expect(got.stats.recoveries).toBe(2);
    const one = await worker.get("status", { type: "status" });
    expect(one.models).toMatchObject([{ backend: { kind: "webgl2" } }]);
    expect(one.models[0]!.backend.reason).toContain("WebGPU lost the GPU twice within a minute. Using WebGL2 instead");
    await loseAt(page, ["decode", 3], ["prefill", 1]);
    expect((await worker.get("text", write)).stats.recoveries).toBe(2);
    const two = await worker.get("status", { type: "status" });
    expect(two.models).toMatchObject([{ backend: { kind: "cpu" } }]);
    expect(two.models[0]!.backend.reason).toContain("WebGL2 lost the GPU twice within a minute.");
  },
);

test("a request that waits for a lost GPU can be cancelled", { tag: "@long" }, async ({ page, site, errors }) => {
  test.setTimeout(480_000);
  errors.expect(/./);
  const { worker, loads } = await opened(page, site, "webgpu");
  await worker.get("loaded", loads.text);
  const want = await worker.get("text", write);
  await loseAt(page, ["decode", 5]);
  const id = await worker.start(write);
  await worker.reached(id, "recover");
  await worker.get("ok", { type: "cancel", target: id });
  expect((await worker.ended(id)).error?.code).toBe("cancelled");
  expect((await worker.get("text", write)).ids).toEqual(want.ids);
});
