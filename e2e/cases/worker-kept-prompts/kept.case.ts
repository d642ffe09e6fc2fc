// Prompts that are kept on the disk: after a restart only what is new is read, and the text is the same. What is damaged, belongs to
// another model or is too much is not used.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { patchedWorker } from "../../harness/patched-worker.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import type { Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const PAGE_TOKENS = 32;
const FOLDER = "pith-prompts";
type Backend = "cpu" | "webgpu" | "webgl2";

const load = (site: Site, backend: Backend = "cpu", file = "llama32.F16") =>
  ({
    type: "load",
    name: "a",
    source: { type: "url", url: site.url(`/reference/models/${file}.gguf`) },
    backend,
    contextTokens: 256,
  }) satisfies Request;

const prompt = (length: number, changedAt = length): number[] =>
  Array.from({ length }, (_, at) => ((at * 37 + 3) % 90) + (at === changedAt ? 2 : 1));

const generate = (ids: number[], keepPrompt = true): Request => ({
  type: "generate",
  model: "a",
  prompt: { type: "ids", ids },
  maxTokens: 12,
  keepPrompt,
});

/** Names of the files, complete ones only, and all their bytes. */
async function files(page: Page): Promise<{ names: string[]; bytes: number }> {
  return page.evaluate(async (folder) => {
    const root = await navigator.storage.getDirectory();
    const names: string[] = [];
    let bytes = 0;
    try {
      const directory = await root.getDirectoryHandle(folder);
      for await (const [name, handle] of directory.entries()) {
        const file = await (handle as FileSystemFileHandle).getFile();
        bytes += file.size;
        const length = file.slice(0, 4);
        if (length.size === 4 && new DataView(await length.arrayBuffer()).getUint32(0) > 0) names.push(name);
      }
    } catch {
      // A file that was deleted meanwhile, or no folder.
    }
    return { names: names.sort(), bytes };
  }, FOLDER);
}

/** Waits until there are so many files, which nobody has open any more. */
async function kept(worker: RawWorker, count: number): Promise<void> {
  await expect.poll(async () => (await files(worker.page)).names.length, { intervals: [50] }).toBe(count);
  await worker.get("ok", { type: "ping" });
}

