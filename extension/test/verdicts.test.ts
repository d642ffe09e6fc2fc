// What language models may write: who finds it out, what is offered then, and what of their text is shown.
import type { ModelInfo, Progress, Summary, Support, WriterTier, WrittenText } from "@pith/web";
import { knownModels } from "@pith/web/models";
import { beforeEach, describe, expect, it } from "vitest";
import { actionsFor, allowedSummary, kindsFor, mayActFreely, mayCompose } from "../src/allowed.js";
import type { Engine } from "../src/host/engine.js";
import { knownTier, Verdicts } from "../src/host/verdicts.js";
import { withoutRepetition } from "../src/host/writers/added.js";
import type { LocalWriter } from "../src/roles.js";
import type { Settings } from "../src/wire.js";

const writer = (tier: WriterTier | null): LocalWriter => ({
  type: "local",
  name: "a.gguf",
  title: "A",
  source: null,
  tier,
});
const wish = (tier: WriterTier | null, kind: Settings["kind"], targetLanguage: string | null = null): Settings => ({
  backend: "cpu",
  length: "short",
  writer: writer(tier),
  encoder: null,
  kind,
  targetLanguage,
  unsupported: "replace",
});

describe("a test", () => {
  let info: ModelInfo;
  let tests: { signal: AbortSignal; onProgress(progress: Progress): void; end(tier: WriterTier): void; fail(): void }[];
  let verdicts: Verdicts;
  let idle: number;

  beforeEach(() => {
    info = { tier: null } as ModelInfo;
    tests = [];
    idle = 0;
    const testWriter = (_: string, options: { signal: AbortSignal; onProgress(progress: Progress): void }) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener("abort", () => reject(options.signal.reason as Error));
        tests.push({ ...options, end: (tier) => resolve({ tier }), fail: () => reject(new Error("lost")) });
      });
    const engine = { loadWriter: async () => info, pith: async () => ({ testWriter }) };
    verdicts = new Verdicts(engine as unknown as Engine);
    verdicts.onIdle = () => (idle += 1);
  });

  const ask = (stop = new AbortController(), onProgress: (progress: Progress) => void = () => {}) =>
    verdicts.tierOf("a.gguf", "cpu", stop.signal, onProgress);
  const tick = () => new Promise((resolve) => setTimeout(resolve));

  it("runs once for all who wait, and all see its progress", async () => {
    const seen: string[] = [];
    const first = ask(undefined, ({ done }) => seen.push(`a${done}`));
    await tick();
    const second = ask(undefined, ({ done }) => seen.push(`b${done}`));
    await tick();
    expect(tests.length).toBe(1);
    expect(verdicts.isBusy).toBe(true);
    tests[0]!.onProgress({ stage: "test", done: 3, total: 16 });
    tests[0]!.end("shorten");
    expect(await Promise.all([first, second])).toEqual(["shorten", "shorten"]);
    expect(seen).toEqual(["a3", "b3"]);
    expect([verdicts.isBusy, idle]).toEqual([false, 1]);
    // It is known from then on.
    expect(await ask()).toBe("shorten");
    expect(tests.length).toBe(1);
  });

  it("is not run where the verdict is known", async () => {
    info.tier = "chat";
    expect(await ask()).toBe("chat");
    expect(tests).toEqual([]);
  });

  it("goes on while somebody waits, and ends with the last one", async () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const waiting = [ask(a), ask(b)].map((one) => one.catch((error: Error) => error.name));
    await tick();
    a.abort();
    await tick();
    expect(tests[0]!.signal.aborted).toBe(false);
    b.abort();
    expect(await Promise.all(waiting)).toEqual(["AbortError", "AbortError"]);
    expect(tests[0]!.signal.aborted).toBe(true);
    // The next one begins anew.
    const next = ask();
    await tick();
    tests[1]!.end("write");
    expect(await next).toBe("write");
  });

  it("that fails is run again by the next one", async () => {
    const first = ask();
    await tick();
    tests[0]!.fail();
    await expect(first).rejects.toThrow("lost");
    const second = ask();
    await tick();
    tests[1]!.end("none");
    expect(await second).toBe("none");
  });

  it("is not needed of a file whose verdict is data", () => {
    const files = knownModels.flatMap((model) => [model, ...(model.otherFiles ?? [])]);
    for (const { sha256, verdict } of files)
      if (sha256) expect(knownTier({ sha256: [sha256] })).toBe(verdict?.tier ?? null);
    expect(knownTier({ sha256: ["0".repeat(64)] })).toBe(null);
    expect(knownTier({ sha256: [null] })).toBe(null);
  });
});

describe("what a model may not write is not offered", () => {
  it.each([
    [null, 5, true, 5, true],
    ["write", 5, true, 5, true],
    ["shorten", 1, false, 3, true],
    ["chat", 0, false, 3, true],
    ["none", 0, false, 1, false],
  ] as const)("with the verdict %s", (tier, kinds, composes, actions, isFree) => {
    const one = writer(tier);
    expect([kindsFor(one).length, mayCompose(one), actionsFor(one).length, mayActFreely(one)]).toEqual([
      kinds,
      composes,
      actions,
      isFree,
    ]);
    // Key sentences of a selection need nobody.
    expect(actionsFor(one)).toContain("summarize");
  });

  it("offers everything where nobody writes, and where a server does", () => {
    const server = { type: "server", host: "a", model: "b" } as const;
    for (const one of [null, server]) expect([kindsFor(one).length, mayActFreely(one)]).toEqual([5, true]);
  });

  it("writes what was chosen as far as the model may", () => {
    expect(allowedSummary(wish("write", "headline", "de"))).toEqual({ kind: "headline", targetLanguage: "de" });
    expect(allowedSummary(wish("shorten", "headline", "de"))).toEqual({ kind: "keyPoints", targetLanguage: null });
    expect(allowedSummary(wish("chat", "keyPoints"))).toBe(null);
  });
});

describe("a written summary", () => {
  const summary = (...lines: [string, Support][]): Summary => {
    const text = { lines: lines.map(([text, support]) => ({ text, sources: [0], support })) } as unknown as WrittenText;
    return {
      lines: ["One is.", "Two is.", "Three is."].map((text) => ({ text })),
      written: text,
      notWritten: null,
    } as Summary;
  };
  const unwritten = { written: null, notWritten: "nothingAdded" };

  it("is none where its lines are the key sentences again", () => {
    expect(withoutRepetition(summary(["One is.", "copied"], ["two is", "supported"]))).toMatchObject(unwritten);
    expect(withoutRepetition(summary(["Other is.", "replaced"], ["One is.", "copied"]))).toMatchObject(unwritten);
    const few = summary(["One is.", "copied"], ["Two is.", "copied"], ["Three is.", "copied"], ["Third.", "supported"]);
    expect(withoutRepetition(few)).toMatchObject(unwritten);
  });

  it("stays where it says more", () => {
    for (const one of [
      summary(["One is.", "copied"], ["Second one.", "supported"]),
      summary(["Another sentence of the page.", "copied"]),
      summary(["What nobody says.", "unsupported"]),
    ])
      expect(withoutRepetition(one)).toBe(one);
    const none = { ...summary(), written: null } as Summary;
    expect(withoutRepetition(none)).toBe(none);
  });
});
