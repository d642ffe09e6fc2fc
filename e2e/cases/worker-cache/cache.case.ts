// Keys and values in each type: as near to the golden logits as the type allows, in less memory.

import { expect, test } from "../../fixtures.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { NMSE_MAX } from "../../helpers/golden.ts";
import { distance, MANIFEST } from "../../helpers/oracle.ts";
import type { CacheType } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

/** Bytes beside F32's. A block of 32 values has two bytes of scale, in words of four. */
const SIZES: [type: CacheType, size: number][] = [
  ["f16", 16 / 32],
  ["q8_0", 9 / 32],
  ["q4_0", 5 / 32],
];

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  for (const record of MANIFEST.kv) {
    const isLong = backend !== "cpu";
    test(`${record.name} on ${backend}`, { tag: isLong ? "@long" : [] }, async ({ page, site }, info) => {
      const worker = await RawWorker.open(page, site);
      const source = { type: "packaged", url: site.url(`/oracle/${record.file}`) } as const;
      const load = { type: "load", name: "a", source, backend, contextTokens: 256 } as const;
      const plain = await worker.get("loaded", load);
      const exact = await distance(worker, "a", record, record.prompts);
      expect(exact.nmse).toBeLessThanOrEqual(NMSE_MAX);
      for (const [cacheType, size] of SIZES) {
        const { model } = await worker.get("loaded", { ...load, cacheType });
        const bytes = plain.model.kvBytes * size;
        // Scales of a position fill whole texels on WebGL2: with few heads they are as many as eight heads would have.
        if (backend !== "webgl2") expect(model.kvBytes, cacheType).toBe(bytes);
        expect(model.kvBytes, cacheType).toBeGreaterThanOrEqual(bytes);
        expect(model.kvBytes, cacheType).toBeLessThan(2 * bytes);
        const { nmse, greedyEqual } = await distance(worker, "a", record, record.prompts);
        info.annotations.push({ type: cacheType, description: `nmse ${nmse}` });
        // llama.cpp also rounds the queries; what it loses is the measure, and losing nothing means another cache.
        const { all } = record.caches.find(({ type }) => type === cacheType)!.vs_ref;
        expect(nmse, cacheType).toBeLessThan(1.5 * all);
        expect(nmse, cacheType).toBeGreaterThan(all / 100);
        if (cacheType === "q4_0") continue;
        // Where the golden choice is clear the same is written.
        const { ids, greedy } = record.prompts[0]!;
        const prompt = { type: "ids", ids } as const;
        const text = await worker.get("text", { type: "generate", model: "a", prompt, maxTokens: greedy.length });
        expect(text.ids, cacheType).toEqual(greedy);
        expect(greedyEqual, cacheType).toBe(true);
      }
    });
  }
}

test("the type belongs to what was asked for: another one loads again", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const source = { type: "packaged", url: site.url(`/oracle/${MANIFEST.kv[0]!.file}`) } as const;
  const load = { type: "load", name: "a", source, backend: "cpu" } as const;
  const first = await worker.get("loaded", { ...load, cacheType: "f16" });
  const same = await worker.get("loaded", { ...load, cacheType: "f16" });
  expect(same.model.loadMs).toBe(first.model.loadMs);
  const { model } = await worker.get("loaded", load);
  expect(model.kvBytes).toBe(2 * first.model.kvBytes);
  const unknown = { ...load, cacheType: "q5_0" as CacheType };
  expect((await worker.ask(unknown)).error?.code).toBe("bad_message");
});