/** Writes a file anew, or flips a byte of it; there is no other one afterwards. Gives what it had before. */
async function change(
  page: Page,
  name: string,
  edit: { flip_from_end: number } | { bytes: number[] },
): Promise<number[]> {
  return page.evaluate(
    async ([folder, name, edit]) => {
      const directory = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder, { create: true });
      const handle = await directory.getFileHandle(name, { create: true });
      const before = new Uint8Array(await (await handle.getFile()).arrayBuffer());
      const after = "bytes" in edit ? new Uint8Array(edit.bytes) : before.slice();
      if ("flip_from_end" in edit) after[after.length - edit.flip_from_end]! ^= 1;
      for await (const other of directory.keys()) {
        // A worker that was ended has its files open for a moment longer.
        for (let tries = 1; other !== name && tries <= 50; tries++) {
          if (
            await directory.removeEntry(other).then(
              () => true,
              () => false,
            )
          )
            break;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      const out = await handle.createWritable();
      await out.write(after);
      await out.close();
      return [...before];
    },
    [FOLDER, name, edit] as const,
  );
}

for (const backend of ["cpu", "webgpu", "webgl2"] as const) {
  test(
    `after a restart only what is new is read (${backend})`,
    { tag: backend === "cpu" ? [] : "@long" },
    async ({ page, site, browserName }) => {
      test.skip(backend === "webgpu" && browserName === "firefox", "Firefox has no WebGPU on Linux");
      const worker = await RawWorker.open(page, site);
      await worker.get("loaded", load(site, backend));
      const ids = prompt(200);
      // What the same pages in memory give: slices of another length round otherwise.
      await worker.get("text", generate(ids));
      const want = await worker.get("text", generate(ids));
      expect(want.stats).toMatchObject({ restoredTokens: 0, reusedTokens: 6 * PAGE_TOKENS });
      const question = [...ids.slice(0, 170), 5, 6, 7];
      const wanted = await worker.get("text", generate(question));
      await kept(worker, 1);

      await worker.restart();
      await worker.get("loaded", load(site, backend));
      // Nobody asked for it: nothing is taken.
      const without = await worker.get("text", generate([9, ...ids], false));
      expect(without.stats).toMatchObject({ restoredTokens: 0, reusedTokens: 0 });
      const again = await worker.get("text", generate(ids));
      expect(again.stats).toMatchObject({ restoredTokens: 6 * PAGE_TOKENS, reusedTokens: 6 * PAGE_TOKENS });
      expect(again.ids).toEqual(want.ids);
      const asked = await worker.get("text", generate(question));
      expect(asked.stats).toMatchObject({ restoredTokens: 0, reusedTokens: 5 * PAGE_TOKENS });
      expect(asked.ids).toEqual(wanted.ids);

      await worker.restart();
      await worker.get("loaded", load(site, backend));
      const changed = await worker.get("text", generate(prompt(200, 150)));
      expect(changed.stats).toMatchObject({ restoredTokens: 4 * PAGE_TOKENS, reusedTokens: 4 * PAGE_TOKENS });
      expect((await worker.get("status", { type: "status" })).store.promptBytes).toBeGreaterThan(0);
      expect(await worker.deaths()).toEqual([]);
    },
  );
}

test("a flipped byte is read again by the model, not used", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  await worker.get("loaded", load(site));
  const ids = prompt(200);
  const want = await worker.get("text", generate(ids));
  await kept(worker, 1);
  const name = (await files(page)).names[0]!;
  const whole = await change(page, name, { flip_from_end: 1 });
  for (const [bytes, restored] of [
    [null, 5],
    // Of the record, of its length, nothing at all, and cut in the second page.
    [whole.map((byte, at) => (at === 9 ? byte ^ 0x80 : byte)), 0],
    [[255, 255, 255, 255, ...whole.slice(4)], 0],
    [[], 0],
    [whole.slice(0, -whole.length / 2), null],
  ] as const) {
    await worker.restart();
    if (bytes) await change(page, name, { bytes: [...bytes] });
    await worker.get("loaded", load(site));
    const { stats, ids: given } = await worker.get("text", generate(ids));
    if (restored !== null) expect(stats.restoredTokens).toBe(restored * PAGE_TOKENS);
    expect(stats.restoredTokens).toBeLessThan(6 * PAGE_TOKENS);
    expect(given).toEqual(want.ids);
    expect(await worker.deaths()).toEqual([]);
  }
});

test("what is kept goes with its model, and fits no other one", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const { model } = await worker.get("loaded", load(site));
  await worker.get("text", generate(prompt(200)));
  await kept(worker, 1);
  const name = (await files(page)).names[0]!;
  const bytes = await change(page, name, { flip_from_end: 1 });
  await change(page, name, { bytes });
  const stored = (await worker.get("status", { type: "status" })).stored[0]!.name;
  await worker.get("ok", { type: "delete", name: stored });
  await kept(worker, 0);
  expect((await worker.get("status", { type: "status" })).store.promptBytes).toBe(0);

  // Another model, which requests call the same: even with the file back in its place.
  await change(page, name, { bytes });
  const url = site.url("/reference/models/llama32.Q8_0.gguf");
  await worker.restart();
  const again = await worker.get("stored", { type: "download", source: { type: "file" } }, { name: stored, url });
  const other = await worker.get("loaded", { ...load(site), source: { type: "stored", name: again.model.name } });
  expect(other.model.weightsBytes).not.toBe(model.weightsBytes);
  const { stats } = await worker.get("text", generate(prompt(200)));
  expect(stats).toMatchObject({ restoredTokens: 0, reusedTokens: 0 });
});

