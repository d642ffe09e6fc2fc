// Downloads that are ended at random moments, and disks that fill up: the worker and what is loaded in it live on.
// With the long suites 1,000, and a tenth as many full disks.

import { expect, test } from "../../fixtures.ts";
import { faultyScripts, locks } from "../../harness/faulty-store.ts";
import {
  bytesOf,
  configure,
  download,
  empty,
  expectWhole,
  FAILED_REQUEST,
  load,
  MIB,
  openStore,
} from "../../helpers/downloads.ts";
import { numbers } from "../../helpers/numbers.ts";
import type { Prompt } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const ABORTS = process.env.PITH_FULL ? 1_000 : 10;
const prompt: Prompt = { type: "ids", ids: [1] };
const generate = { type: "generate", model: "a", prompt, maxTokens: 2 } as const;

for (const store of ["opfs", "indexedDb"] as const) {
  test(
    `ended at random moments (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty, errors }) => {
      test.setTimeout(120_000 + ABORTS * 2000);
      errors.expect(FAILED_REQUEST);
      const loaded = faulty.serve("/loaded.gguf", bytesOf("small"));
      const worker = await openStore(page, site, store);
      await worker.get("loaded", load(loaded));
      const file = faulty.serve("/model.gguf", bytesOf("large"));
      const next = numbers(7);
      let cancelled = 0;
      for (let at = 0; at < ABORTS; at += 1) {
        const id = await worker.start(download(file));
        await page.waitForTimeout(next() % 500);
        const start_ms = Date.now();
        await worker.get("ok", { type: "cancel", target: id });
        const { error, result } = await worker.ended(id);
        expect(await worker.deaths(), `abort ${at}`).toEqual([]);
        expect(Date.now() - start_ms, `abort ${at}`).toBeLessThan(5000);
        if (error) expect(error.code, error.detail).toBe("cancelled");
        else if (result?.type === "stored") await worker.get("ok", { type: "delete", name: result.model.name });
        cancelled += error ? 1 : 0;
      }
      expect(cancelled).toBeGreaterThan(ABORTS / 2);
      expect((await worker.get("text", generate)).ids).toHaveLength(2);
      await expect.poll(() => locks(page), { timeout: 2000 }).toEqual([]);
      await worker.get("stored", download(file));
      const { stored } = await worker.get("status", { type: "status" });
      const { name } = stored.find(({ url }) => url === file.url)!;
      expect(await worker.exported(name)).toEqual([file.sha256]);
    },
  );

  test(`full disks (${store})`, { tag: store === "opfs" ? [] : "@long" }, async ({ page, site, faulty, errors }) => {
    const rounds = Math.ceil(ABORTS / 10);
    test.setTimeout(120_000 + rounds * 10_000);
    errors.expect(FAILED_REQUEST);
    const script = faultyScripts(site);
    const worker = await openStore(page, site, store);
    const devtools = await page.context().newCDPSession(page);
    const { origin } = site;
    const next = numbers(3);
    for (let at = 0; at < rounds; at += 1) {
      // Of a file of which nobody says how long it is, with the browser's quota; and a write among three connections',
      // because Chromium does not always notice a quota that shrinks.
      const real = at === 0;
      const faults = real ? { noLength: true, noRanges: true } : { bytesPerS: 40 * MIB };
      const file = faulty.serve(`/model-${at}.gguf`, bytesOf("medium"), faults);
      await worker.restart(real ? undefined : script(4 + (next() % (store === "opfs" ? 24 : 14)), "full"));
      await configure(worker, { store });
      if (real) await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 9 * MIB });
      const { error } = await worker.ask(download(file));
      expect(error?.code, `disk ${at}: ${error?.detail}`).toBe("disk_full");
      await devtools.send("Storage.overrideQuotaForOrigin", { origin });
      expect(await worker.deaths(), `disk ${at}`).toEqual([]);
      // What was written before is there to go on with.
      await worker.restart();
      await configure(worker, { store });
      await worker.get("stored", download(file));
      await expectWhole(worker, file);
      await empty(worker);
    }
    const file = faulty.serve("/model.gguf", bytesOf("small"));
    await worker.get("stored", download(file));
    await expectWhole(worker, file);
  });
}
