import { type Answer, type Passage, PithError, type Summary, type WriterTier, type WrittenText } from "@pith/web";
import { beforeEach, describe, expect, it } from "vitest";
import { interrupted } from "../src/kept.js";
import type { Engine } from "../src/host/engine.js";
import { rejectOn } from "../src/host/reject-on.js";
import { Session } from "../src/host/session.js";
import { gone } from "../src/host/writers/missing.js";
import type { AnswerWish } from "../src/host/writers/writer.js";
import type { EncoderUsed } from "../src/encoder-wire.js";
import type { Settings, TabState } from "../src/wire.js";
import type { WrittenSummary } from "../src/writing-wire.js";

const page = {
  title: "T",
  description: null,
  language: "en",
  blocks: [{ kind: "paragraph" as const, text: "One. Two." }],
};
const read = { coverage: { wordsVisible: 3, wordsRead: 2, leftOut: [] }, timeMs: 0, readMs: 0, isPrivate: false };
const settings: Settings = {
  backend: "cpu",
  length: "short",
  writer: null,
  encoder: null,
  kind: "keyPoints",
  targetLanguage: null,
  unsupported: "replace",
};
const writing: Settings = {
  ...settings,
  writer: { type: "local", name: "small.gguf", title: "Small", source: null, tier: null },
};
const summary: Summary = {
  title: "T",
  description: null,
  isDescribed: false,
  comments: null,
  kind: "prose",
  kindConfidence: 0,
  kinds: [],
  lines: [],
  language: "en",
  sentences: 2,
  words: 2,
  leftOut: { chars: 0, blocks: 0, sentences: 0 },
  written: null,
  notWritten: null,
  timeMs: 1,
};
const passage: Passage = { text: "One.", block: 0, start: 0, end: 4, score: 1, headers: [], code: null, speaker: null };
const written = (...lines: string[]): WrittenText => ({
  lines: lines.map((text) => ({ text, sources: [0], support: "supported" })),
  passages: [passage],
  by: "Small",
  backend: { kind: "cpu", device: "SIMD", reason: "It was chosen." },
  parts: 1,
  shareRead: 1,
  wordsRead: 2,
  promptTokens: 100,
  reusedTokens: 0,
  tokens: 10,
  contextTokens: 1024,
  firstLineMs: 1,
  timeMs: 2,
  thinkingTokens: 0,
  finishReason: "stop",
});
const answer: Answer = {
  passages: [],
  answered: false,
  reason: "notOnPage",
  leftOut: { chars: 0, blocks: 0, sentences: 0 },
  language: "en",
  backend: null,
  withoutEncoder: null,
  written: null,
  notWritten: null,
  timeMs: 1,
};
const answered: Answer = { ...answer, passages: [passage], answered: true, reason: "answered" };
const tick = () => new Promise((resolve) => setTimeout(resolve));

/** What a request is made with. */
interface Wish extends Partial<AnswerWish> {
  writer?: string;
  length?: string;
  kind?: string;
  targetLanguage?: string;
  signal?: AbortSignal;
  onDraft?: (draft: unknown) => void;
}

