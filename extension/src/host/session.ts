import {
  type Answer,
  type ErrorCode,
  type ErrorData,
  type Page,
  type Pith,
  PithError,
  type Progress,
  type Summary,
  type SummaryLength,
} from "@pith/web";
import { EMPTY_STATE, type Job, type Question, type ReadPage, type Settings, type TabState } from "../wire.js";
import type { Engine } from "./engine.js";

const QUESTIONS_MAX = 20;
const WAITING: Progress = { stage: "queue", done: 0, total: 0 };

/** One tab: its page, its summary and its questions. Lives longer than any panel. */
export class Session {
  state: TabState = EMPTY_STATE;
  readonly #engine: Engine;
  readonly #changed: (state: TabState) => void;
  #read: ReadPage | null = null;
  #summaryStop = new AbortController();
  readonly #questionStops = new Map<number, AbortController>();
  #nextQuestion = 1;

  constructor(engine: Engine, changed: (state: TabState) => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /** Begins anew with this page. Whatever was running for the one before ends. */
  async summarize(read: ReadPage, settings: Settings): Promise<void> {
    const { key, page, coverage, timeMs, pageStarts } = read;
    const same = this.state.page?.key === key;
    if (!same) this.stop();
    this.#summaryStop.abort();
    const { signal } = (this.#summaryStop = new AbortController());
    this.#read = read;
    const { title, description = null, language = null } = page;
    const known = { key, title, description, language, coverage, ...(pageStarts && { pageStarts }) };
    this.#set({ page: known, questions: same ? this.state.questions : [] });
    await this.#run<Summary>(
      signal,
      (job) => this.#set({ summary: job }),
      (progress, draft) => this.#summarize(page, settings, signal, progress, draft),
      timeMs,
    );
  }

  /** The same page once more, with other settings or after a failure. */
  async summarizeAgain(settings: Settings): Promise<void> {
    if (this.#read) await this.summarize({ ...this.#read, timeMs: 0 }, settings);
  }

  /** Asks the page that was summarized last. */
  async ask(text: string, settings: Settings): Promise<void> {
    const job = { phase: "working", ...WAITING } as const;
    const question: Question = { id: this.#nextQuestion++, text, job };
    this.#set({ questions: [...this.state.questions, question].slice(-QUESTIONS_MAX) });
    await this.retry(question.id, settings);
  }

  /** Asks a question again. */
  async retry(id: number, settings: Settings): Promise<void> {
    const text = this.state.questions.find((one) => one.id === id)?.text;
    const page = this.#read?.page;
    if (text === undefined || !page) return;
    this.cancelQuestion(id);
    const stop = new AbortController();
    this.#questionStops.set(id, stop);
    await this.#run<Answer>(
      stop.signal,
      (job) => this.#set({ questions: this.state.questions.map((one) => (one.id === id ? { ...one, job } : one)) }),
      async (onProgress) => {
        await this.#engine.load(settings.backend, stop.signal, onProgress);
        return (await this.#engine.pith()).ask(page, text, { signal: stop.signal, onProgress });
      },
    );
  }

  cancelSummary(): void {
    this.#summaryStop.abort();
  }

  cancelQuestion(id: number): void {
    this.#questionStops.get(id)?.abort();
    this.#questionStops.delete(id);
  }

  /** Ends everything. */
  stop(): void {
    this.#summaryStop.abort();
    for (const id of this.#questionStops.keys()) this.cancelQuestion(id);
  }

  /** Ends everything and drops what is known of the page. */
  forget(): void {
    this.stop();
    this.#read = null;
    this.#summaryStop = new AbortController();
    this.#set(EMPTY_STATE);
  }

  async #summarize(
    page: Page,
    { backend, length }: Settings,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
    onDraft: (draft: Summary) => void,
  ): Promise<Summary> {
    const pith = await this.#engine.pith();
    if (!this.#engine.isReady(backend)) {
      await this.#draft(pith, page, length, signal, onDraft);
    }
    await this.#engine.load(backend, signal, onProgress);
    return pith.summarize(page, { length, signal, onProgress, onDraft });
  }

  /** While the model is on its way, the text alone gives a first summary. It fails for the same reasons as the real one, which then says so. */
  async #draft(
    pith: Pith,
    page: Page,
    length: SummaryLength,
    signal: AbortSignal,
    onDraft: (draft: Summary) => void,
  ): Promise<void> {
    const enough = new AbortController();
    const options = {
      length,
      signal: AbortSignal.any([signal, enough.signal]),
      // A model on another backend may still be there, and would go on to read: that is not wanted any more.
      onDraft: (draft: Summary) => {
        onDraft(draft);
        enough.abort();
      },
    };
    await pith.summarize(page, options).then(onDraft, (error: unknown) => {
      signal.throwIfAborted();
      if (hasCode(error, "worker_stuck")) throw error;
    });
  }

  /**
   * Runs one piece of work and keeps its job true until it ends. The time of its result is the user's: `before_ms`, what
   * loading took, and the work.
   */
  async #run<T extends { timeMs: number }>(
    signal: AbortSignal,
    show: (job: Job<T>) => void,
    work: (onProgress: (progress: Progress) => void, onDraft: (draft: T) => void) => Promise<T>,
    before_ms = 0,
  ): Promise<void> {
    const start_ms = performance.now() - before_ms;
    let drafted: { draft?: T } = {};
    let progress = WAITING;
    const working = (): void => {
      if (!signal.aborted) show({ phase: "working", ...progress, ...drafted });
    };
    working();
    // Cancelling shows at once, whatever the work still does.
    signal.addEventListener("abort", () => show({ phase: "cancelled", ...drafted }), { once: true });
    try {
      const attempt = (): Promise<T> =>
        work(
          (next) => {
            progress = next;
            working();
          },
          (draft) => {
            drafted = { draft };
            working();
          },
        );
      const result = await attempt().catch((error: unknown) => {
        // Another tab's page kept the worker from answering: on a new one this work is done once more.
        if (signal.aborted || !hasCode(error, "worker_replaced")) throw error;
        return attempt();
      });
      const timeMs = performance.now() - start_ms;
      if (!signal.aborted) show({ phase: "done", result: { ...result, timeMs } });
    } catch (error) {
      if (!signal.aborted) show({ phase: "failed", error: toFailure(error), ...drafted });
    }
  }

  #set(change: Partial<TabState>): void {
    this.state = { ...this.state, ...change };
    this.#changed(this.state);
  }
}

const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof PithError && error.code === code;

function toFailure(error: unknown): ErrorData {
  if (error instanceof PithError) return error.toData();
  return { code: "unexpected", message: "", help: "", detail: String(error) };
}
