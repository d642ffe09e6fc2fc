// Files that change on the server, and files that are not the one that was expected: no mixture is ever taken for whole.

import { expect, test } from "../../fixtures.ts";
import {
  bytesOf,
  download,
  expectWhole,
  FAILED_REQUEST,
  MIB,
  openStore,
  otherWeights,
  storedModels,
  tellRefetched,
} from "../../helpers/downloads.ts";
import { ERRORS } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

test.beforeEach(({ errors }) => errors.expect(FAILED_REQUEST));

for (const tag of ["etag", "date"] as const) {
  test(
    `another file midway begins again by itself (${tag})`,
    { tag: tag === "etag" ? [] : "@long" },
    async ({ page, site, faulty }, info) => {
      const bytes = bytesOf("modest");
      const change = { after_bytes: 5 * MIB, bytes: otherWeights(bytes) };
      const file = faulty.serve("/model.gguf", bytes, { change, bytesPerS: 12 * MIB, ...(tag === "date" && { tag }) });
      const worker = await openStore(page, site, "auto");
      await worker.get("stored", download(file));
      expect(file.bytes).toBe(change.bytes);
      await expectWhole(worker, file);
      const refetched_bytes = await tellRefetched(info, `changed file (${tag})`, "opfs", file, 1);
      expect(refetched_bytes, "what was there of the old one, and what was asked in vain").toBeLessThan(10 * MIB);
    },
  );
}

test("another file since the last visit begins again by itself", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"), { bytesPerS: 6 * MIB });
  const worker = await openStore(page, site, "auto");
  await worker.reached(await worker.start(download(file)), "download", 4 * MIB);
  await worker.restart();
  file.become(otherWeights(file.bytes));
  delete file.faults.bytesPerS;
  await worker.get("stored", download(file));
  await expectWhole(worker, file);
});

test("another file behind the same ETag is found by its checksum", async ({ page, site, faulty }) => {
  const bytes = bytesOf("modest");
  const other = otherWeights(bytes);
  const change = { after_bytes: 5 * MIB, bytes: other, sameTag: true };
  const file = faulty.serve("/model.gguf", bytes, { change });
  const worker = await openStore(page, site, "auto");
  const expected = faulty.serve("/other.gguf", other).sha256;
  const { error } = await worker.ask(download(file, expected));
  expect(error, error?.detail).toMatchObject({ code: "wrong_hash", ...ERRORS.wrong_hash });
  expect((await storedModels(worker)).filter(({ whole }) => whole)).toEqual([]);
  await worker.get("stored", download(file, expected));
  await expectWhole(worker, file);
});

for (const store of ["opfs", "indexedDb", "memory"] as const) {
  test(
    `a byte that arrives wrong is found by the checksum (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { wrong: [5 * MIB] });
      const worker = await openStore(page, site, store);
      const { error } = await worker.ask(download(file, file.sha256));
      expect(error, error?.detail).toMatchObject({ code: "wrong_hash", ...ERRORS.wrong_hash });
      expect((await storedModels(worker)).filter(({ whole }) => whole)).toEqual([]);
      // Sent right this time.
      await worker.get("stored", download(file, file.sha256));
      await expectWhole(worker, file);
      // What is stored is not what somebody else expects.
      const wanted = "0".repeat(64);
      expect((await worker.ask(download(file, wanted))).error?.code).toBe("wrong_hash");
    },
  );
}