/** An engine whose encoder loads when the test says so. */
class Slow {
  loaded = false;
  asked: string[] = [];
  /** What the next requests fail with. */
  failures: string[] = [];
  #finish: (error?: unknown) => void = () => {};
  /** A summary takes until it is stopped. */
  isSlow = false;
  forWriting = (): this => this;
  /** What a question finds. */
  found = answer;
  /** Models of the store. */
  stored = ["small.gguf"];
  /** The conversations that questions came with. */
  histories: unknown[] = [];
  /** What the language model was asked with, and how it goes on to its second line. */
  wishes: Wish[] = [];
  writeOn: (() => void)[] = [];
  pith = async () => ({
    summarize: async (_: unknown, options: Wish) => {
      if (options.writer) return this.#write({ ...summary, lines: this.lines }, options);
      this.asked.push("summarize");
      const code = this.failures.shift();
      if (code) throw new PithError({ code, message: code });
      if (this.isSlow) await rejectOn(options.signal ?? new AbortController().signal);
      return summary;
    },
    ask: async (_: unknown, question: string, options: Wish) => {
      if (options.writer) return this.#write(this.found, options);
      this.asked.push(question);
      this.histories.push(options.history);
      return this.found;
    },
    suggestQuestions: async () => ["Why one?"],
  });
  /** The key sentences that stand under what the model writes. */
  lines: Passage[] = [];
  /** What the model may write. */
  tier: WriterTier = "write";
  verdicts = {
    tierOf: async (name: string): Promise<WriterTier> => {
      await this.loadWriter(name);
      return this.tier;
    },
  };
  loadWriter = async (name: string): Promise<void> => {
    if (!this.stored.includes(name)) throw gone(name);
  };
  async #write<T extends object>(base: T, options: Wish): Promise<T & { written: WrittenText }> {
    this.wishes.push(options);
    options.onDraft?.({ ...base, written: written("First.") });
    await new Promise<void>((resolve, reject) => {
      this.writeOn.push(resolve);
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
    });
    return { ...base, written: written("First.", "Second.") };
  }
  /** Which encoder is loaded. */
  used: EncoderUsed = { title: null, instead: null };
  /** The languages of pages for which it was asked. */
  languages: (string | null)[] = [];
  load = async (_: unknown, language: string | null, signal: AbortSignal): Promise<EncoderUsed> => {
    this.languages.push(language);
    await this.#load(signal);
    return this.used;
  };
  #load = (signal: AbortSignal): Promise<void> =>
    this.loaded
      ? Promise.resolve()
      : new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
          this.#finish = (error) => (error ? reject(error as Error) : resolve());
        });
  finish(error?: unknown): void {
    this.loaded = !error;
    this.#finish(error);
  }
}

let engine: Slow;
let seen: TabState[];
let session: Session;
beforeEach(() => {
  engine = new Slow();
  seen = [];
  session = new Session(engine as unknown as Engine, (state) => seen.push(state));
});

describe("a summary", () => {
  it("waits for no model", async () => {
    await session.summarize({ key: "a", page, ...read }, settings);
    expect(session.state.summary).toEqual({ phase: "done", result: { ...summary, timeMs: expect.any(Number) } });
    expect(engine.languages).toEqual([]);
  });

  it("counts the time of reading, not the worker's alone", async () => {
    await session.summarize({ key: "a", page, ...read, timeMs: 5_000 }, settings);
    expect(session.state.summary).toMatchObject({ phase: "done" });
    const { summary } = session.state;
    expect(summary?.phase === "done" && summary.result.timeMs).toBeGreaterThanOrEqual(5_000);
  });

  it("tells which encoder answers its questions, for the language of the page", async () => {
    engine.finish();
    engine.used = { title: "Multi", instead: null };
    await session.summarize({ key: "a", page: { ...page, language: "de" }, ...read }, settings);
    session.expectQuestion(settings);
    expect(engine.languages).toEqual(["de"]);
    expect(session.state.encoder).toBeNull();
    await session.ask("Why?", settings);
    expect(engine.languages).toEqual(["de", "de"]);
    expect(session.state.encoder).toEqual({ title: "Multi", instead: null });
    engine.used = { title: null, instead: { title: "Multi", why: "gone", detail: "" } };
    await session.ask("Why?", settings);
    expect(session.state.encoder?.instead?.why).toBe("gone");
  });

  it("cancels at once", async () => {
    engine.isSlow = true;
    const work = session.summarize({ key: "a", page, ...read }, settings);
    await tick();
    session.cancelSummary();
    expect(session.state.summary).toEqual({ phase: "cancelled" });
    await work;
    expect(session.state.summary).toEqual({ phase: "cancelled" });
  });

  it("made again without a block is never shown as done with what it was made of", async () => {
    engine.loaded = true;
    await session.summarize({ key: "a", page, ...read }, settings);
    const before = session.state.summary;
    seen = [];
    await session.leaveOut([0], null, settings);
    expect(seen.map(({ page }) => page?.coverage.leftOut.map(({ kind }) => kind))).toContainEqual(["unsure"]);
    const told = seen.filter(({ page }) => page?.coverage.leftOut.length === 1);
    expect(told.map(({ summary }) => summary)).not.toContain(before);
    expect(session.state.summary?.phase).toBe("done");
  });

  it("fails with the code", async () => {
    engine.failures = ["no_text"];
    await session.summarize({ key: "a", page, ...read }, settings);
    expect(session.state.summary).toMatchObject({ phase: "failed", error: { code: "no_text" } });
  });

  it("asked for again replaces the one under way without showing a stop", async () => {
    engine.isSlow = true;
    void session.summarize({ key: "a", page, ...read }, settings);
    await tick();
    engine.isSlow = false;
    const work = session.summarizeAgain({ ...settings, length: "long" });
    expect(session.state.summary?.phase).toBe("working");
    await work;
    expect(session.state.summary?.phase).toBe("done");
  });
});

