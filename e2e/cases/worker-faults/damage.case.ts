// Stored bytes that went wrong: `verify` names the piece, and fetches just that piece again.

import { expect, test } from "../../fixtures.ts";
import {
  bytesOf,
  download,
  expectWhole,
  FAILED_REQUEST,
  load,
  MIB,
  openStore,
  otherWeights,
  storedModels,
  tellRefetched,
} from "../../helpers/downloads.ts";
import { flipByte, truncate } from "../../helpers/stored-files.ts";
import { ERRORS } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

test.beforeEach(({ errors }) => errors.expect(FAILED_REQUEST));

for (const store of ["opfs", "indexedDb"] as const) {
  test(
    `a byte that flipped is found, and its piece is fetched again (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }, info) => {
      const file = faulty.serve("/model.gguf", bytesOf("medium"));
      const worker = await openStore(page, site, store);
      const { model } = await worker.get("stored", download(file));
      const verify = (repair: boolean) => worker.get("verified", { type: "verify", name: model.name, repair });
      expect(await verify(false)).toMatchObject({ damaged: [], repairedBytes: 0 });

      const at = Math.floor(file.bytes.length / 2);
      await flipByte(page, store, model.name, at);
      const before = file.sent_bytes;
      const { damaged, repairedBytes } = await verify(false);
      expect(damaged).toMatchObject([{ file: model.name }]);
      const { offsetBytes, lenBytes } = damaged[0]!;
      expect(offsetBytes).toBeLessThanOrEqual(at);
      expect(offsetBytes + lenBytes).toBeGreaterThan(at);
      expect(lenBytes).toBeLessThanOrEqual(4 * MIB);
      expect(repairedBytes).toBe(0);
      expect(file.sent_bytes, "fetched by looking").toBe(before);

      expect((await verify(true)).repairedBytes).toBe(lenBytes);
      expect(file.sent_bytes - before, "fetched to repair").toBe(lenBytes);
      await tellRefetched(info, "byte flipped, repaired", store, file, 1);
      await expectWhole(worker, file);
      expect((await verify(false)).damaged).toEqual([]);
    },
  );

  test(
    `what cannot be repaired stays damaged, and says why (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"));
      const worker = await openStore(page, site, store);
      const { model } = await worker.get("stored", download(file));
      await flipByte(page, store, model.name, 5 * MIB);
      const repair = { type: "verify", name: model.name, repair: true } as const;
      file.faults.refusals = [{ status: 404 }];
      expect((await worker.ask(repair)).error?.code).toBe("http_status");
      const original = file.bytes;
      file.become(otherWeights(original));
      const { error } = await worker.ask(repair);
      expect(error, error?.detail).toMatchObject({ code: "source_changed", ...ERRORS.source_changed });
      const { damaged } = await worker.get("verified", { type: "verify", name: model.name });
      expect(damaged.length).toBe(1);
      file.become(original);
      await worker.get("verified", repair);
      await expectWhole(worker, file);
    },
  );
}

test("a file that was cut on the disk is found when it is loaded, and mended", async ({ page, site, faulty }, info) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"));
  const worker = await openStore(page, site, "opfs");
  const { model } = await worker.get("stored", download(file));
  await truncate(page, model.name, 6 * MIB);
  const fromStore = { ...load(file), source: { type: "stored", name: model.name } } as const;
  file.faults.refusals = [{ status: 404 }];
  expect((await worker.ask(fromStore)).error?.code, "while the server does not have it").toBe("http_status");
  expect((await storedModels(worker))[0]).toMatchObject({ whole: false, sha256: [null] });
  await worker.get("loaded", fromStore);
  await expectWhole(worker, file);
  // The piece that the cut goes through, and what was behind it.
  expect(await tellRefetched(info, "cut on the disk", "opfs", file, 1)).toBe(file.bytes.length - 4 * MIB);
});

test("a local file that was kept and is damaged has nowhere to be fetched from", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"));
  const worker = await openStore(page, site, "opfs");
  const keep = { type: "download", source: { type: "file" } } as const;
  const spec = { url: file.url, name: "model.gguf" };
  const { model } = await worker.get("stored", keep, spec);
  expect(model).toMatchObject({ url: null, whole: true, sha256: [file.sha256] });
  expect(await worker.exported(model.name)).toEqual([file.sha256]);
  await truncate(page, model.name, 6 * MIB);
  const source = { type: "stored", name: model.name } as const;
  const { error } = await worker.ask({ ...load(file), source });
  expect(error, error?.detail).toMatchObject({ code: "damaged", ...ERRORS.damaged });
  await worker.get("stored", keep, spec);
  await worker.get("loaded", { ...load(file), source });
});
