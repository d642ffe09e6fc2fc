// Browsers and pages that lack a means to store: another one serves, `status` says which, and models load.

import { createHash } from "node:crypto";
import { networkInterfaces } from "node:os";
import { expect, test } from "../../fixtures.ts";
import { serveOddly } from "../../harness/odd-servers.ts";
import { patchedWorker } from "../../harness/patched-worker.ts";
import { serve } from "../../harness/server.ts";
import { bytesOf, download, load, openStore, storedModels } from "../../helpers/downloads.ts";
import type { StoreKind } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

/** Takes things away before the worker begins. */
function take(names: string[]): void {
  const gone = (owner: object, name: string) => Object.defineProperty(owner, name, { value: undefined });
  const owners: Record<string, object> = {
    storage: Object.getPrototypeOf(navigator),
    locks: Object.getPrototypeOf(navigator),
    getDirectory: StorageManager.prototype,
    createSyncAccessHandle: FileSystemFileHandle.prototype,
    subtle: Crypto.prototype,
    indexedDB: globalThis,
  };
  for (const name of names) gone(owners[name]!, name);
}

const ROWS: [absent: string[], kind: StoreKind][] = [
  [["storage", "locks", "subtle"], "indexedDb"],
  [["getDirectory"], "indexedDb"],
  [["createSyncAccessHandle"], "indexedDb"],
  [["locks"], "opfs"],
  [["indexedDB"], "opfs"],
  [["storage", "indexedDB"], "memory"],
];

test("what is absent is done without", async ({ page, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("small"));
  const worker = await openStore(page, site, "opfs");
  for (const [absent, kind] of ROWS) {
    await test.step(`without ${absent.join(", ")}`, async () => {
      await worker.restart(patchedWorker(site, take, absent));
      const { store } = await worker.get("status", { type: "status" });
      expect(store.kind).toBe(kind);
      // Two at a time: one writes, the other waits for it.
      const { sent_bytes } = file;
      const ids = [await worker.start(download(file, file.sha256)), await worker.start(download(file, file.sha256))];
      for (const id of ids) expect((await worker.ended(id)).error).toBeUndefined();
      expect(file.sent_bytes - sent_bytes, "fetched once").toBeLessThan(file.bytes.length + (1 << 20));
      await worker.get("loaded", load(file));
      const [model] = await storedModels(worker);
      expect(model).toMatchObject({ whole: true, sha256: [file.sha256] });
      await worker.get("ok", { type: "delete", name: model!.name });
    });
  }
});

test("a page that is served by plain http from an address of the network", async ({ context }) => {
  const own = Object.values(networkInterfaces()).flat();
  const address = own.find((one) => one?.family === "IPv4" && !one.internal)?.address;
  test.skip(!address, "this machine has no address but its own");
  const site = await serve({}, address);
  const page = await context.newPage();
  const bytes = bytesOf("small");
  const sha256 = [createHash("sha256").update(bytes).digest("hex")];
  serveOddly(site, "/model.gguf", bytes, {});
  const source = { type: "url", url: site.url("/model.gguf"), sha256 } as const;
  const worker = await openStore(page, site, "auto");
  expect(await page.evaluate(() => [isSecureContext, "storage" in navigator])).toEqual([false, false]);
  await worker.get("stored", { type: "download", source });
  const { store, stored } = await worker.get("status", { type: "status" });
  expect(store.kind).toBe("indexedDb");
  expect(stored).toMatchObject([{ whole: true, sha256 }]);
  await worker.get("loaded", { type: "load", name: "a", source, backend: "cpu", contextTokens: 64 });
  await page.close();
  await site.close();
});

test("the site's data are cleared while a worker has them open", async ({ page, context, site, faulty }) => {
  const file = faulty.serve("/model.gguf", bytesOf("modest"));
  const worker = await openStore(page, site, "opfs");
  await worker.get("loaded", load(file));
  const cdp = await context.newCDPSession(page);
  await cdp.send("Storage.clearDataForOrigin", { origin: site.origin, storageTypes: "all" });
  await worker.get("text", { type: "generate", model: "a", prompt: { type: "ids", ids: [1] }, maxTokens: 2 });
  expect(await storedModels(worker)).toEqual([]);
  const { sent_bytes } = file;
  await worker.get("stored", download(file));
  expect(file.sent_bytes - sent_bytes, "fetched again").toBeGreaterThanOrEqual(file.bytes.length);
  expect(await storedModels(worker)).toMatchObject([{ whole: true, sha256: [file.sha256] }]);
  await worker.get("ok", { type: "unload", name: "a" });
  await worker.get("loaded", load(file));
  await worker.restart();
  expect(await storedModels(worker)).toMatchObject([{ whole: true }]);
});