describe("a worker that was replaced", () => {
  beforeEach(() => engine.finish());

  it.each([
    [["worker_replaced"], "done", 2],
    [["worker_replaced", "worker_replaced"], "failed", 2],
    [["worker_stuck"], "failed", 1],
    [["worker_died"], "failed", 1],
  ])("after %j the work is %s, asked %i times", async (failures, phase, times) => {
    engine.failures = [...failures];
    await session.summarize({ key: "a", page, ...read }, settings);
    expect(session.state.summary).toMatchObject(
      phase === "failed" ? { phase, error: { code: failures.at(-1) } } : { phase },
    );
    expect(engine.asked.length).toBe(times);
  });
});

describe("questions", () => {
  it("are answered, and kept while the page is the same", async () => {
    engine.finish();
    await session.summarize({ key: "a", page, ...read }, settings);
    await session.ask("Why?", settings);
    await session.summarize({ key: "a", page, ...read }, settings);
    expect(session.state.questions).toEqual([
      {
        id: 1,
        text: "Why?",
        variant: 0,
        writer: null,
        job: { phase: "done", result: { ...answer, timeMs: expect.any(Number) } },
      },
    ]);
    expect(engine.asked).toContain("Why?");
  });

  it("go with their page", async () => {
    engine.finish();
    await session.summarize({ key: "a", page, ...read }, settings);
    await session.ask("Why?", settings);
    await session.summarize({ key: "b", page, ...read }, settings);
    expect(session.state.questions).toEqual([]);
  });

  it("can be stopped and asked again", async () => {
    engine.finish();
    await session.summarize({ key: "a", page, ...read }, settings);
    engine.loaded = false;
    const work = session.ask("Why?", settings);
    await tick();
    session.cancelQuestion(1);
    expect(session.state.questions[0]?.job).toEqual({ phase: "cancelled" });
    await work;
    engine.loaded = true;
    await session.retry(1, settings);
    expect(session.state.questions[0]?.job.phase).toBe("done");
  });
});

/** Lets the language model finish the text that it is writing. */
async function finishText(): Promise<void> {
  await tick();
  engine.writeOn.shift()?.();
  await tick();
}

