// What two requests change of the same thing at the same time: nothing is lost, nothing comes back.

import { expect, test } from "../../fixtures.ts";
import {
  bytesOf,
  configure,
  download,
  expectWhole,
  FAILED_REQUEST,
  MIB,
  openStore,
  storedModels,
} from "../../helpers/downloads.ts";
import { RawWorker } from "../../harness/raw-worker.ts";

test.use({ withExtension: false });

test.beforeEach(({ errors }) => errors.expect(FAILED_REQUEST));

for (const store of ["opfs", "indexedDb", "memory"] as const) {
  test(
    `pinned while it is downloaded (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, context, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS: 6 * MIB });
      const worker = await openStore(page, site, store);
      const id = await worker.start(download(file));
      await worker.reached(id, "download", 2 * MIB);
      const [begun] = await storedModels(worker);
      // From another tab, where another tab sees it.
      const other = store === "memory" ? worker : await RawWorker.open(await context.newPage(), site);
      await configure(other, { store });
      await other.get("ok", { type: "pin", name: begun!.name, pinned: true });
      expect((await worker.ended(id)).error).toBeUndefined();
      expect(await expectWhole(worker, file)).toMatchObject({ pinned: true });
    },
  );

  test(
    `deleted while it is opened (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("small"));
      const worker = await openStore(page, site, store);
      for (let round = 0; round < 8; round += 1) {
        const { name } = (await worker.get("stored", download(file))).model;
        const source = { type: "stored", name } as const;
        // One right behind the other: it is deleted while a sample of it is read.
        const [opens, { error }] = await Promise.all([
          worker.start({ type: "fit", source, backend: "cpu" }),
          worker.ask({ type: "delete", name }),
        ]);
        await worker.ended(opens);
        // While it is open the file system does not let it go.
        if (error) await worker.get("ok", { type: "delete", name });
        expect(await storedModels(worker), `round ${round}`).toEqual([]);
      }
    },
  );
}

test("four loads at once stay within the memory that they may take", async ({ page, site, faulty }) => {
  const worker = await openStore(page, site, "memory");
  const loads = [0, 1, 2, 3].map((at) => {
    const file = faulty.serve(`/model-${at}.gguf`, bytesOf("modest"), { bytesPerS: 6 * MIB });
    const source = { type: "url", url: file.url } as const;
    return { type: "load", name: `${at}`, source, backend: "cpu", contextTokens: 64 } as const;
  });
  const { fit } = await worker.get("fit", { type: "fit", source: loads[0]!.source, backend: "cpu", contextTokens: 64 });
  const need_bytes = fit.need.weightsBytes + fit.need.kvBytes + fit.need.scratchBytes;
  const memoryBytes = Math.floor(need_bytes * 1.7);
  await configure(worker, { memoryBytes });
  const before = (await worker.get("memory", { type: "memory" })).report.wasmHeapBytes;
  const ids: number[] = [];
  for (const load of loads) ids.push(await worker.start(load));
  for (const id of ids) expect((await worker.ended(id)).error).toBeUndefined();
  const { report } = await worker.get("memory", { type: "memory" });
  const taken = report.models.reduce(
    (sum, { memory }) => sum + memory.weightsBytes + memory.kvBytes + memory.scratchBytes,
    0,
  );
  expect(taken).toBeLessThanOrEqual(memoryBytes);
  expect([...report.models.map(({ name }) => name), ...report.idle].sort()).toEqual(["0", "1", "2", "3"]);
  // It never shrinks: what was there at the same time shows in it.
  expect(report.wasmHeapBytes - before).toBeLessThan(memoryBytes * 2 + 32 * MIB);
});