test(
  "the budget holds: what was not used for longest goes first, and 0 keeps nothing",
  { tag: "@long" },
  async ({ page, site }) => {
    const worker = await RawWorker.open(page, site);
    await worker.get("loaded", load(site));
    const [first, second, third] = [0, 1, 2].map((at) => [at + 1, ...prompt(200)]);
    await worker.get("text", generate(first!));
    await kept(worker, 1);
    const { names, bytes } = await files(page);
    await worker.get("ok", { type: "configure", settings: { promptBytes: 2 * bytes + 100 } });
    await worker.get("text", generate(second!));
    await kept(worker, 2);
    await worker.restart();
    await worker.get("ok", { type: "configure", settings: { promptBytes: 2 * bytes + 100 } });
    await worker.get("loaded", load(site));
    // The first one is used again, so the second one goes.
    expect((await worker.get("text", generate(first!))).stats.restoredTokens).toBe(6 * PAGE_TOKENS);
    await worker.get("text", generate(third!));
    await expect.poll(async () => (await files(page)).names.length === 2 && (await files(page)).bytes).toBe(2 * bytes);
    expect((await files(page)).names).toContain(names[0]);
    await worker.get("ok", { type: "configure", settings: { promptBytes: 0 } });
    await kept(worker, 0);
    await worker.get("text", generate(second!));
    await worker.get("text", generate([8, ...prompt(200)]));
    await page.waitForTimeout(500);
    expect((await files(page)).bytes).toBe(0);
  },
);

test(
  "a worker that ends while it writes leaves nothing that is used, and answers come first",
  { tag: "@long" },
  async ({ page, site }) => {
    const worker = await RawWorker.open(page, site);
    await worker.get("loaded", load(site));
    const ids = prompt(240);
    const want = await worker.get("text", generate(ids));
    for (const wait_ms of [0, 1, 3, 8]) {
      await page.waitForTimeout(wait_ms);
      await worker.restart();
      await worker.get("loaded", load(site));
      const { ids: given, stats } = await worker.get("text", generate(ids));
      expect(given).toEqual(want.ids);
      expect([0, 7 * PAGE_TOKENS]).toContain(stats.restoredTokens);
    }
    expect(await worker.deaths()).toEqual([]);
  },
);

test("a disk that is full, and no file system at all, cost nothing but time", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  // As in a private window of some browsers.
  const without = patchedWorker(site, () => {
    StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException("no", "SecurityError"));
  });
  await worker.restart(without);
  const { error } = await worker.ask(load(site));
  // Without files models are in IndexedDB.
  expect(error).toBeUndefined();
  const ids = prompt(200);
  const want = await worker.get("text", generate(ids));
  expect((await worker.get("text", generate(ids))).ids).toEqual(want.ids);
  expect((await files(page)).names).toEqual([]);

  const full = patchedWorker(site, () => {
    let isFull = false;
    interface Handle {
      write(bytes: Uint8Array, options?: { at?: number }): number;
    }
    const { prototype } = (globalThis as unknown as { FileSystemSyncAccessHandle: { prototype: Handle } })
      .FileSystemSyncAccessHandle;
    const { write } = prototype;
    prototype.write = function (this: Handle, bytes, options) {
      if ((options?.at ?? 0) > 0 && isFull) throw new DOMException("full", "QuotaExceededError");
      return write.call(this, bytes, options);
    };
    addEventListener("message", ({ data }) => {
      isFull ||= data.request?.type === "generate";
    });
  });
  await worker.restart(full);
  await worker.get("loaded", load(site));
  expect((await worker.get("text", generate(ids))).ids).toEqual(want.ids);
  await page.waitForTimeout(300);
  expect(await files(page)).toEqual({ names: [], bytes: 0 });
  expect(await worker.deaths()).toEqual([]);
});