describe("a language model", () => {
  beforeEach(() => {
    engine.finish();
    engine.found = answered;
  });
  const open = async (with_ = writing) => {
    void session.summarize({ key: "a", page, ...read }, with_);
    await tick();
  };
  const textOf = (job: { phase: string; draft?: WrittenSummary; result?: WrittenSummary } | undefined) =>
    (job?.result ?? job?.draft)?.written?.lines.map(({ text }) => text);

  it("is waited for by nobody: the key sentences are done while it writes", async () => {
    await open();
    expect(session.state.summary?.phase).toBe("done");
    expect(session.state.writing).toMatchObject({ kind: "keyPoints", variant: 0, writer: "Small" });
    expect(session.state.writing?.job.phase).toBe("working");
    expect(textOf(session.state.writing?.job)).toEqual(["First."]);
    await finishText();
    expect(session.state.writing?.job.phase).toBe("done");
    expect(textOf(session.state.writing?.job)).toEqual(["First.", "Second."]);
  });

  it("is told what it may write, once that is known", async () => {
    engine.tier = "shorten";
    await open();
    expect(session.state.writing?.tier).toBe("shorten");
    engine.tier = "write";
  });

  it("that may write no summary is not asked for one, and writes the kind that it may", async () => {
    const asTier = (tier: WriterTier): Settings => ({
      ...writing,
      kind: "headline",
      targetLanguage: "de",
      writer: { type: "local", name: "small.gguf", title: "Small", source: null, tier },
    });
    await open(asTier("chat"));
    expect([session.state.writing, engine.wishes]).toEqual([null, []]);
    engine.tier = "shorten";
    await open(asTier("shorten"));
    engine.tier = "write";
    expect(session.state.writing).toMatchObject({ kind: "keyPoints", targetLanguage: null, tier: "shorten" });
  });

  it("adds nothing where it writes the key sentences again: they stand alone", async () => {
    engine.lines = ["first", "Second."].map((text) => ({ ...passage, text }));
    await open();
    await finishText();
    expect(session.state.writing?.job).toMatchObject({
      phase: "done",
      result: { written: null, notWritten: "nothingAdded" },
    });
    engine.lines = [];
  });

  it("writes nothing where none is chosen", async () => {
    await open(settings);
    expect(session.state.writing).toBeNull();
    expect(engine.wishes).toEqual([]);
  });

  it("is cancelled at once, keeps its lines, and leaves the key sentences", async () => {
    await open();
    session.cancelWriting();
    expect(session.state.writing?.job.phase).toBe("cancelled");
    expect(textOf(session.state.writing?.job)).toEqual(["First."]);
    expect(session.state.summary?.phase).toBe("done");
  });

  it("gets the kind, the length, the language and the variant", async () => {
    await open();
    await finishText();
    void session.write({ ...writing, kind: "simple", length: "long", targetLanguage: "de" }, 2);
    await tick();
    expect(engine.wishes.at(-1)).toMatchObject({
      writer: "language",
      kind: "simple",
      length: "long",
      targetLanguage: "de",
      unsupported: "replace",
      variant: 2,
    });
    expect(session.state.writing).toMatchObject({ kind: "simple", length: "long", targetLanguage: "de", variant: 2 });
    // The summary was not made anew.
    expect(engine.asked).toEqual(["summarize"]);
  });

  it("asked for another text stops writing the one before, and shows no stop", async () => {
    await open();
    void session.write(writing, 1);
    expect(session.state.writing).toMatchObject({ variant: 1, job: { phase: "working" } });
    await finishText();
    await finishText();
    expect(session.state.writing).toMatchObject({ variant: 1, job: { phase: "done" } });
  });

  it("that was deleted has an error of its own, and the key sentences stay", async () => {
    engine.stored = [];
    await open();
    expect(session.state.writing?.job).toMatchObject({ phase: "failed", error: { code: "writer_gone" } });
    expect(session.state.summary?.phase).toBe("done");
    await session.ask("Why?", writing);
    expect(session.state.questions[0]?.job).toMatchObject({
      phase: "failed",
      error: { code: "writer_gone" },
      draft: { passages: [passage] },
    });
  });

  it("does not begin when the page has gone meanwhile", async () => {
    const work = session.summarize({ key: "a", page, ...read }, writing);
    session.forget();
    await work;
    await tick();
    expect(session.state).toMatchObject({ page: null, summary: null, writing: null, suggestions: [] });
    expect(engine.wishes).toEqual([]);
  });

  it("answers from the passages, which come first, and hears the conversation so far", async () => {
    await open(settings);
    void session.ask("Why?", writing);
    await finishText();
    expect(session.state.questions[0]?.job).toMatchObject({ phase: "done", result: { passages: [passage] } });
    void session.ask("And then?", writing);
    await tick();
    expect(engine.wishes.at(-1)?.history).toEqual([{ question: "Why?", answer: "First. Second." }]);
    session.cancelQuestion(2);
    expect(session.state.questions[1]?.job.phase).toBe("cancelled");
    expect(textOf(session.state.questions[1]?.job as never)).toEqual(["First."]);

    // A text that is there is written in other words; one that was cancelled is begun again.
    void session.retry(1, writing);
    await tick();
    expect(engine.wishes.at(-1)).toMatchObject({ variant: 1, history: [] });
    void session.retry(2, writing);
    await tick();
    expect(engine.wishes.at(-1)).toMatchObject({ variant: 0 });
  });

  it("is not needed for a follow-up without words of its own: the best passage was the answer", async () => {
    await open(settings);
    await session.ask("Why?", settings);
    engine.found = { ...answer, reason: "tooVague" };
    await session.ask("And it?", settings);
    engine.found = answer;
    await session.ask("Who won the cup?", settings);
    const before = [{ question: "Why?", answer: "One." }];
    expect(engine.histories).toEqual([undefined, undefined, before, undefined]);
  });

  it("is not asked where the page does not answer", async () => {
    engine.found = answer;
    await open(settings);
    await session.ask("Who?", writing);
    expect(session.state.questions[0]?.job).toMatchObject({ phase: "done", result: { answered: false } });
    expect(engine.wishes).toEqual([]);
  });

  it("forgets the conversation when a new one begins", async () => {
    await open(settings);
    void session.ask("Why?", writing);
    await finishText();
    session.newConversation();
    expect(session.state.questions).toEqual([]);
    void session.ask("And then?", writing);
    await tick();
    expect(engine.wishes.at(-1)?.history).toEqual([]);
  });
});

