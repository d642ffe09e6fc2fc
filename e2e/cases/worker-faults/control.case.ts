// A download is paused, resumed, cancelled, taken up again and thrown away by whoever asked for it.

import { expect, test } from "../../fixtures.ts";
import {
  bytesOf,
  configure,
  download,
  expectLittleRefetched,
  expectWhole,
  load,
  MIB,
  openStore,
  storedModels,
} from "../../helpers/downloads.ts";

test.use({ withExtension: false });

const bytesPerS = 3 * MIB;

for (const store of ["opfs", "indexedDb", "memory"] as const) {
  test(
    `paused, resumed, cancelled, continued (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }, info) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS });
      const worker = await openStore(page, site, store);
      const id = await worker.start(download(file));
      await worker.reached(id, "download", 2 * MIB);
      await worker.get("ok", { type: "pause", target: id });
      await worker.reached(id, "paused");
      const { sent_bytes } = file;
      await page.waitForTimeout(500);
      expect(file.sent_bytes - sent_bytes, "sent while it was paused").toBeLessThan(MIB / 4);

      await worker.get("ok", { type: "resume", target: id });
      await worker.reached(id, "download", 5 * MIB);
      await worker.get("ok", { type: "cancel", target: id });
      const { error, events } = await worker.ended(id);
      expect(error?.code).toBe("cancelled");
      const progress = events.flatMap((event) =>
        event.type === "progress" && event.stage === "download" ? [event] : [],
      );
      for (const [at, { done, total }] of progress.entries()) {
        expect(done).toBeGreaterThanOrEqual(progress[at - 1]?.done ?? 0);
        if (done > 0) expect(total).toBe(file.bytes.length);
      }
      const { bytesPerS: speed = 0, leftMs = 0 } = progress.at(-1)!;
      expect(speed).toBeGreaterThan(bytesPerS / 3);
      expect(speed).toBeLessThan(bytesPerS * 3);
      expect(leftMs).toBeGreaterThan(100);

      const [model] = await storedModels(worker);
      expect(model).toMatchObject({ url: file.url, whole: false, totalBytes: file.bytes.length });
      expect(model!.bytes).toBeGreaterThan(2 * MIB);
      await worker.get("stored", download(file));
      await expectWhole(worker, file);
      await expectLittleRefetched(info, "paused and cancelled", store, file, 2);
    },
  );

  test(
    `kept although a load of it is refused (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS: 3 * bytesPerS });
      const worker = await openStore(page, site, store);
      const id = await worker.start(download(file));
      await worker.reached(id, "download", 6 * MIB);
      await worker.get("ok", { type: "cancel", target: id });
      await worker.ended(id);
      const [kept] = await storedModels(worker);
      await configure(worker, { memoryBytes: MIB });
      expect((await worker.ask(load(file))).error?.code).toBe("too_large");
      expect(await storedModels(worker)).toMatchObject([{ name: kept!.name, bytes: kept!.bytes }]);
    },
  );

  test(
    `thrown away, half and whole (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS });
      const worker = await openStore(page, site, store);
      const id = await worker.start(download(file));
      await worker.reached(id, "download", 2 * MIB);
      await worker.get("ok", { type: "cancel", target: id });
      await worker.ended(id);
      const throwAway = async () => {
        const [model] = await storedModels(worker);
        await worker.get("ok", { type: "delete", name: model!.name });
        expect(await storedModels(worker)).toEqual([]);
      };
      await throwAway();
      delete file.faults.bytesPerS;
      const { sent_bytes } = file;
      await worker.get("stored", download(file));
      expect(file.sent_bytes - sent_bytes, "from the beginning").toBeGreaterThanOrEqual(file.bytes.length);
      await expectWhole(worker, file);
      await throwAway();
      const left = await page.evaluate(async () => {
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle("pith-models").catch(() => null);
        const names: string[] = [];
        if (folder) for await (const name of folder.keys()) names.push(name);
        return names;
      });
      expect(left).toEqual([]);
    },
  );
}
