import { afterEach, describe, expect, it, vi } from "vitest";
import { type Answer, type Pith, PithError } from "../src/index.js";
import { answer, model, openScripted, page, stats, status, summary } from "./endpoint.js";

let open: Pith | undefined;
afterEach(() => open?.close());

async function start() {
  const { pith, script } = await openScripted();
  open = pith;
  return { pith, script };
}

describe("requests", () => {
  it("answers status after open", async () => {
    const { pith } = await start();
    expect(pith.alive).toBe(true);
    expect(await pith.status()).toEqual(status);
  });

  it("loads a packaged model with its options and reports progress", async () => {
    const { pith, script } = await start();
    const seen: unknown[] = [];
    const loading = pith.load(
      "embedding",
      { packaged: "https://example.org/m.gguf" },
      { backend: "cpu", contextTokens: 128, cacheType: "q8_0", onProgress: (progress) => seen.push(progress) },
    );
    const { id, request } = await script.asked("load");
    expect(request).toEqual({
      type: "load",
      name: "embedding",
      source: { type: "packaged", url: "https://example.org/m.gguf" },
      backend: "cpu",
      contextTokens: 128,
      cacheType: "q8_0",
      precision: "fast",
      force: false,
      tier: null,
    });
    script.send(id, { type: "progress", stage: "load", done: 1, total: 2 });
    script.send(id, { type: "done", result: { type: "loaded", model } });
    expect(await loading).toEqual(model);
    expect(seen).toEqual([{ stage: "load", done: 1, total: 2 }]);
  });

  it.each([
    ["a picked file", 1],
    ["all files of a split model", 3],
  ])("sends %s beside the request", async (_, count) => {
    const { pith, script } = await start();
    const picked = Array.from({ length: count }, (_, at) => new File(["GGUF"], `tiny-${at}.gguf`));
    const loading = pith.load("language", count === 1 ? picked[0]! : new Set(picked));
    const { id, request, files } = await script.asked("load");
    expect(request).toMatchObject({
      source: { type: "file" },
      backend: "auto",
      contextTokens: null,
      cacheType: "f32",
    });
    expect(files).toHaveLength(count);
    for (const file of files as unknown[]) expect(file).toBeInstanceOf(Blob);
    script.send(id, { type: "done", result: { type: "loaded", model } });
    await loading;
  });

  it("loads an adapter from each kind of source, and requests name it", async () => {
    const { pith, script } = await start();
    const inputs = [
      [{ packaged: "https://example.org/a.gguf" }, { type: "packaged", url: "https://example.org/a.gguf" }, undefined],
      [{ url: new URL("https://example.org/b.gguf") }, { type: "url", url: "https://example.org/b.gguf" }, undefined],
      [{ stored: "d.gguf" }, { type: "stored", name: "d.gguf" }, undefined],
      [{ file: new File(["GGUF"], "c.gguf") }, { type: "file" }, 1],
    ] as const;
    for (const [input, source, count] of inputs) {
      const loading = pith.loadLora("language", { name: "poet", ...input });
      await pith.status();
      const { id, request, files } = script.seen.findLast((message) => message.request.type === "loadLora")!;
      expect(request).toEqual({ type: "loadLora", model: "language", name: "poet", source });
      expect((files as unknown[] | undefined)?.length).toBe(count);
      script.send(id, { type: "done", result: { type: "loaded", model: { ...model, loras: ["poet"] } } });
      expect((await loading).loras).toEqual(["poet"]);
    }
    const lora = { name: "poet", scale: 0.5 };
    void pith.generate("language", "Once", { lora }).result.catch(() => {});
    void pith.embed("language", ["a"], { lora }).catch(() => {});
    void pith.evaluate("language", [1], { lora }).catch(() => {});
    for (const type of ["generate", "embed", "evaluate"] as const)
      expect((await script.asked(type)).request).toMatchObject({ lora });
  });

  it("gives each answer to its own request, in whatever order they come", async () => {
    const { pith, script } = await start();
    const first = pith.embed("embedding", ["a"]);
    const second = pith.tokenize("embedding", "b");
    const embed = await script.asked("embed");
    const tokenize = await script.asked("tokenize");
    script.send(tokenize.id, { type: "done", result: { type: "ids", ids: [5] } });
    script.send(embed.id, { type: "done", result: { type: "vectors", vectors: [new Float32Array([1, 0])] } });
    expect(await second).toEqual([5]);
    expect(await first).toEqual([new Float32Array([1, 0])]);
  });

  it("gives the draft before the summary", async () => {
    const { pith, script } = await start();
    const order: number[] = [];
    const asked = pith.summarize(page, { length: "short", onDraft: ({ words }) => order.push(words) });
    const { id, request } = await script.asked("summarize");
    expect(request).toMatchObject({ page, options: { length: "short" } });
    script.send(id, { type: "draft", summary });
    script.send(id, {
      type: "done",
      result: { type: "summary", summary: { ...summary, words: 5 }, handle: "a" },
    });
    order.push((await asked).words);
    expect(order).toEqual([4, 5]);
  });

  it("returns no passages where nothing answers", async () => {
    const { pith, script } = await start();
    const asked = pith.ask(page, "Why?", { limit: 2 });
    const { id, request } = await script.asked("ask");
    expect(request).toMatchObject({ question: "Why?", limit: 2, writer: null, history: [] });
    script.send(id, { type: "done", result: { type: "answer", answer, handle: "a" } });
    expect(await asked).toEqual(answer);
  });

  it("gives the drafts of an answer before the answer", async () => {
    const { pith, script } = await start();
    const drafts: Answer[] = [];
    const history = [{ question: "When?", answer: "In May." }];
    const asked = pith.ask(page, "Why?", { writer: "language", history, onDraft: (draft) => drafts.push(draft) });
    const { id, request } = await script.asked("ask");
    expect(request).toMatchObject({ writer: "language", history, unsupported: "replace", variant: 0 });
    script.send(id, { type: "answerDraft", answer });
    script.send(id, { type: "done", result: { type: "answer", answer: { ...answer, timeMs: 9 }, handle: "a" } });
    expect((await asked).timeMs).toBe(9);
    expect(drafts).toEqual([answer]);
  });

  it("sends a page once, and again to a worker that does not have it", async () => {
    const { pith, script } = await start();
    const own = { ...page };
    const first = pith.ask(own, "One?");
    const one = await script.asked("ask");
    expect(one.request).toMatchObject({ page: own });
    script.send(one.id, { type: "done", result: { type: "answer", answer, handle: "a" } });
    await first;
    const second = pith.suggestQuestions(own);
    const two = await script.asked("suggestQuestions");
    expect(two.request).toEqual({ type: "suggestQuestions", page: { handle: "a" } });
    const error = { code: "page_unknown" as const, message: "", help: "", detail: "" };
    script.send(two.id, { type: "failed", error });
    const last = async (request: object): Promise<number> => {
      await vi.waitFor(() => expect(script.seen.at(-1)?.request).toMatchObject(request));
      return script.seen.at(-1)!.id;
    };
    const three = await last({ type: "suggestQuestions", page: own });
    script.send(three, { type: "done", result: { type: "questions", questions: ["Why?"], handle: "b" } });
    expect(await second).toEqual(["Why?"]);
    pith.ask(own, "Two?").catch(() => {});
    await last({ question: "Two?", page: { handle: "b" } });
    pith.ask({ ...own }, "Three?").catch(() => {});
    await last({ question: "Three?", page: own });
  });

  it("evaluates with defaults", async () => {
    const { pith, script } = await start();
    const asked = pith.evaluate("language", [1, 2]);
    const { id, request } = await script.asked("evaluate");
    expect(request).toEqual({ type: "evaluate", model: "language", ids: [1, 2], first: 0, decode: [], lora: null });
    script.send(id, { type: "done", result: { type: "logits", rows: 1, cols: 2, values: new Float32Array([3, 4]) } });
    expect(await asked).toEqual({ rows: 1, cols: 2, values: new Float32Array([3, 4]) });
  });
});

