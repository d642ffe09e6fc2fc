// Loading, writing and unloading, again and again, leaves nothing behind.

import { basename, dirname } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { residentKib } from "../../harness/processes.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const ROUNDS = 30;
/** Until then caches of shaders, code and allocators fill. */
const WARM = 5;
const GROWTH_MAX = 0.05;

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  test(`${ROUNDS} times on ${backend}`, async ({ page, context, site }, info) => {
    test.slow();
    test.skip(process.platform !== "linux", "skipped: only Linux tells what a process takes");
    const file = randomModel("small");
    site.mount("/random/", dirname(file));
    const worker = await RawWorker.open(page, site);
    const source = { type: "packaged", url: site.url(`/random/${basename(file)}`) } as const;
    const generate: Request = { type: "generate", model: "a", prompt: { type: "ids", ids: [1, 2, 3] }, maxTokens: 4 };
    const devtools = await context.newCDPSession(page);
    const measure = async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      // Processes give back what they freed a moment later.
      await page.waitForTimeout(300);
      return { renderer: residentKib("renderer"), gpu: residentKib("gpu-process") };
    };
    const figures: Awaited<ReturnType<typeof measure>>[] = [];
    let heap_bytes = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await worker.get("loaded", { type: "load", name: "a", source, backend, contextTokens: 256 });
      expect((await worker.get("text", generate)).ids).toHaveLength(4);
      await worker.get("ok", { type: "unload", name: "a" });
      if (round % WARM !== 0) continue;
      figures.push(await measure());
      const { report } = await worker.get("memory", { type: "memory" });
      expect(report.models).toEqual([]);
      if (round === WARM) heap_bytes = report.wasmHeapBytes;
      else expect(report.wasmHeapBytes, "the wasm memory").toBe(heap_bytes);
    }
    info.annotations.push({ type: "KiB", description: JSON.stringify(figures) });
    console.log(`${backend}: KiB after every ${WARM} rounds: ${JSON.stringify(figures)}`);
    const [warm, last] = [figures[0]!, figures.at(-1)!];
    for (const process of ["renderer", "gpu"] as const)
      expect(last[process] / warm[process] - 1, `${process}: ${JSON.stringify(figures)}`).toBeLessThan(GROWTH_MAX);
  });
}
