import { afterEach, describe, expect, it, vi } from "vitest";
import { Pauser, type Pith } from "../src/index.js";
import type { Outcome, Request } from "../src/protocol.gen.js";
import { model, openScripted, stored } from "./endpoint.js";

const URL_OF_M = "https://example.org/m.gguf";
const HASH = "ab".repeat(32);

let open: Pith | undefined;
afterEach(() => {
  open?.close();
  vi.unstubAllGlobals();
});

async function start() {
  const { pith, script } = await openScripted();
  open = pith;
  return { pith, script };
}

const use = { weightsBytes: 1, kvBytes: 2, scratchBytes: 3 };
const fit = {
  verdict: "fitsSmaller" as const,
  reason: "Half the context fits.",
  title: "M",
  architecture: "llama",
  encoder: false,
  contextTokens: 4096,
  cacheType: "f32" as const,
  need: use,
  budgetBytes: 5,
  budgetReason: "A half of the memory.",
  suggestion: { contextTokens: 2048, cacheType: "f16" as const, need: use },
  backend: model.backend,
  fileBytes: 4,
  downloadBytes: 4,
  freeBytes: null,
  couldDelete: [],
};
const damaged = [{ file: stored.name, offsetBytes: 0, lenBytes: 4 }];
const report = { models: [], stagingBytes: 1, wasmHeapBytes: 2, idle: ["language"] };
const source = { type: "url", url: URL_OF_M } as const;

/** A call, the request that it must post, what the worker answers, what the caller gets. */
const CALLS: [string, (pith: Pith) => Promise<unknown>, Request, Outcome, unknown][] = [
  [
    "fit",
    (pith) => pith.fit({ url: URL_OF_M }, { backend: "cpu", contextTokens: 4096, cacheType: "q4_0" }),
    { type: "fit", source, backend: "cpu", contextTokens: 4096, cacheType: "q4_0" },
    { type: "fit", fit },
    fit,
  ],
  [
    "fit with defaults, of a stored model",
    (pith) => pith.fit({ stored: "m.gguf" }),
    { type: "fit", source: { type: "stored", name: "m.gguf" }, backend: "auto", contextTokens: null, cacheType: "f32" },
    { type: "fit", fit },
    fit,
  ],
  [
    "download with a hash",
    (pith) => pith.download({ url: URL_OF_M, sha256: HASH }),
    { type: "download", source: { ...source, sha256: [HASH] } },
    { type: "stored", model: stored },
    stored,
  ],
  [
    "download of a split model with its hashes",
    (pith) => pith.download({ url: URL_OF_M, sha256: [HASH, HASH] }),
    { type: "download", source: { ...source, sha256: [HASH, HASH] } },
    { type: "stored", model: stored },
    stored,
  ],
  [
    "verify",
    (pith) => pith.verify("m.gguf"),
    { type: "verify", name: "m.gguf", repair: false },
    { type: "verified", damaged, repairedBytes: 0 },
    { damaged, repairedBytes: 0 },
  ],
  [
    "repair",
    (pith) => pith.verify("m.gguf", { repair: true }),
    { type: "verify", name: "m.gguf", repair: true },
    { type: "verified", damaged: [], repairedBytes: 4 },
    { damaged: [], repairedBytes: 4 },
  ],
  ["pin", (pith) => pith.pin("m.gguf"), { type: "pin", name: "m.gguf", pinned: true }, { type: "ok" }, undefined],
  [
    "unpin",
    (pith) => pith.pin("m.gguf", false),
    { type: "pin", name: "m.gguf", pinned: false },
    { type: "ok" },
    undefined,
  ],
  ["memory", (pith) => pith.memory(), { type: "memory" }, { type: "memory", report }, report],
  [
    "configure",
    (pith) => pith.configure({ idleMs: 60_000 }),
    { type: "configure", settings: { idleMs: 60_000 } },
    { type: "ok" },
    undefined,
  ],
  ["delete", (pith) => pith.delete("m.gguf"), { type: "delete", name: "m.gguf" }, { type: "ok" }, undefined],
  [
    "load in spite of all",
    (pith) => pith.load("language", { stored: "m.gguf" }, { force: true }),
    {
      type: "load",
      name: "language",
      source: { type: "stored", name: "m.gguf" },
      backend: "auto",
      contextTokens: null,
      cacheType: "f32",
      precision: "fast",
      force: true,
      tier: null,
    },
    { type: "loaded", model },
    model,
  ],
];

