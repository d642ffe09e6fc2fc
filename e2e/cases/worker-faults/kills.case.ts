// Whatever is killed, worker, tab or browser: the next download goes on behind what was written.

import { expect, test } from "../../fixtures.ts";
import { killBrowser, launch } from "../../harness/launch.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import {
  bytesOf,
  configure,
  download,
  expectLittleRefetched,
  expectWhole,
  MIB,
  openStore,
  places,
  storedModels,
} from "../../helpers/downloads.ts";

test.use({ withExtension: false });

/** Slow enough that little is on its way when something is killed. */
const bytesPerS = 6 * MIB;

for (const [store, size, count] of [
  ["opfs", "medium", 8],
  ["indexedDb", "modest", 3],
] as const) {
  test(
    `the worker is killed ${count} times (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }, info) => {
      const bytes = bytesOf(size);
      const file = faulty.serve("/model.gguf", bytes, { bytesPerS });
      const worker = await openStore(page, site, store);
      for (const done of places(count, bytes.length, 2)) {
        const id = await worker.start(download(file));
        await worker.reached(id, "download", done);
        await worker.restart();
        await configure(worker, { store });
      }
      await worker.get("stored", download(file));
      await expectWhole(worker, file);
      await expectLittleRefetched(info, "worker killed", store, file, count);
    },
  );
}

test("the tab is closed", { tag: "@long" }, async ({ page, context, site, faulty }, info) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS });
  const first = await openStore(page, site, "opfs");
  await first.reached(await first.start(download(file)), "download", 5 * MIB);
  const next = await context.newPage();
  await page.close();
  const second = await RawWorker.open(next, site);
  // What is there can be seen before anybody goes on.
  const [model] = await storedModels(second);
  expect(model).toMatchObject({ url: file.url, whole: false, totalBytes: file.bytes.length, sha256: [null] });
  expect(model!.bytes).toBeGreaterThan(MIB);
  expect(model!.bytes).toBeLessThan(file.bytes.length);
  await second.get("stored", download(file));
  await expectWhole(second, file);
  await expectLittleRefetched(info, "tab closed", "opfs", file, 1);
});

test("the browser is killed", async ({ site, faulty }, info) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS });
  const profile = info.outputPath("profile");
  const before = await launch({ extension: null, profile });
  const first = await openStore(await before.context.newPage(), site, "opfs");
  await first.reached(await first.start(download(file)), "download", 5 * MIB);
  await killBrowser(before);
  const after = await launch({ extension: null, profile });
  const second = await RawWorker.open(await after.context.newPage(), site);
  await second.get("stored", download(file));
  await expectWhole(second, file);
  await expectLittleRefetched(info, "browser killed", "opfs", file, 1);
  await after.close();
});
