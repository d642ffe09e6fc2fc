// The browsers' built-in AI on a real model: context accounting, life cycle, overflow, errors, progress of a download.

import { existsSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { MINILM_FILE, ROOT, SMOLLM2_FILE } from "../../harness/paths.ts";
import type { Site } from "../../harness/server.ts";
import type * as BuiltIn from "../../../web/src/built-in/index.ts";

test.use({ withExtension: false });
test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");

type Global = { builtIn: typeof BuiltIn };

/** A page with the classes, on models that come with the site. */
async function open(page: Page, site: Site, contextTokens = 512): Promise<void> {
  site.mount("/client/", resolve(ROOT, "web"));
  await page.goto(site.url("/news/"));
  const files = { model: basename(SMOLLM2_FILE), embedder: basename(MINILM_FILE), contextTokens };
  await page.evaluate(async ({ model, embedder, contextTokens }) => {
    const builtIn = (await import(
      /* @vite-ignore */ `${location.origin}/client/dist/built-in/index.js`
    )) as typeof BuiltIn;
    builtIn.configure({
      model: { packaged: `/models/${model}` },
      embedder: { packaged: `/models/${embedder}` },
      load: { backend: "cpu", contextTokens },
    });
    (globalThis as unknown as Global).builtIn = builtIn;
  }, files);
}

test("a session answers, counts its context exactly, and is copied", async ({ page, site }, info) => {
  test.setTimeout(300_000);
  await open(page, site);
  const seen = await page.evaluate(async () => {
    const { LanguageModel } = (globalThis as unknown as Global).builtIn;
    const available = await LanguageModel.availability();
    const shares: number[] = [];
    const session = await LanguageModel.create({
      samplingMode: "most-predictable",
      initialPrompts: [{ role: "system", content: "You answer in one short sentence." }],
      monitor: (monitor) =>
        monitor.addEventListener("downloadprogress", (event) => shares.push((event as ProgressEvent).loaded)),
    });
    const start = session.contextUsage;
    const question = "Which color is the sky on a clear day?";
    const cost = await session.measureContextUsage(question);
    const answer = await session.prompt(question);
    const usage = session.contextUsage;
    const answerCost = await session.measureContextUsage([{ role: "assistant", content: answer }]);
    const copy = await session.clone();
    const same = copy.contextUsage === usage;
    let streamed = "";
    const reader = copy.promptStreaming("And at night?").getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) streamed += next.value;
    const begun = await session.prompt([
      { role: "user", content: "Say hello." },
      { role: "assistant", content: "Hello, dear", prefix: true },
    ]);
    return {
      available,
      shares,
      start,
      cost,
      answer,
      usage,
      answerCost,
      same,
      streamed,
      copied: copy.contextUsage,
      begun,
      window: session.contextWindow,
    };
  });
  info.annotations.push({ type: "answer", description: seen.answer });
  expect(seen.available).toBe("available");
  expect(seen.window).toBe(512);
  expect(seen.answer).toMatch(/blue/i);
  expect(seen.start).toBeGreaterThan(5);
  expect(seen.usage).toBe(seen.start + seen.cost + seen.answerCost);
  expect(seen.same).toBe(true);
  expect(seen.streamed.length).toBeGreaterThan(3);
  expect(seen.copied).toBeGreaterThan(seen.usage);
  expect(seen.begun).not.toMatch(/^Hello, dear/);
  // First 0, last 1, each greater than the last, in steps of 1/65,536.
  expect(seen.shares[0]).toBe(0);
  expect(seen.shares.at(-1)).toBe(1);
  for (const [at, share] of seen.shares.entries()) {
    expect(Number.isInteger(share * 65_536)).toBe(true);
    if (at > 0) expect(share).toBeGreaterThan(seen.shares[at - 1]!);
  }
});

test("the oldest turns make room; what can never fit is refused", async ({ page, site }) => {
  test.setTimeout(300_000);
  await open(page, site, 192);
  const seen = await page.evaluate(async () => {
    const { LanguageModel } = (globalThis as unknown as Global).builtIn;
    const session = await LanguageModel.create({
      samplingMode: "most-predictable",
      initialPrompts: [{ role: "system", content: "Be brief." }],
    });
    let overflows = 0;
    session.oncontextoverflow = () => {
      overflows += 1;
    };
    const start = session.contextUsage;
    const usages = [];
    for (let turn = 0; turn < 6; turn++) {
      await session.append(`Note ${turn}: ${"the river is wide and slow ".repeat(6)}`);
      usages.push(session.contextUsage);
    }
    const long = "word ".repeat(400);
    const error = await session.prompt(long).catch((error: unknown) => error);
    const { name, requested, quota } = error as { name: string; requested: number; quota: number };
    return { overflows, start, usages, name, requested, quota, window: session.contextWindow };
  });
  expect(seen.overflows).toBeGreaterThan(0);
  for (const usage of seen.usages) expect(usage).toBeLessThanOrEqual(seen.window);
  expect(seen.usages.at(-1)).toBeGreaterThan(seen.start);
  expect(seen.name).toBe("QuotaExceededError");
  expect(seen.requested).toBeGreaterThan(seen.quota);
});