it.each(CALLS)("%s", async (_, call, request, result, expected) => {
  const { pith, script } = await start();
  const asked = call(pith);
  const message = await script.asked(request.type);
  expect(message.request).toEqual(request);
  script.send(message.id, { type: "done", result });
  expect(await asked).toEqual(expected);
});

it("export gives the files themselves", async () => {
  const { pith, script } = await start();
  const asked = pith.export("m.gguf");
  const { id } = await script.asked("export");
  script.send(id, { type: "done", result: { type: "files", names: ["m.gguf"], files: [new Blob(["GGUF"])] } });
  const { names, files } = await asked;
  expect(names).toEqual(["m.gguf"]);
  expect(await files[0]!.text()).toBe("GGUF");
});

it("a local file that is to be kept travels beside the request", async () => {
  const { pith, script } = await start();
  void pith.download(new File(["GGUF"], "m.gguf")).catch(() => {});
  const { request, files } = await script.asked("download");
  expect(request).toEqual({ type: "download", source: { type: "file" } });
  expect(files).toHaveLength(1);
});

it("progress has speed and time left where the worker says them", async () => {
  const { pith, script } = await start();
  const seen: unknown[] = [];
  const asked = pith.download({ url: URL_OF_M }, { onProgress: (progress) => seen.push(progress) });
  const { id } = await script.asked("download");
  script.send(id, { type: "progress", stage: "elsewhere", done: 0, total: 0 });
  script.send(id, { type: "progress", stage: "download", done: 1, total: 4, bytesPerS: 2, leftMs: 1500 });
  script.send(id, { type: "done", result: { type: "stored", model: stored } });
  await asked;
  expect(seen).toEqual([
    { stage: "elsewhere", done: 0, total: 0 },
    { stage: "download", done: 1, total: 4, bytesPerS: 2, leftMs: 1500 },
  ]);
});

describe("a pauser", () => {
  const of = (seen: { request: Request }[]) =>
    seen.map(({ request }) => request).filter(({ type }) => type === "pause" || type === "resume");

  it("holds its request and lets it go on, once for each change, and not after its end", async () => {
    const { pith, script } = await start();
    const pauser = new Pauser();
    const asked = pith.download({ url: URL_OF_M }, { pauser });
    const { id } = await script.asked("download");
    pauser.pause();
    pauser.pause();
    expect(pauser.paused).toBe(true);
    pauser.resume();
    expect(pauser.paused).toBe(false);
    await script.asked("resume");
    script.send(id, { type: "done", result: { type: "stored", model: stored } });
    await asked;
    pauser.pause();
    await pith.status();
    expect(of(script.seen)).toEqual([
      { type: "pause", target: id },
      { type: "resume", target: id },
    ]);
  });

  it("that is paused already holds what begins, and forgets what is cancelled", async () => {
    const { pith, script } = await start();
    const pauser = new Pauser();
    const stop = new AbortController();
    pauser.pause();
    const asked = pith.load("m", { url: URL_OF_M }, { pauser, signal: stop.signal });
    const { id } = await script.asked("load");
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    pauser.resume();
    await pith.status();
    expect(of(script.seen)).toEqual([{ type: "pause", target: id }]);
  });
});

describe("the browser is asked to keep what is stored", () => {
  const stub = (persisted: boolean | Error) => {
    const persist = vi.fn(async () => true);
    const asked = vi.fn(async () => {
      if (persisted instanceof Error) throw persisted;
      return persisted;
    });
    vi.stubGlobal("navigator", { storage: { persist, persisted: asked } });
    return { persist, asked };
  };

  it("once, when something is first downloaded, and not before", async () => {
    const { pith } = await start();
    const { persist, asked } = stub(false);
    void pith.fit({ url: URL_OF_M }).catch(() => {});
    void pith.load("a", { packaged: URL_OF_M }).catch(() => {});
    await pith.status();
    expect(asked).not.toHaveBeenCalled();
    void pith.load("a", { url: URL_OF_M }).catch(() => {});
    void pith.download({ url: URL_OF_M }).catch(() => {});
    await pith.status();
    expect(asked).toHaveBeenCalledOnce();
    expect(persist).toHaveBeenCalledOnce();
  });

  it.each([
    ["it does so already", true],
    ["it refuses to tell", new Error("no")],
  ])("not where %s", async (_, persisted) => {
    const { pith } = await start();
    const { persist } = stub(persisted);
    void pith.download({ url: URL_OF_M }).catch(() => {});
    await pith.status();
    expect(persist).not.toHaveBeenCalled();
  });
});
