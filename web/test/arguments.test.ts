// Wrong arguments are errors that name them, and leave the worker alone.

import { afterEach, expect, it } from "vitest";
import { Pith, PithError } from "../src/index.js";
import { model, openScripted, page } from "./endpoint.js";

let open: Pith | undefined;
afterEach(() => open?.close());

async function start() {
  const { pith, script } = await openScripted();
  open = pith;
  return { pith, script };
}

/** For calls that the types do not allow. */
const wrong = (value: unknown): never => value as never;
const blob = new Blob(["GGUF"]);

const CALLS: [what: string, call: (pith: Pith) => Promise<unknown>, detail: string][] = [
  ["a Blob as a model", (pith) => pith.load("m", wrong(blob)), "[object Blob]"],
  ["several Blobs as a model", (pith) => pith.load("m", wrong([blob])), "[object Blob]"],
  ["no files", (pith) => pith.load("m", []), "not a File"],
  ["a text as a model", (pith) => pith.load("m", wrong("model.gguf")), "model.gguf"],
  ["no model", (pith) => pith.load("m", wrong(undefined)), "undefined"],
  ["a model of null", (pith) => pith.fit(wrong(null)), "null"],
  ["another object as a model", (pith) => pith.download(wrong({ uri: "a" })), "[object Object]"],
  ["a bad URL", (pith) => pith.load("m", { url: "http://[" }), "http://["],
  ["a bad URL of a packaged model", (pith) => pith.load("m", { packaged: "https://a:b:c" }), "https://a:b:c"],
  ["no URL", (pith) => pith.download(wrong({ url: undefined })), "undefined"],
  ["a number as a URL", (pith) => pith.download({ url: wrong(7) }), "7"],
  ["no LoRA adapter", (pith) => pith.loadLora("m", wrong(undefined)), "[object Object]"],
  ["a Blob as a LoRA adapter", (pith) => pith.loadLora("m", { name: "a", file: wrong(blob) }), "[object Blob]"],
  ["no prompt", (pith) => pith.generate("m", wrong(undefined)).result, "undefined"],
  ["a number as a prompt", (pith) => pith.generate("m", wrong(7)).result, "7"],
  ["a function in a request", (pith) => pith.embed("m", wrong([() => {}])), "DataCloneError"],
  ["no signal", (pith) => pith.embed("m", ["a"], { signal: wrong("now") }), "signal"],
  [
    "a controller as a signal",
    (pith) => pith.generate("m", "a", { signal: wrong(new AbortController()) }).result,
    "signal",
  ],
  [
    "a controller as a signal of unload",
    (pith) => pith.unload("m", { signal: wrong(new AbortController()) }),
    "signal",
  ],
];

it.each(CALLS)("%s is refused", async (_, call, detail) => {
  const { pith, script } = await start();
  const error: unknown = await call(pith).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(PithError);
  expect(error).toMatchObject({ code: "bad_argument", detail: expect.stringContaining(detail) });
  expect(script.seen.every(({ request }) => request.type === "status")).toBe(true);
  expect(pith.alive).toBe(true);
});

const UNKNOWN: [method: string, call: (pith: Pith, options: never) => Promise<unknown>][] = [
  ["load", (pith, options) => pith.load("m", { stored: "m" }, options)],
  ["loadLora", (pith, options) => pith.loadLora("m", { name: "a", stored: "m" }, options)],
  ["unload", (pith, options) => pith.unload("m", options)],
  ["embed", (pith, options) => pith.embed("m", ["a"], options)],
  ["tokenize", (pith, options) => pith.tokenize("m", "a", options)],
  ["detokenize", (pith, options) => pith.detokenize("m", [1], options)],
  ["applyTemplate", (pith, options) => pith.applyTemplate("m", [], options)],
  ["generate", (pith, options) => pith.generate("m", "a", options).result],
  ["evaluate", (pith, options) => pith.evaluate("m", [1], options)],
  ["fit", (pith, options) => pith.fit({ stored: "m" }, options)],
  ["download", (pith, options) => pith.download({ stored: "m" }, options)],
  ["verify", (pith, options) => pith.verify("m", options)],
  ["pin", (pith, options) => pith.pin("m", true, options)],
  ["export", (pith, options) => pith.export("m", options)],
  ["delete", (pith, options) => pith.delete("m", options)],
  ["memory", (pith, options) => pith.memory(options)],
  ["configure", (pith, options) => pith.configure({}, options)],
  ["summarize", (pith, options) => pith.summarize(page, options)],
  ["ask", (pith, options) => pith.ask(page, "?", options)],
  ["suggestQuestions", (pith, options) => pith.suggestQuestions(page, options)],
  ["testWriter", (pith, options) => pith.testWriter("m", options)],
];

it.each(UNKNOWN)("%s names an option that it does not have", async (_, call) => {
  const { pith, script } = await start();
  const refused = { code: "bad_argument", detail: "unknown option: max_tokens" };
  await expect(call(pith, wrong({ max_tokens: 5 }))).rejects.toMatchObject(refused);
  expect(script.seen).toHaveLength(1);
});

it("open names an option that it does not have", async () => {
  const refused = { code: "bad_argument", detail: "unknown option: workerURL" };
  await expect(Pith.open(wrong({ workerURL: "/worker.js" }))).rejects.toMatchObject(refused);
});

it("options of undefined or null are absent", async () => {
  const { pith, script } = await start();
  const options = {
    backend: undefined,
    contextTokens: undefined,
    force: undefined,
    signal: undefined,
    typo: undefined,
  };
  const loading = pith.load("m", { url: "https://example.org/m.gguf", sha256: wrong(undefined) }, wrong(options));
  const { id, request } = await script.asked("load");
  expect(request).toEqual({
    type: "load",
    name: "m",
    source: { type: "url", url: "https://example.org/m.gguf" },
    backend: "auto",
    contextTokens: null,
    cacheType: "f32",
    precision: "fast",
    force: false,
    tier: null,
  });
  script.send(id, { type: "done", result: { type: "loaded", model } });
  await loading;
  void pith.tokenize("m", "a", wrong(null)).catch(() => {});
  expect((await script.asked("tokenize")).request).toMatchObject({ addSpecial: false, parseSpecial: false });
});

it.each([
  ["an endpoint that is none", { endpoint: {} }, "bad_argument"],
  ["no worker, outside of browsers", {}, "worker_start"],
  ["a bad URL of the worker", { workerUrl: "http://[" }, "bad_argument"],
])("open with %s is a PithError", async (_, options, code) => {
  const error: unknown = await Pith.open(wrong(options)).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(PithError);
  expect(error).toMatchObject({ code });
});
