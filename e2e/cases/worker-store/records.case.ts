// Stores as every released version left them, as a newer one will, and damaged: no file is deleted.

import { expect, test } from "../../fixtures.ts";
import { bytesOf, configure, download, expectWhole, openStore, storedModels } from "../../helpers/downloads.ts";
import {
  firstRelease,
  type Forged,
  forgeRecord,
  readRecord,
  storedBytes,
  unsealed,
} from "../../helpers/stored-records.ts";
import { ERRORS } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const without = (field: string) => (text: string) => {
  const { [field]: _, ...record } = JSON.parse(firstRelease(text));
  return JSON.stringify(record);
};

/** What becomes of a record, and what the file is then taken for. */
const FORGED: [what: string, forge: (text: string) => Forged, options: object, whole: boolean][] = [
  ["of the first release", firstRelease, { first: true }, true],
  ["of the first release, without a field", without("etag"), { first: true }, true],
  ["of the first release, without another field", without("pinned"), { first: true }, true],
  ["of this version, beside no copy", (text) => text, {}, true],
  ["of this version before it had a seal", (text) => JSON.stringify(unsealed(text)), {}, true],
  ["of another file, beside its copy", (text) => text.replace('"len_bytes":', '"len_bytes":1'), { copy: true }, true],
  ["lost, beside its copy", () => null, { copy: true }, true],
  ["damaged, beside its copy", (text) => text.slice(0, -9), { copy: true }, true],
  ["of another kind, beside its copy", () => 7, { copy: true }, true],
  ["of another file", (text) => text.replace('"len_bytes":', '"len_bytes":1'), {}, false],
  ["lost", () => null, {}, false],
  ["damaged", (text) => text.slice(0, -9), {}, false],
  ["empty", () => "", {}, false],
  ["of another kind", () => 7, {}, false],
  ["without its ledger", without("ledger"), {}, false],
  ["of a newer version", (text) => JSON.stringify({ ...unsealed(text), version: 99, ledger: "other" }), {}, false],
  [
    "of a newer version, beside a copy",
    (text) => JSON.stringify({ ...unsealed(text), version: 99 }),
    { copy: true },
    false,
  ],
];

for (const store of ["opfs", "indexedDb"] as const) {
  test(`records of every kind (${store})`, { tag: store === "opfs" ? [] : "@long" }, async ({ page, site, faulty }) => {
    test.slow();
    const file = faulty.serve("/model.gguf", bytesOf("modest"));
    const worker = await openStore(page, site, store);
    const { name } = (await worker.get("stored", download(file))).model;
    const text = await readRecord(page, store, name);
    const { length: bytes } = file.bytes;
    for (const [what, forge, options, whole] of FORGED) {
      await test.step(what, async () => {
        await forgeRecord(page, store, name, forge(text), options);
        await worker.restart();
        await configure(worker, { store });
        const status = await worker.get("status", { type: "status" });
        expect(await storedBytes(page, store), `${what}: bytes that are left`).toBe(bytes);
        if (whole) {
          expect(status.unknown, what).toEqual([]);
          await expectWhole(worker, file);
          return;
        }
        expect(status.stored, what).toEqual([]);
        expect(status.unknown, what).toMatchObject([{ name, why: expect.any(String) }]);
        expect(status.unknown[0]!.bytes).toBeGreaterThanOrEqual(bytes);
      });
    }
    // It is the user who says what becomes of it.
    const { error } = await worker.ask(download(file));
    expect(error, error?.detail).toMatchObject({ code: "unknown_file", ...ERRORS.unknown_file });
    expect(await storedBytes(page, store)).toBe(bytes);
    await worker.get("ok", { type: "delete", name });
    expect(await storedBytes(page, store)).toBe(0);
    expect(await worker.get("status", { type: "status" })).toMatchObject({ stored: [], unknown: [] });
    await worker.get("stored", download(file));
    await expectWhole(worker, file);
  });

  test(
    `a database of a newer version (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("small"));
      const worker = await openStore(page, site, store);
      await worker.get("stored", download(file));
      await page.evaluate(
        () =>
          new Promise<void>((resolve, reject) => {
            const request = indexedDB.open("pith", 1000);
            request.onsuccess = () => (request.result.close(), resolve());
            request.onerror = () => reject(request.error);
          }),
      );
      // This worker's connection was closed by that, and the next one's finds another version.
      await expectWhole(worker, file);
      await worker.restart();
      await configure(worker, { store });
      await expectWhole(worker, file);
    },
  );
}

test("a database that cannot be opened: the copies beside the files serve", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"));
  const other = faulty.serve("/other.gguf", bytesOf("small"));
  const worker = await openStore(page, site, "opfs");
  const { name } = (await worker.get("stored", download(file))).model;
  site.handle(
    "/no-database.js",
    (_, response) =>
      void response.setHeader("content-type", "text/javascript").end(`
      IDBFactory.prototype.open = () => { throw new DOMException("Internal error opening backing store", "UnknownError"); };
    `),
  );
  site.handle(
    "/without-database.js",
    (_, response) =>
      void response
        .setHeader("content-type", "text/javascript")
        .end('import "/no-database.js"; import "/pith/worker.js";'),
  );
  await worker.restart("/without-database.js");
  await expectWhole(worker, file);
  await worker.get("ok", { type: "pin", name, pinned: true });
  await worker.get("stored", download(other));
  expect((await storedModels(worker)).length).toBe(2);
  // What was noted without the database is in it when it is back.
  await worker.restart();
  const stored = await storedModels(worker);
  expect(stored).toMatchObject([
    { name, whole: true, pinned: true },
    { url: other.url, whole: true, pinned: false },
  ]);
  await worker.restart("/without-database.js");
  for (const { name } of stored) await worker.get("ok", { type: "delete", name });
  await worker.restart();
  expect(await worker.get("status", { type: "status" })).toMatchObject({ stored: [], unknown: [] });
});