describe("generate", () => {
  const text = (whole: string) => ({
    type: "done" as const,
    result: {
      type: "text" as const,
      text: whole,
      message: null,
      ids: [1, 2],
      logprobs: null,
      finishReason: "stop" as const,
      stats,
    },
  });

  it("streams pieces and ends with the result", async () => {
    const { pith, script } = await start();
    const generation = pith.generate("language", "Once", { maxTokens: 3, sampling: { temperature: 0.5 } });
    const { id, request } = await script.asked("generate");
    expect(request).toMatchObject({
      prompt: { type: "text", text: "Once" },
      maxTokens: 3,
      stop: [],
      sampling: { temperature: 0.5 },
      overflow: { type: "stop" },
      promptLookup: true,
    });
    for (const piece of [" upon", " a", " time"]) script.send(id, { type: "token", text: piece });
    script.send(id, text(" upon a time"));
    const pieces: string[] = [];
    for await (const piece of generation) pieces.push(piece);
    expect(pieces).toEqual([" upon", " a", " time"]);
    expect(await generation.result).toEqual({
      text: " upon a time",
      message: null,
      ids: [1, 2],
      logprobs: null,
      finishReason: "stop",
      stats,
    });
  });

  it("gives the result to who does not iterate", async () => {
    const { pith, script } = await start();
    const generation = pith.generate("language", { type: "ids", ids: [1] });
    const { id } = await script.asked("generate");
    script.send(id, text("x"));
    expect((await generation.result).text).toBe("x");
  });

  it("cancels when the loop is left", async () => {
    const { pith, script } = await start();
    const generation = pith.generate("language", "Once");
    const { id } = await script.asked("generate");
    script.send(id, { type: "token", text: "a" });
    for await (const piece of generation) {
      expect(piece).toBe("a");
      break;
    }
    expect((await script.asked("cancel")).request).toEqual({ type: "cancel", target: id });
    await expect(generation.result).rejects.toMatchObject({ name: "AbortError" });
  });

  it("throws the worker's error inside the loop", async () => {
    const { pith, script } = await start();
    const generation = pith.generate("nobody", "Once");
    const { id } = await script.asked("generate");
    const error = { code: "model_not_loaded" as const, message: "No model.", help: "Load one.", detail: "nobody" };
    script.send(id, { type: "failed", error });
    const loop = async () => {
      for await (const piece of generation) expect(piece).toBe("never");
    };
    await expect(loop()).rejects.toMatchObject(error);
  });
});