describe("suggested questions", () => {
  it("come with the summary and go with its page", async () => {
    engine.finish();
    await session.summarize({ key: "a", page, ...read }, settings);
    await tick();
    expect(session.state.suggestions).toEqual(["Why one?"]);
    void session.summarize({ key: "b", page, ...read }, settings);
    expect(session.state.suggestions).toEqual([]);
  });
});

describe("after the host has ended", () => {
  const kept = async (): Promise<TabState> => {
    engine.loaded = true;
    engine.found = answered;
    void session.summarize({ key: "a", page, ...read }, writing);
    await tick();
    void session.ask("Why?", writing);
    await tick();
    const state = interrupted(session.state);
    session = new Session(engine as unknown as Engine, (now) => seen.push(now));
    return state;
  };

  it("what was under way is unfinished, and what was done stays", async () => {
    const { summary, writing, questions } = await kept();
    expect(summary?.phase).toBe("done");
    const lost = { phase: "failed", error: { code: "host_lost" }, draft: { written: written("First.") } };
    expect(writing?.job).toMatchObject(lost);
    expect(questions).toMatchObject([{ text: "Why?", job: lost }]);
  });

  it("the next one goes on with it; what there was stays in sight until there is as much again", async () => {
    const state = await kept();
    session.restore({ key: "b", page, ...read }, { ...state, pages: [] });
    expect(session.state).toMatchObject({ page: { key: "b" }, summary: { phase: "done" }, questions: state.questions });
    engine.writeOn = [];
    const work = session.retry(state.questions[0]!.id, writing);
    expect(session.state.questions[0]!.job).toMatchObject({
      phase: "working",
      draft: { written: { lines: [{ text: "First." }] } },
    });
    await tick();
    engine.writeOn[0]?.();
    await work;
    expect(session.state.questions[0]!.job).toMatchObject({ phase: "done", result: { written: { lines: [{}, {}] } } });
    engine.writeOn = [];
    const again = session.write(writing, 0);
    expect(session.state.writing?.job).toMatchObject({ phase: "working", draft: { written: {} } });
    await tick();
    engine.writeOn[0]?.();
    await again;
    expect(session.state.writing?.job.phase).toBe("done");
    await session.ask("And then?", settings);
    expect(session.state.questions.map(({ id }) => id)).toEqual([1, 2]);
  });

  it("a session that has read a page takes nothing over, and pages of other tabs are gone", async () => {
    const state = await kept();
    const other = { id: 7, tab: 3, key: "c", title: "Other", language: null };
    const asked = { ...state.questions[0]!, pages: [7] };
    session.restore({ key: "b", page, ...read }, { ...state, pages: [other], questions: [asked] });
    expect(session.state.pages).toEqual([]);
    expect(session.state.questions[0]!.job).toMatchObject({ phase: "failed", error: { code: "page_left" } });
    session.restore({ key: "z", page, ...read }, state);
    expect(session.state.page?.key).toBe("b");
  });
});
