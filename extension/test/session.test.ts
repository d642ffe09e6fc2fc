import { type Answer, PithError, type Summary } from "@pith/web";
import { beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../src/host/engine.js";
import { Session } from "../src/host/session.js";
import type { TabState } from "../src/wire.js";

const page = {
  title: "T",
  description: null,
  language: "en",
  blocks: [{ kind: "paragraph" as const, text: "One. Two." }],
};
const read = { coverage: { wordsVisible: 3, wordsRead: 2, leftOut: [] }, timeMs: 0, readMs: 0, isPrivate: false };
const settings = { backend: "cpu" as const, length: "short" as const };
const summary = (method: string): Summary => ({
  title: "T",
  description: null,
  lines: [],
  method,
  language: "en",
  backend: null,
  withoutEncoder: "notLoaded",
  sentences: 2,
  words: 2,
  leftOut: { chars: 0, blocks: 0, sentences: 0 },
  timeMs: 1,
});
const answer: Answer = {
  passages: [],
  answered: false,
  reason: "notOnPage",
  leftOut: { chars: 0, blocks: 0, sentences: 0 },
  language: "en",
  backend: null,
  withoutEncoder: null,
  timeMs: 1,
};
const tick = () => new Promise((resolve) => setTimeout(resolve));

/** An engine whose model loads when the test says so. */
class Slow {
  loaded = false;
  asked: string[] = [];
  /** What the next requests fail with. */
  failures: string[] = [];
  #finish: (error?: unknown) => void = () => {};
  isReady = (): boolean => this.loaded;
  pith = async () => ({
    summarize: async () => {
      this.asked.push("summarize");
      const code = this.failures.shift();
      if (code) throw new PithError({ code, message: code });
      return summary(this.loaded ? "text+embeddings" : "text");
    },
    ask: async (_: unknown, question: string) => {
      this.asked.push(question);
      return answer;
    },
  });
  load = (_: unknown, signal: AbortSignal): Promise<void> =>
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
  it("shows a draft while the model loads, then the real one", async () => {
    const work = session.summarize({ key: "a", page, ...read }, settings);
    await tick();
    expect(session.state.summary).toMatchObject({ phase: "working", draft: { method: "text" } });
    engine.finish();
    await work;
    expect(session.state.summary).toMatchObject({
      phase: "done",
      result: { ...summary("text+embeddings"), timeMs: expect.any(Number) },
    });
  });

  it("counts the time of reading and loading, not the worker's alone", async () => {
    engine.loaded = true;
    await session.summarize({ key: "a", page, ...read, timeMs: 5_000 }, settings);
    expect(session.state.summary).toMatchObject({ phase: "done" });
    const { summary } = session.state;
    expect(summary?.phase === "done" && summary.result.timeMs).toBeGreaterThanOrEqual(5_000);
  });

  it("cancels at once and keeps the draft", async () => {
    const work = session.summarize({ key: "a", page, ...read }, settings);
    await tick();
    session.cancelSummary();
    expect(session.state.summary).toMatchObject({ phase: "cancelled", draft: { method: "text" } });
    await work;
    expect(session.state.summary?.phase).toBe("cancelled");
  });

  it("fails with the code and keeps the draft", async () => {
    const work = session.summarize({ key: "a", page, ...read }, settings);
    await tick();
    engine.finish(new PithError({ code: "no_gpu_adapter", message: "None." }));
    await work;
    expect(session.state.summary).toMatchObject({
      phase: "failed",
      error: { code: "no_gpu_adapter" },
      draft: { method: "text" },
    });
  });

  it("asked for again replaces the one under way without showing a stop", async () => {
    void session.summarize({ key: "a", page, ...read }, settings);
    await tick();
    const work = session.summarizeAgain({ ...settings, length: "long" });
    expect(session.state.summary?.phase).toBe("working");
    await tick();
    engine.finish();
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

  it("by the draft of a page is not tried with the same page again", async () => {
    engine.loaded = false;
    engine.failures = ["worker_stuck"];
    await session.summarize({ key: "a", page, ...read }, settings);
    expect(session.state.summary).toMatchObject({ phase: "failed", error: { code: "worker_stuck" } });
    expect(engine.asked).toEqual(["summarize"]);
  });
});

describe("questions", () => {
  it("are answered, and kept while the page is the same", async () => {
    engine.finish();
    await session.summarize({ key: "a", page, ...read }, settings);
    await session.ask("Why?", settings);
    await session.summarize({ key: "a", page, ...read }, settings);
    expect(session.state.questions).toEqual([
      { id: 1, text: "Why?", job: { phase: "done", result: { ...answer, timeMs: expect.any(Number) } } },
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