test("ends, aborts and bad inputs fail as the specification says", async ({ page, site }) => {
  test.setTimeout(300_000);
  await open(page, site);
  const seen = await page.evaluate(async () => {
    const { LanguageModel, Summarizer } = (globalThis as unknown as Global).builtIn;
    const name = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => "fulfilled",
        (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
      );
    const reason = new Error("mine");
    const controller = new AbortController();
    const found: Record<string, unknown> = {};
    controller.abort(reason);
    found["create, aborted"] =
      (await LanguageModel.create({ signal: controller.signal }).catch((error: unknown) => error)) === reason;
    found["monitor that throws"] = await name(
      LanguageModel.create({
        monitor: () => {
          throw new RangeError("mine");
        },
      }),
    );
    found["bad tag"] = await name(
      LanguageModel.create({ expectedInputs: [{ type: "text", languages: ["not a language"] }] }),
    );
    found["image"] = await name(LanguageModel.create({ expectedInputs: [{ type: "image" }] }));
    found["availability of images"] = await LanguageModel.availability({ expectedInputs: [{ type: "image" }] });
    found["unknown type"] = await name(Summarizer.create({ type: "poem" as "tldr" }));
    const session = await LanguageModel.create();
    found["empty"] = await name(session.append([]));
    found["system, later"] = await name(session.append([{ role: "system", content: "Be brief." }]));
    found["prefix"] = await name(session.prompt([{ role: "user", content: "a", prefix: true }]));
    found["picture"] = await name(session.prompt([{ role: "user", content: [{ type: "image", value: 1 }] }]));
    found["role"] = await name(session.prompt([{ role: "robot", content: "a" }]));
    found["constraint"] = await name(session.prompt("a", { responseConstraint: { type: "color" } }));
    found["flags"] = await name(session.prompt("a", { responseConstraint: /a/i }));
    found["constrained"] = JSON.parse(
      await session.prompt("Invent a pet.", {
        responseConstraint: {
          type: "object",
          properties: { legs: { enum: [2, 4] } },
          required: ["legs"],
          additionalProperties: false,
        },
        omitResponseConstraintInput: true,
      }),
    ).legs;
    found["pattern"] = await session.prompt("Is the sky green?", { responseConstraint: /^(yes|no)$/ });
    const stop = new AbortController();
    const pending = session.prompt("Count to one hundred.", { signal: stop.signal });
    setTimeout(() => stop.abort(reason), 30);
    found["prompt, aborted"] = (await pending.catch((error: unknown) => error)) === reason;
    found["after an abort"] = await name(session.prompt("Say yes."));
    const left = name(session.prompt("Count to one hundred."));
    setTimeout(() => session.destroy(), 100);
    found["destroyed while it writes"] = await left;
    found["destroyed"] = await name(session.prompt("a"));
    const late = new AbortController();
    const other = await LanguageModel.create({ signal: late.signal });
    late.abort(reason);
    found["signal of create, later"] = (await other.prompt("a").catch((error: unknown) => error)) === reason;
    return found;
  });
  expect(seen).toEqual({
    "create, aborted": true,
    "monitor that throws": "RangeError",
    "bad tag": "RangeError",
    image: "NotSupportedError",
    "availability of images": "unavailable",
    "unknown type": "TypeError",
    empty: "fulfilled",
    "system, later": "TypeError",
    prefix: "SyntaxError",
    picture: "NotSupportedError",
    role: "TypeError",
    constraint: "NotSupportedError",
    flags: "NotSupportedError",
    constrained: expect.any(Number),
    pattern: expect.stringMatching(/^(yes|no)$/),
    "prompt, aborted": true,
    "after an abort": "fulfilled",
    "destroyed while it writes": "AbortError",
    destroyed: "AbortError",
    "signal of create, later": true,
  });
});

