// A disk without room: said before anything is fetched where that can be known, with what could be deleted.

import { expect, test } from "../../fixtures.ts";
import { launch } from "../../harness/launch.ts";
import { bytesOf, download, expectWhole, load, MIB, openStore, storedModels } from "../../helpers/downloads.ts";
import { ERRORS } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

/** To sites Chromium pretends that there are 10 GiB, whatever there is. */
const honest = test.extend({
  launched: async ({}, use) => {
    const launched = await launch({ extension: null, args: ["--disable-features=StaticStorageQuota"] });
    await use(launched);
    await launched.close();
  },
});

for (const store of ["opfs", "indexedDb"] as const) {
  honest(
    `no room, what could make some, and room again (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const old = faulty.serve("/old.gguf", bytesOf("medium"));
      const file = faulty.serve("/model.gguf", bytesOf("modest"));
      const worker = await openStore(page, site, store);
      const { model } = await worker.get("stored", download(old));
      const devtools = await page.context().newCDPSession(page);
      // Room for the new one, or for the old one, not for both. Chromium reserves more for an open file than it has.
      const quotaSize = old.bytes.length + 5 * MIB;
      await devtools.send("Storage.overrideQuotaForOrigin", { origin: site.origin, quotaSize });
      for (const request of [download(file), load(file)]) {
        const { error } = await worker.ask(request);
        expect(error, error?.detail).toMatchObject({ code: "disk_full", ...ERRORS.disk_full });
      }
      const ask = () => worker.get("fit", { type: "fit", source: download(file).source, backend: "cpu" });
      const { fit } = await ask();
      expect(fit).toMatchObject({ verdict: "noRoom", couldDelete: [model.name], fileBytes: file.bytes.length });
      expect(fit.freeBytes).toBeLessThan(fit.downloadBytes);
      // Of each request what is written at once, with the header in it.
      expect(file.sent_bytes).toBeLessThanOrEqual(3 * (store === "opfs" ? MIB : 4 * MIB));

      await worker.get("ok", { type: "pin", name: model.name, pinned: true });
      expect((await ask()).fit).toMatchObject({ verdict: "noRoom", couldDelete: [] });
      await worker.get("ok", { type: "pin", name: model.name, pinned: false });
      await worker.get("ok", { type: "delete", name: model.name });
      expect((await ask()).fit).toMatchObject({ verdict: "fits", couldDelete: [] });
      await worker.get("stored", download(file));
      await expectWhole(worker, file);
    },
  );

  test(
    `the disk fills up midway (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      // Nobody says how long the file is: the write itself fails.
      const file = faulty.serve("/model.gguf", bytesOf("medium"), { noRanges: true, noLength: true });
      const worker = await openStore(page, site, store);
      const devtools = await page.context().newCDPSession(page);
      const { origin } = site;
      await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 9 * MIB });
      const { error } = await worker.ask(download(file));
      expect(error, error?.detail).toMatchObject({ code: "disk_full", ...ERRORS.disk_full });
      expect((await storedModels(worker)).filter(({ whole }) => whole)).toEqual([]);
      await devtools.send("Storage.overrideQuotaForOrigin", { origin });
      await worker.get("stored", download(file));
      await expectWhole(worker, file);
    },
  );
}
