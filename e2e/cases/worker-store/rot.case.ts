// Stored bytes that have rotted: each load compares what it reads. It is mended where an address is known, or refused by name;
// never does a model run with other bytes, and never does `status` call a file whole that is known not to be.

import { expect, test } from "../../fixtures.ts";
import type { RawWorker } from "../../harness/raw-worker.ts";
import {
  bytesOf,
  configure,
  download,
  expectWhole,
  FAILED_REQUEST,
  load,
  MIB,
  openStore,
  storedModels,
} from "../../helpers/downloads.ts";
import { DAMAGES, rot } from "../../helpers/rot.ts";
import { flipByte } from "../../helpers/stored-files.ts";
import { ERRORS, type ModelSource, type Prompt } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

test.beforeEach(({ errors }) => errors.expect(FAILED_REQUEST));

/** What the loaded model says. */
async function text(worker: RawWorker): Promise<number[]> {
  const prompt: Prompt = { type: "ids", ids: [1, 5, 9] };
  const { ids } = await worker.get("text", { type: "generate", model: "a", prompt, maxTokens: 8 });
  await worker.get("ok", { type: "unload", name: "a" });
  return ids;
}

test("weights: the first load finds it, and fetches that piece alone", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("medium"));
  const worker = await openStore(page, site, "opfs");
  const { name } = (await worker.get("stored", download(file, file.sha256))).model;
  const named: ModelSource = { type: "url", url: file.url, sha256: [file.sha256] };
  await worker.get("loaded", { ...load(file), source: named });
  const right = await text(worker);
  for (const kind of DAMAGES) {
    for (const source of [named, { type: "stored", name } satisfies ModelSource]) {
      await test.step(`${kind}, ${source.type}`, async () => {
        expect(await rot(page, "pith-models", kind)).toBe(1);
        if (kind === "cut" || kind === "empty")
          expect(await storedModels(worker), "before anybody reads it").toMatchObject([{ whole: false }]);
        const { sent_bytes } = file;
        await worker.get("loaded", { ...load(file), source });
        const most = { "flipped bit": 4 * MIB, zeros: 4 * MIB, cut: 12 * MIB, empty: 26 * MIB }[kind];
        expect(file.sent_bytes - sent_bytes, "fetched again").toBeLessThanOrEqual(most);
        expect(file.sent_bytes, "something was").toBeGreaterThan(sent_bytes);
        expect(await text(worker)).toEqual(right);
        await expectWhole(worker, file);
      });
    }
  }
});

for (const store of ["opfs", "indexedDb"] as const) {
  test(
    `weights: refused by name while nobody has them, and mended then (${store})`,
    { tag: store === "opfs" ? [] : "@long" },
    async ({ page, site, faulty }) => {
      const file = faulty.serve("/model.gguf", bytesOf("modest"));
      const worker = await openStore(page, site, store);
      const { name } = (await worker.get("stored", download(file))).model;
      const source = { type: "stored", name } as const;
      await flipByte(page, store, name, 5 * MIB);
      file.faults.refusals = [{ status: 404, times: 9 }];
      const { error } = await worker.ask({ ...load(file), source });
      expect(error, error?.detail).toMatchObject({ code: "http_status", status: 404 });
      expect(await storedModels(worker)).toMatchObject([{ whole: false, sha256: [null] }]);
      file.faults.refusals = [];
      await worker.get("loaded", { ...load(file), source });
      await expectWhole(worker, file);
    },
  );
}

test("weights of a local file: refused by name, until it is kept again", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"));
  const worker = await openStore(page, site, "opfs");
  const keep = { type: "download", source: { type: "file" } } as const;
  const spec = { url: file.url, name: "model.gguf" };
  const { name } = (await worker.get("stored", keep, spec)).model;
  const source = { type: "stored", name } as const;
  for (const kind of DAMAGES) {
    await rot(page, "pith-models", kind);
    for (let time = 0; time < 2; time += 1) {
      const { error } = await worker.ask({ ...load(file), source });
      expect(error, `${kind}: ${error?.detail}`).toMatchObject({ code: "damaged", ...ERRORS.damaged });
      expect(await storedModels(worker), kind).toMatchObject([{ whole: false }]);
    }
    await worker.get("stored", keep, spec);
    await worker.get("loaded", { ...load(file), source });
    await text(worker);
  }
});

test("the copy of a record: the record serves, and it is written again", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("small"));
  const worker = await openStore(page, site, "opfs");
  await worker.get("stored", download(file));
  const copies = () =>
    page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const texts: string[] = [];
      for await (const entry of (await root.getDirectoryHandle("pith-records")).values())
        texts.push(await (await (entry as FileSystemFileHandle).getFile()).text());
      return texts;
    });
  const before = await copies();
  for (const kind of DAMAGES) {
    expect(await rot(page, "pith-records", kind)).toBe(1);
    expect(await copies(), kind).not.toEqual(before);
    await worker.restart();
    await configure(worker, { store: "opfs" });
    await expectWhole(worker, file);
    expect(
      (await copies()).map((text) => JSON.parse(text).seal),
      kind,
    ).toHaveLength(1);
  }
});
