// A model is downloaded once, and only what is whole and a model is taken for one. What goes wrong on the way is in
// worker-faults.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import { storedModels } from "../../helpers/downloads.ts";
import { ERRORS } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const FILE = join(referenceDir(), "models/llama32.F16.gguf");

/** Loads from a path of the site. */
const loadFrom = (url: string) => ({ type: "load", name: "a", source: { type: "url", url }, backend: "cpu" }) as const;

test("a file is downloaded once, shows its progress, and can be deleted", async ({ page, site }) => {
  const bytes = await readFile(FILE);
  const worker = await RawWorker.open(page, site);
  const url = site.url("/reference/models/llama32.F16.gguf?from=store");
  const start_ms = Date.now();
  const { events, error } = await worker.ask(loadFrom(url));
  expect(error).toBeUndefined();
  const progress = events.filter((event) => event.type === "progress" && event.stage === "download");
  expect(progress.at(-1)).toMatchObject({ done: bytes.length, total: bytes.length });

  const [model, ...others] = await storedModels(worker);
  expect(others).toEqual([]);
  expect(model).toEqual({
    name: expect.stringMatching(/^llama32\.F16-[0-9a-f]{16}\.gguf$/),
    title: expect.any(String),
    url,
    bytes: bytes.length,
    totalBytes: bytes.length,
    files: 1,
    whole: true,
    sha256: [createHash("sha256").update(bytes).digest("hex")],
    pinned: false,
    lastUsedMs: expect.any(Number),
  });
  expect(model!.lastUsedMs).toBeGreaterThanOrEqual(start_ms - 1);
  expect(model!.lastUsedMs).toBeLessThanOrEqual(Date.now() + 1);
  const { store } = await worker.get("status", { type: "status" });
  expect(store.kind).toBe("opfs");
  expect(store.usedBytes).toBeGreaterThanOrEqual(bytes.length);

  const asked = () => site.requests.filter((line) => line.endsWith("llama32.F16.gguf")).length;
  const before = asked();
  await worker.get("ok", { type: "unload", name: "a" });
  await worker.get("loaded", loadFrom(url));
  expect(asked(), "requests for a file that is stored").toBe(before);

  await worker.get("ok", { type: "delete", name: model!.name });
  expect(await storedModels(worker)).toEqual([]);
  await worker.get("loaded", loadFrom(url));
  expect(asked(), "requests while the model is resident").toBe(before);
  await worker.get("ok", { type: "unload", name: "a" });
  await worker.get("loaded", loadFrom(url));
  expect(asked()).toBeGreaterThan(before);
});

test("what is refused or is no model is not taken for one", async ({ page, site, errors }) => {
  errors.expect(/Failed to load resource/);
  const bytes = await readFile(FILE);
  // Nobody says how long it should be; its header does.
  site.handle("/ends.gguf", (_, response) => void response.end(bytes.subarray(0, bytes.length / 2)));
  site.handle("/login.gguf", (_, response) => void response.end("<!doctype html><title>Sign in</title>"));
  const worker = await RawWorker.open(page, site);
  for (const [name, code] of Object.entries({ absent: "http_status", login: "not_gguf", ends: "truncated" } as const)) {
    const { error } = await worker.ask(loadFrom(site.url(`/${name}.gguf`)));
    expect(error, `${name}: ${error?.detail}`).toMatchObject({ code, ...ERRORS[code] });
    expect(
      (await storedModels(worker)).filter(({ whole }) => whole),
      name,
    ).toEqual([]);
  }
});