describe("ends", () => {
  it("an abort rejects at once, sends cancel, and ignores what comes later", async () => {
    const { pith, script } = await start();
    const stop = new AbortController();
    const asked = pith.summarize(page, { signal: stop.signal });
    const { id } = await script.asked("summarize");
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: "AbortError" });
    expect((await script.asked("cancel")).request).toEqual({ type: "cancel", target: id });
    script.send(id, { type: "failed", error: { code: "cancelled", message: "", help: "", detail: "" } });
    expect((await pith.status()).wasmHeapBytes).toBe(7);
  });

  it("a signal that is aborted already sends nothing", async () => {
    const { pith, script } = await start();
    await expect(pith.embed("m", ["a"], { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    await pith.status();
    expect(script.seen.map(({ request }) => request.type)).not.toContain("embed");
  });

  it("says what a template is given in the protocol's words", async () => {
    const { pith, script } = await start();
    const now = new Date(2026, 1, 3, 4, 5, 6);
    const asked = pith.applyTemplate({ text: "{{ a }}" }, null, { variables: { a: 1 }, now });
    const { id, request } = await script.asked("applyTemplate");
    expect(request).toEqual({
      type: "applyTemplate",
      template: { type: "text", text: "{{ a }}" },
      messages: null,
      variables: { a: 1 },
      now: { year: 2026, month: 2, day: 3, hour: 4, minute: 5, second: 6 },
    });
    script.send(id, { type: "done", result: { type: "plain", text: "1" } });
    expect(await asked).toBe("1");
  });

  it("a failure is a PithError with code and help", async () => {
    const { pith, script } = await start();
    const loading = pith.load("m", { url: "https://example.org/m.gguf" });
    const { id } = await script.asked("load");
    const error = {
      code: "not_gguf" as const,
      message: "This is not a GGUF file.",
      help: "Pick another.",
      detail: "magic",
    };
    script.send(id, { type: "failed", error });
    const thrown: unknown = await loading.catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(PithError);
    expect((thrown as PithError).toData()).toEqual(error);
  });

  it("a worker that fails as a whole rejects everything that is open and everything after", async () => {
    const { pith, script } = await start();
    const both = [pith.embed("m", ["a"]), pith.generate("m", "b").result];
    await script.asked("generate");
    script.send(0, { type: "fatal", error: { code: "internal", message: "Gone.", help: "", detail: "trap" } });
    for (const one of both) await expect(one).rejects.toMatchObject({ code: "worker_died" });
    await expect(pith.status()).rejects.toMatchObject({ code: "worker_died" });
    expect(pith.alive).toBe(false);
  });

  it("close rejects with its own code", async () => {
    const { pith } = await start();
    const asked = pith.embed("m", ["a"]);
    pith.close();
    await expect(asked).rejects.toMatchObject({ code: "closed" });
  });

  it("an outcome of another kind is an error, not a wrong value", async () => {
    const { pith, script } = await start();
    const asked = pith.tokenize("m", "a");
    const { id } = await script.asked("tokenize");
    script.send(id, { type: "done", result: { type: "ok" } });
    await expect(asked).rejects.toMatchObject({ code: "unexpected_reply", detail: "wanted ids, got ok" });
  });
});