test(
  "summarizer, writer, rewriter and embedder do their work; a download tells its progress",
  { tag: "@long" },
  async ({ page, site }, info) => {
    test.setTimeout(400_000);
    await open(page, site);
    const seen = await page.evaluate(async () => {
      const { Rewriter, SemanticEmbedder, Summarizer, Translator, Writer, install } = (globalThis as unknown as Global)
        .builtIn;
      const text =
        "The city library has opened a department in which nothing can be read. On its shelves lie 340 objects that " +
        "members may borrow for two weeks. The city paid 60,000 euros for the first of them.";
      const summarizer = await Summarizer.create({ type: "headline", format: "plain-text", length: "short" });
      const headline = await summarizer.summarize(text, { context: "News of the town." });
      const cost = await summarizer.measureInputUsage(text);
      let points = "";
      const reader = (await Summarizer.create()).summarizeStreaming(text).getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) points += next.value;
      const long = await summarizer.summarize("word ".repeat(2000)).catch((error: unknown) => (error as Error).name);
      const written = await (await Writer.create({ tone: "casual" })).write("An invitation to a garden party");
      const rewritten = await (await Rewriter.create({ tone: "more-formal" })).rewrite("hey, can u send the file?");
      const translator = await Translator.create({ sourceLanguage: "EN", targetLanguage: "de-at" });
      const translated = await translator.translate("Good morning.");
      const badPair = await Translator.create({ sourceLanguage: "en", targetLanguage: "not a tag" }).catch(
        (error: unknown) => (error as Error).name,
      );
      const embedder = await SemanticEmbedder.create();
      const { embeddings } = await embedder.embed(["A cat sleeps.", "A kitten naps."]);
      const [a, b] = embeddings;
      return {
        headline,
        cost,
        quota: summarizer.inputQuota,
        points,
        long,
        written,
        rewritten,
        cosine: a!.values.reduce((sum, value, at) => sum + value * b!.values[at]!, 0),
        translated,
        pair: [translator.sourceLanguage, translator.targetLanguage],
        badPair,
        set: install({ force: true }),
        again: install(),
        global: "SemanticEmbedder" in globalThis,
      };
    });
    info.annotations.push({ type: "headline", description: seen.headline });
    for (const text of [seen.headline, seen.points, seen.written, seen.rewritten])
      expect(text.length).toBeGreaterThan(5);
    expect(seen.cost).toBeGreaterThan(40);
    expect(seen.cost).toBeLessThan(seen.quota);
    expect(seen.long).toBe("QuotaExceededError");
    expect(seen.cosine).toBeGreaterThan(0.5);
    expect(seen.set.sort()).toEqual([
      "LanguageDetector",
      "LanguageModel",
      "LanguageModelToolCall",
      "LanguageModelToolError",
      "LanguageModelToolSuccess",
      "Rewriter",
      "SemanticEmbedder",
      "Summarizer",
      "Translator",
      "Writer",
    ]);
    expect(seen.again, "nothing is replaced that there is").toEqual([]);
    expect(seen.translated.length).toBeGreaterThan(2);
    expect(seen.pair).toEqual(["en", "de-AT"]);
    expect(seen.badPair).toBe("RangeError");
    expect(seen.global).toBe(true);

    // The embedding model by URL: downloadable, then downloading, then available.
    site.mount("/hub/", dirname(MINILM_FILE));
    const progress = await page.evaluate(
      async (url) => {
        const { configure, SemanticEmbedder } = (globalThis as unknown as Global).builtIn;
        configure({ embedder: { url } });
        // A script that a test evaluates counts as a click, for five seconds.
        while (navigator.userActivation.isActive) await new Promise((resolve) => setTimeout(resolve, 100));
        // A script that a test evaluates counts as a click, for five seconds.
        while (navigator.userActivation.isActive) await new Promise((resolve) => setTimeout(resolve, 100));
        const states = [await SemanticEmbedder.availability()];
        const shares: number[] = [];
        const creating = SemanticEmbedder.create({
          monitor: (monitor) =>
            monitor.addEventListener("downloadprogress", (event) => shares.push((event as ProgressEvent).loaded)),
        }).catch((error: unknown) => (error as Error).name);
        const made = await creating;
        states.push(await SemanticEmbedder.availability());
        return { states, shares, made: typeof made === "string" ? made : "made" };
      },
      site.url(`/hub/${basename(MINILM_FILE)}`),
    );
    // Without a click a download is not begun.
    expect(progress).toEqual({ states: ["downloadable", "downloadable"], shares: [], made: "NotAllowedError" });
    const clicked = await page.evaluate(async () => {
      const { SemanticEmbedder } = (globalThis as unknown as Global).builtIn;
      const button = document.createElement("button");
      button.id = "create";
      button.textContent = "create";
      document.body.prepend(button);
      const shares: number[] = [];
      Object.assign(globalThis, {
        made: new Promise((resolve) =>
          button.addEventListener("click", () => {
            const creating = SemanticEmbedder.create({
              monitor: (monitor) =>
                monitor.addEventListener("downloadprogress", (event) => shares.push((event as ProgressEvent).loaded)),
            });
            resolve(
              creating.then(
                async () => ({ shares, state: await SemanticEmbedder.availability() }),
                (error: unknown) => String(error),
              ),
            );
          }),
        ),
      });
      return true;
    });
    expect(clicked).toBe(true);
    await page.click("#create");
    const made = (await page.evaluate(() => (globalThis as unknown as { made: Promise<unknown> }).made)) as {
      shares: number[];
      state: string;
    };
    expect(made.state).toBe("available");
    expect(made.shares[0]).toBe(0);
    expect(made.shares.at(-1)).toBe(1);
    expect(made.shares.length).toBeGreaterThan(2);
  },
);
