// Loading, writing and unloading, again and again, leaves nothing behind.

import { basename, dirname } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ownKib } from "../../harness/processes.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { WorkerHeap } from "../../harness/worker-heap.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const ROUNDS = 30;
/** Until then caches of shaders and of code fill. */
const WARM = 10;
const LOOK_EVERY = 5;
const GROWTH_MAX = 0.05;

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  test(`${ROUNDS} times on ${backend}`, { tag: backend === "cpu" ? [] : "@long" }, async ({ page, site }, info) => {
    test.slow();
    test.skip(process.platform !== "linux", "skipped: only Linux tells what a process takes");
    const file = randomModel("small");
    site.mount("/random/", dirname(file));
    const worker = await RawWorker.open(page, site);
    const source = { type: "packaged", url: site.url(`/random/${basename(file)}`) } as const;
    const load = (name: string): Request => ({ type: "load", name, source, backend, contextTokens: 256 });
    const unload = (name: string): Request => ({ type: "unload", name });
    const generate: Request = { type: "generate", model: "a", prompt: { type: "ids", ids: [1, 2, 3] }, maxTokens: 4 };
    const heap = await WorkerHeap.open(page);
    const devtools = await page.context().newCDPSession(page);
    const measure = async () => {
      await heap.collectGarbage();
      await devtools.send("Memory.simulatePressureNotification", { level: "critical" });
      await page.waitForTimeout(300);
      return { renderer: ownKib("renderer"), gpu: ownKib("gpu-process") };
    };
    // The GPU's process gives back late what was freed: now and then a model is loaded while earlier ones are there.
    for (const name of ["a", "b", "c"]) await worker.get("loaded", load(name));
    for (const name of ["a", "b", "c"]) await worker.get("ok", unload(name));
    const figures: Awaited<ReturnType<typeof measure>>[] = [];
    let heap_bytes = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await worker.get("loaded", load("a"));
      expect((await worker.get("text", generate)).ids).toHaveLength(4);
      await worker.get("ok", unload("a"));
      if (round % LOOK_EVERY !== 0) continue;
      figures.push(await measure());
      const { report } = await worker.get("memory", { type: "memory" });
      expect(report.models).toEqual([]);
      if (round <= WARM) heap_bytes = report.wasmHeapBytes;
      else expect(report.wasmHeapBytes, "the wasm memory").toBe(heap_bytes);
    }
    const table = JSON.stringify(figures);
    info.annotations.push({ type: "KiB", description: table });
    console.log(`${backend}: KiB after every ${LOOK_EVERY} rounds: ${table}`);
    const [warm, last] = [figures[WARM / LOOK_EVERY - 1]!, figures.at(-1)!];
    for (const process of ["renderer", "gpu"] as const)
      expect(last[process] / warm[process] - 1, `${process}: ${table}`).toBeLessThan(GROWTH_MAX);
  });
}
