// Every call of IndexedDB and of the file system fails once, over start, migration, download, load, verification, pin and
// deletion: no whole file is lost, every request ends, no lock is left. A sample of the calls; each of them with the long suites.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { calls, type Failure, faultyScripts, locks } from "../../harness/faulty-store.ts";
import { endings, type RawWorker } from "../../harness/raw-worker.ts";
import { bytesOf, configure, download, FAILED_REQUEST, openStore, storedModels } from "../../helpers/downloads.ts";
import { firstRelease, forgeRecord, readRecord } from "../../helpers/stored-records.ts";
import type { FaultyFile } from "../../harness/faulty-server.ts";
import type { Request, StoreKind } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

const SAMPLE = 16;

/** One life of a worker with a store that fails: every request ends, however. */
async function live(worker: RawWorker, store: StoreKind, name: string, file: FaultyFile): Promise<string[]> {
  const { source } = download(file);
  const requests: Request[] = [
    { type: "configure", settings: { store } },
    { type: "status" },
    { type: "download", source },
    { type: "load", name: "a", source, backend: "cpu", contextTokens: 64 },
    { type: "verify", name },
    { type: "pin", name, pinned: true },
    { type: "export", name },
    { type: "status" },
  ];
  const ends: string[] = [];
  for (const request of requests) {
    const { error, events } = await worker.ask(request);
    expect(endings(events)).toBe(1);
    ends.push(error?.code ?? "done");
  }
  const begun = (await worker.ask({ type: "status" })).result;
  const other = begun?.type === "status" ? begun.stored.find(({ url }) => url === file.url) : undefined;
  if (other) ends.push((await worker.ask({ type: "delete", name: other.name })).error?.code ?? "done");
  expect(await worker.deaths()).toEqual([]);
  return ends;
}

async function expectNoLocks(page: Page): Promise<void> {
  await expect.poll(() => locks(page), { timeout: 2000 }).toEqual([]);
}

for (const [store, failure] of [
  ["opfs", "throws"],
  ["opfs", "aborts"],
  ["indexedDb", "throws"],
  ["indexedDb", "aborts"],
] as const satisfies [StoreKind, Failure][]) {
  test(`each call fails once (${store}, it ${failure})`, async ({ page, site, faulty, errors }, info) => {
    const all = Boolean(process.env.PITH_FULL);
    test.setTimeout(all ? 3_600_000 : 300_000);
    errors.expect(FAILED_REQUEST);
    const script = faultyScripts(site);
    const kept = faulty.serve("/kept.gguf", bytesOf("small"));
    const file = faulty.serve("/model.gguf", bytesOf("modest"));
    const worker = await openStore(page, site, store);
    const { name } = (await worker.get("stored", download(kept))).model;
    /** As the first release left it, so that the next worker has something to migrate. */
    const age = async () => {
      await worker.restart("data:text/javascript,");
      await forgeRecord(page, store, name, firstRelease(await readRecord(page, store, name)), { first: true });
    };
    await age();
    await worker.restart(script(0, failure));
    await live(worker, store, name, file);
    const total = await calls(page);
    expect(total).toBeGreaterThan(50);
    const step = all ? 1 : total / SAMPLE;
    const failed = new Set<string>();
    let rounds = 0;
    for (let at = 1; at <= total; at += step, rounds += 1) {
      const nth = Math.floor(at);
      await test.step(`call ${nth} of ${total}`, async () => {
        await age();
        await worker.restart(script(nth, failure));
        for (const end of await live(worker, store, name, file)) failed.add(end);
        await expectNoLocks(page);
        // What is there without faults: the one that was whole is, and what the other's record says is true.
        await worker.restart();
        await configure(worker, { store });
        const stored = await storedModels(worker);
        expect(
          stored.find((model) => model.name === name),
          `call ${nth}`,
        ).toMatchObject({ whole: true });
        expect(await worker.exported(name), `call ${nth}`).toEqual([kept.sha256]);
        const other = stored.find(({ url }) => url === file.url);
        if (other?.whole) expect(await worker.exported(other.name), `call ${nth}`).toEqual([file.sha256]);
        const { model } = await worker.get("stored", download(file));
        expect(await worker.exported(model.name), `call ${nth}`).toEqual([file.sha256]);
        await worker.get("ok", { type: "delete", name: model.name });
        const { unknown } = await worker.get("status", { type: "status" });
        expect(unknown, `call ${nth}`).toEqual([]);
      });
    }
    info.annotations.push({ type: "faults", description: `${rounds} of ${total} calls; ${[...failed].join(", ")}` });
  });
}
