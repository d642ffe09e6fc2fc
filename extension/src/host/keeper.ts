import type { ErrorData } from "@pith/web";
import { documentOf } from "../export/document.js";
import { toHistoryError } from "../history/database.js";
import { keep, keepVectors } from "../history/store.js";
import { quantize, SUMMARY_PART, textsOf } from "../history/vectors.js";
import type { TabState } from "../wire.js";
import type { Engine } from "./engine.js";
import type { Session } from "./session.js";

/** Keeps each finished summary and answer in the history, where the user asked for one. */
export class Keeper {
  readonly #engine: Engine;
  readonly #onSettled: () => void;
  /** Results that were handed on: a state is told more often than it has a new result. */
  readonly #seen = new WeakSet<object>();
  /** The entry of the page that a session has read. */
  readonly #entries = new WeakMap<Session, { key: string; id: string }>();
  readonly #problems = new WeakMap<Session, { key: string; error: ErrorData }>();
  #open = 0;

  /** `onSettled`: a result was kept, or why it was not is known. */
  constructor(engine: Engine, onSettled: () => void) {
    this.#engine = engine;
    this.#onSettled = onSettled;
  }

  /** What panels are told: why the last result of a session's page is not in the history, where it should be; its entry. */
  told(session: Session): Pick<TabState, "notKept" | "entry"> {
    const key = session.read?.key;
    const [problem, entry] = [this.#problems.get(session), this.#entries.get(session)];
    return {
      ...(problem && problem.key === key && { notKept: problem.error }),
      ...(entry && entry.key === key && { entry: entry.id }),
    };
  }

  /** Goes on with the entry that a host before this one has made: what is in it is not kept again. */
  adopt(session: Session, key: string, { summary, writing, questions, entry }: TabState): void {
    if (entry) this.#entries.set(session, { key, id: entry });
    for (const job of [summary, writing?.job, ...questions.map((one) => one.job)])
      if (job?.phase === "done") this.#seen.add(job.result);
  }

  get isBusy(): boolean {
    return this.#open > 0;
  }

  /** Looks at a session's state for results that are new. */
  watch(session: Session): void {
    const { state, read } = session;
    if (!read || read.isPrivate || read.key !== state.page?.key) return;
    const { summary, writing } = state;
    if (summary?.phase === "done") this.#take(session, SUMMARY_PART, summary.result);
    // A written summary takes the place of the key sentences.
    if (writing?.job.phase === "done" && writing.job.result.written)
      this.#take(session, SUMMARY_PART, writing.job.result);
    for (const { id, job } of state.questions) {
      if (job.phase === "done") this.#take(session, String(id), job.result);
    }
  }

  #take(session: Session, part: string, result: { language: string }): void {
    if (this.#seen.has(result)) return;
    this.#seen.add(result);
    this.#open += 1;
    void this.#keep(session, session.state, part, result.language).finally(() => {
      this.#open -= 1;
      this.#onSettled();
    });
  }

  /** The history never disturbs the summary: where it fails, the panel says so. */
  async #keep(session: Session, state: TabState, part: string, language: string): Promise<void> {
    const { read, reading } = session;
    if (!read) return;
    try {
      const nowMs = Date.now();
      const document = documentOf(state, read.page.blocks, read.readMs, session.others.list);
      const id = this.#entryOf(session, read.key);
      const isKept = document !== null && (await keep(id, document, part, nowMs));
      this.#problems.delete(session);
      // The texts of a tab that was closed meanwhile must not reach the worker again.
      if (!isKept || !reading || session.read !== read) return;
      const texts = textsOf(document, part);
      const known = language === "und" ? null : language;
      const embedded = await this.#engine.embed(texts, reading, known).catch(() => null);
      // Without vectors the entry is found by its words.
      if (!embedded) return;
      const values = embedded.vectors.map(quantize);
      const by = embedded.encoder ? { encoder: embedded.encoder } : {};
      await keepVectors(
        id,
        part,
        texts.flatMap((text, at) => (values[at] ? [{ text, values: values[at], ...by }] : [])),
      );
    } catch (error) {
      const { code, message } = toHistoryError(error);
      this.#problems.set(session, { key: read.key, error: { code, message: "", help: "", detail: message } });
    }
  }

  #entryOf(session: Session, key: string): string {
    const known = this.#entries.get(session);
    if (known?.key === key) return known.id;
    const id = crypto.randomUUID();
    this.#entries.set(session, { key, id });
    return id;
  }
}
