// A download counts as stored only when it is whole, and is not repeated.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import { RawWorker } from "../../harness/raw-worker.ts";

test.use({ withExtension: false, freshProfile: true });

const FILE = join(referenceDir(), "models/llama32.F16.gguf");

/** Loads from a path of the site. */
const loadFrom = (url: string) => ({ type: "load", name: "a", source: { type: "url", url }, backend: "cpu" }) as const;

test("a file is downloaded once, shows its progress, and can be deleted", async ({ page, site }) => {
  const bytes = await readFile(FILE);
  const worker = await RawWorker.open(page, site);
  const url = site.url("/reference/models/llama32.F16.gguf?from=store");
  const { events, error } = await worker.ask(loadFrom(url));
  expect(error).toBeUndefined();
  const progress = events.filter((event) => event.type === "progress" && event.stage === "download");
  expect(progress.at(-1)).toMatchObject({ done: bytes.length, total: bytes.length });

  const { stored } = await worker.get("status", { type: "status" });
  const name = expect.stringMatching(/^llama32\.F16-[0-9a-f]{16}\.gguf$/);
  expect(stored).toEqual([{ name, bytes: bytes.length, files: 1, filesTotal: 1 }]);

  const asked = () => site.requests.filter((line) => line.endsWith("llama32.F16.gguf")).length;
  const before = asked();
  await worker.get("ok", { type: "unload", name: "a" });
  await worker.get("loaded", loadFrom(url));
  expect(asked(), "requests for a file that is stored").toBe(before);

  await worker.get("ok", { type: "delete", name: stored[0]!.name });
  expect((await worker.get("status", { type: "status" })).stored).toEqual([]);
  await worker.get("loaded", loadFrom(url));
  expect(asked(), "requests while the model is resident").toBe(before);
  await worker.get("ok", { type: "unload", name: "a" });
  await worker.get("loaded", loadFrom(url));
  expect(asked()).toBe(before + 1);
});

test("what breaks off, is refused or is no model leaves nothing in the store", async ({ page, site, errors }) => {
  errors.expect(/Failed to load resource/);
  const bytes = await readFile(FILE);
  const half = bytes.subarray(0, bytes.length / 2);
  site.handle("/breaks.gguf", (_, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    response.write(half, () => response.destroy());
  });
  site.handle("/ends.gguf", (_, response) => void response.end(half));
  site.handle("/busy.gguf", (_, response) => void response.writeHead(503).end());
  site.handle("/login.gguf", (_, response) => void response.end("<!doctype html><title>Sign in</title>"));
  const worker = await RawWorker.open(page, site);
  const codes = { breaks: "network_error", busy: "http_status", login: "not_gguf" };
  for (const [name, code] of Object.entries(codes)) {
    const { error } = await worker.ask(loadFrom(site.url(`/${name}.gguf`)));
    expect(error?.code, `${name}: ${error?.detail}`).toBe(code);
  }
  const unreachable = await worker.ask(loadFrom("http://127.0.0.1:9/model.gguf"));
  expect(unreachable.error?.code).toBe("network_error");
  expect((await worker.get("status", { type: "status" })).stored).toEqual([]);

  // Nobody said how long it should be: it is stored, refused as a model, and not kept.
  const ends = await worker.ask(loadFrom(site.url("/ends.gguf")));
  expect(ends.error?.code).toBe("truncated");
  expect((await worker.get("status", { type: "status" })).stored).toEqual([]);
});

test("a download that was interrupted by closing the page is not taken for a model", async ({ page, site }) => {
  const bytes = await readFile(FILE);
  let hang = true;
  site.handle("/slow.gguf", (_, response) => {
    response.writeHead(200, { "content-length": bytes.length });
    if (hang) response.write(bytes.subarray(0, 300_000));
    else response.end(bytes);
  });
  const first = await RawWorker.open(page, site);
  const id = await first.start(loadFrom(site.url("/slow.gguf")));
  await expect
    .poll(async () =>
      (await first.received(id)).some((e) => e.type === "progress" && e.stage === "download" && e.done > 0),
    )
    .toBe(true);
  hang = false;
  const second = await RawWorker.open(page, site);
  expect((await second.get("status", { type: "status" })).stored).toEqual([]);
  await second.get("loaded", loadFrom(site.url("/slow.gguf")));
  expect((await second.get("status", { type: "status" })).stored).toMatchObject([{ bytes: bytes.length }]);
});

test("a disk without room is named as such", async ({ page, site }) => {
  const worker = await RawWorker.open(page, site);
  const devtools = await page.context().newCDPSession(page);
  const origin = site.origin;
  await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 200_000 });
  const { error } = await worker.ask(loadFrom(site.url("/reference/models/llama32.F16.gguf")));
  expect(error?.code, error?.detail).toBe("disk_full");
  // Without a length there is no telling before: the write itself fails.
  const bytes = await readFile(FILE);
  site.handle("/endless.gguf", (_, response) => {
    response.write(bytes);
    response.write(bytes);
    response.end(bytes);
  });
  const unknown = await worker.ask(loadFrom(site.url("/endless.gguf")));
  expect(unknown.error?.code, unknown.error?.detail).toBe("disk_full");
  expect((await worker.get("status", { type: "status" })).stored).toEqual([]);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin });
  await worker.get("loaded", loadFrom(site.url("/reference/models/llama32.F16.gguf")));
});
