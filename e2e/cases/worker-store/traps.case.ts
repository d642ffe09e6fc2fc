// What servers and pages say wrongly of a file: it neither sticks, nor costs what is stored, nor keeps anybody waiting.

import { expect, test } from "../../fixtures.ts";
import type { Faults } from "../../harness/faulty-server.ts";
import { locks } from "../../harness/faulty-store.ts";
import {
  bytesOf,
  configure,
  download,
  expectWhole,
  FAILED_REQUEST,
  load,
  MIB,
  openStore,
  otherWeights,
  storedModels,
} from "../../helpers/downloads.ts";
import { ERRORS } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

test.beforeEach(({ errors }) => errors.expect(FAILED_REQUEST));

const WRONG = "0".repeat(64);

for (const store of ["opfs", "indexedDb"] as const) {
  test(
    `a wrong SHA-256 does not stick, and costs no good file (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"));
      const worker = await openStore(page, site, store);
      expect((await worker.ask(download(file, WRONG))).error?.code).toBe("wrong_hash");
      expect((await storedModels(worker)).filter(({ whole }) => whole)).toEqual([]);
      // The right one finds that everything is there.
      const { sent_bytes } = file;
      await worker.get("stored", download(file, file.sha256));
      expect(file.sent_bytes).toBe(sent_bytes);
      await expectWhole(worker, file);
      // A wrong one again, of the page or with nobody to ask: the file stays.
      for (const refusals of [[], [{ status: 503, times: 99 }]]) {
        file.faults.refusals = refusals;
        const { error } = await worker.ask(download(file, WRONG));
        expect(error, error?.detail).toMatchObject({ code: "wrong_hash", ...ERRORS.wrong_hash });
        await expectWhole(worker, file);
      }
      file.faults.refusals = [];
      expect(file.sent_bytes - sent_bytes, "asked for").toBeLessThan(MIB);
      // Unless the server has another by now.
      file.become(otherWeights(file.bytes));
      await worker.get("stored", download(file, file.sha256));
      await expectWhole(worker, file);
      // And none at all: fetched as if nothing had been said.
      await worker.get("ok", { type: "delete", name: (await storedModels(worker))[0]!.name });
      expect((await worker.ask(download(file, WRONG))).error?.code).toBe("wrong_hash");
      await worker.get("stored", download(file));
      await expectWhole(worker, file);
    },
  );

  test(
    `a server that names a wrong SHA-256 is believed until the request names the right one (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"), { linkedEtag: WRONG });
      const worker = await openStore(page, site, store);
      for (let time = 0; time < 3; time += 1) {
        const { error } = await worker.ask(download(file));
        expect(error, error?.detail).toMatchObject({ code: "wrong_hash", ...ERRORS.wrong_hash });
        expect(error?.detail).toContain(WRONG);
        expect(error?.detail).toContain(file.sha256);
        expect((await worker.ask(load(file))).error?.code, "nothing runs").toBe("wrong_hash");
        expect((await storedModels(worker)).filter(({ whole }) => whole)).toEqual([]);
      }
      await worker.get("stored", download(file, file.sha256));
      await expectWhole(worker, file);
      const { length } = file.requests;
      await worker.get("stored", download(file));
      expect(file.requests.length).toBe(length);
    },
  );

  test(
    `an endless body is not stored (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const bytes = bytesOf("small");
      const worker = await openStore(page, site, store);
      const padded = Buffer.concat([bytes, Buffer.alloc(MIB)]);
      const rows: [string, Faults][] = [
        ["no length", { noRanges: true, noLength: true }],
        ["no length, ranges", { noLength: true }],
        ["a length", {}],
        ["a length, no ranges", { noRanges: true }],
      ];
      for (const [what, faults] of rows) {
        const endless = faulty.serve("/endless.gguf", Buffer.concat([bytes, Buffer.alloc(60 * MIB)]), faults);
        const { error } = await worker.ask(download(endless));
        expect(error, `${what}: ${error?.detail}`).toMatchObject({ code: "bad_file", ...ERRORS.bad_file });
        expect(endless.sent_bytes, what).toBeLessThan(40 * MIB);
        expect(await storedModels(worker), what).toEqual([]);
        // A file may be padded.
        const file = faulty.serve("/padded.gguf", padded, { ...faults });
        await worker.get("stored", download(file));
        const { name } = await expectWhole(worker, file);
        await worker.get("ok", { type: "delete", name });
      }
    },
  );
}

test("a length that no file has is refused", async ({ page, site, faulty }) => {
  const worker = await openStore(page, site, "opfs");
  for (const claims_bytes of [2 ** 54, 2 ** 53 - 1, 2 ** 45]) {
    const file = faulty.serve("/model.gguf", bytesOf("small"), { claims_bytes });
    const { error } = await worker.ask(download(file));
    expect(error?.code, `${claims_bytes}: ${error?.detail}`).toBe("download_incomplete");
    expect(await storedModels(worker)).toEqual([]);
  }
});

test("an address that was refused leaves nothing", async ({ page, site, faulty }) => {
  const worker = await openStore(page, site, "opfs");
  for (const status of [404, 403, 401, 410]) {
    const file = faulty.serve("/model.gguf", bytesOf("small"), { refusals: [{ status, times: 9 }] });
    for (const request of [download(file), load(file), { ...load(file), type: "fit" } as const]) {
      const { error } = await worker.ask(request);
      expect(error, error?.detail).toMatchObject({ code: "http_status", status });
      expect(await storedModels(worker), `${status}, ${request.type}`).toEqual([]);
    }
  }
  // Blocked: another site's, without leave to read it.
  site.handle("/blocked.gguf", (_, response) => void response.writeHead(200).end("GGUF"));
  const url = site.url("/blocked.gguf").replace("127.0.0.1", "localhost");
  const { error } = await worker.ask({ type: "download", source: { type: "url", url } });
  expect(error?.code).toBe("network_error");
  expect(await storedModels(worker)).toEqual([]);
});

test("a model that was deleted is not downloaded again unasked", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("small"));
  const worker = await openStore(page, site, "opfs", { idleMs: 200 });
  await worker.get("loaded", load(file));
  await worker.get("ok", { type: "delete", name: (await storedModels(worker))[0]!.name });
  await expect
    .poll(async () => (await worker.get("memory", { type: "memory" })).report.idle, { timeout: 10_000 })
    .toEqual(["a"]);
  const { length } = file.requests;
  const prompt = { type: "ids", ids: [1] } as const;
  const { error } = await worker.ask({ type: "generate", model: "a", prompt: { ...prompt, ids: [1] }, maxTokens: 2 });
  expect(error, error?.detail).toMatchObject({ code: "not_stored", ...ERRORS.not_stored });
  expect(file.requests.length).toBe(length);
  await configure(worker, { idleMs: 0 });
  await worker.get("loaded", load(file));
});

/** Where a file is cut: at its beginning, at a chunk, within one, and a byte around each. */
const CUTS = [0, 1, MIB - 1, MIB, MIB + 1, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1];

for (const [what, faults] of [
  ["neither length nor ranges", { noRanges: true, noLength: true }],
  ["no length", { noLength: true }],
  ["no ranges", { noRanges: true }],
  ["length and ranges", {}],
] as const) {
  test(
    `a file that is cut off anywhere ends its load (${what})`,
    { tag: "noRanges" in faults !== "noLength" in faults ? "@long" : [] },
    async ({ page, site, faulty }) => {
      const worker = await openStore(page, site, "opfs");
      const bytes = bytesOf("modest");
      for (const cut of CUTS) {
        const file = faulty.serve(`/cut-${cut}.gguf`, bytes.subarray(0, cut), { ...faults });
        const start_ms = Date.now();
        const { error } = await worker.ask(load(file));
        expect(["truncated", "not_gguf"], `${cut}: ${error?.code}: ${error?.detail}`).toContain(error?.code);
        expect(Date.now() - start_ms, `${cut}`).toBeLessThan(5000);
        expect(await storedModels(worker), `${cut}`).toEqual([]);
        await expect.poll(() => locks(page), { timeout: 1000 }).toEqual([]);
      }
    },
  );

  test(
    `a load is cancelled wherever its file stops (${what})`,
    { tag: "noRanges" in faults !== "noLength" in faults ? "@long" : [] },
    async ({ page, site, faulty }) => {
      const worker = await openStore(page, site, "opfs");
      const bytes = bytesOf("modest");
      for (const at of CUTS) {
        const file = faulty.serve(`/stall-${at}.gguf`, bytes, { ...faults, stalls: Array<number>(99).fill(at) });
        const id = await worker.start(load(file));
        await expect.poll(() => file.sent_bytes, { timeout: 10_000 }).toBeGreaterThanOrEqual(Math.min(at, MIB));
        await page.waitForTimeout(50);
        const start_ms = Date.now();
        await worker.get("ok", { type: "cancel", target: id });
        const { error } = await worker.ended(id);
        expect(error?.code, `${at}`).toBe("cancelled");
        expect(Date.now() - start_ms, `${at}`).toBeLessThan(1000);
        await expect.poll(() => locks(page), { timeout: 1000 }).toEqual([]);
      }
    },
  );
}
