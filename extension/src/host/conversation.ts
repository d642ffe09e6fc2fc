import type { Answer, Exchange, Page } from "@pith/web";
import { problem } from "../failure.js";
import { keptOf } from "../kept.js";
import type { PagePassage } from "../pages-wire.js";
import type { Question, Settings, TabState } from "../wire.js";
import type { Engine } from "./engine.js";
import type { Asked } from "./other-pages.js";
import { run, WAITING } from "./run.js";
import { openWriter, writerName } from "./writers/open.js";
import type { AnswerWish, Hooks } from "./writers/writer.js";

const QUESTIONS_MAX = 20;

/** The questions about a page, and their answers. */
export class Conversation {
  readonly #engine: Engine;
  readonly #changed: (change: Partial<Pick<TabState, "questions" | "encoder">>) => void;
  readonly #stops = new Map<number, AbortController>();
  #questions: Question[] = [];
  #nextId = 1;

  constructor(engine: Engine, changed: (change: Partial<Pick<TabState, "questions" | "encoder">>) => void) {
    this.#engine = engine;
    this.#changed = changed;
  }

  /** Loads the encoder for a question that is about to come. What keeps it from that, the answer says. */
  expect({ language = null }: Page, settings: Settings): void {
    this.#engine.load(settings, language, new AbortController().signal, () => {}).catch(() => {});
  }

  async ask(asked: Asked, text: string, settings: Settings): Promise<void> {
    const job = { phase: "working", ...WAITING } as const;
    const question: Question = { id: this.#nextId++, text, variant: 0, writer: writerName(settings), job };
    this.#set([...this.#questions, question].slice(-QUESTIONS_MAX));
    await this.#run(asked, question, settings);
  }

  /** Asks again. What was written already is written in other words. */
  async retry(asked: Asked, id: number, settings: Settings): Promise<void> {
    const question = this.#questions.find((one) => one.id === id);
    if (!question) return;
    this.cancel(id);
    const hasText = question.job.phase === "done" && question.job.result.written !== null;
    const variant = hasText ? question.variant + 1 : question.variant;
    await this.#run(asked, { ...question, variant, writer: writerName(settings) }, settings);
  }

  /** Goes on with these, without those pages of other tabs; tells nobody. */
  restore(questions: readonly Question[], gone: readonly number[]): Question[] {
    this.#nextId = Math.max(0, ...questions.map(({ id }) => id)) + 1;
    this.#questions = questions.map((question) => {
      const { pages: _gone, ...own } = question;
      return isMadeOf(question, gone) ? { ...own, job: lost() } : own;
    });
    return this.#questions;
  }

  cancel(id: number): void {
    this.#stops.get(id)?.abort();
    this.#stops.delete(id);
  }

  /** Ends what is under way. */
  stop(): void {
    for (const id of this.#stops.keys()) this.cancel(id);
  }

  /** Ends what is under way, and drops everything. */
  clear(): void {
    this.stop();
    this.#set([]);
  }

  /** Drops the answers that are made of pages which have left; their questions stay, and can be asked again. */
  lose(pages: readonly number[]): void {
    for (const question of this.#questions) {
      if (!isMadeOf(question, pages)) continue;
      this.cancel(question.id);
      this.#set(this.#questions.map((one) => (one.id === question.id ? { ...one, job: lost() } : one)));
    }
  }

  async #run(
    { page, ids, sort, isPrivate }: Asked,
    { pages: _before, ...asked }: Question,
    settings: Settings,
  ): Promise<void> {
    const question: Question = { ...asked, ...(ids.length > 0 && { pages: ids }) };
    const { id, text, variant } = question;
    const stop = new AbortController();
    this.#stops.set(id, stop);
    const history = this.#before(id);
    const { unsupported } = settings;
    await run<Answer>(
      stop.signal,
      (job) => this.#set(this.#questions.map((one) => (one.id === id ? { ...question, job } : one))),
      async (onProgress, onDraft, begun) => {
        const hooks = { signal: stop.signal, onProgress, onDraft: (draft: Answer) => onDraft(sort(draft)) };
        const wish = { history, unsupported, variant, isPrivate, resume: begun?.written?.resume };
        return sort(await this.#answer(page, text, settings, wish, hooks));
      },
      { kept: keptOf(asked.job) },
    );
    if (this.#stops.get(id) === stop) this.#stops.delete(id);
  }

  /** Passages first. Nobody is asked to write where the page does not answer. */
  async #answer(page: Page, text: string, settings: Settings, wish: AnswerWish, hooks: Hooks<Answer>): Promise<Answer> {
    const { signal, onProgress } = hooks;
    const encoder = await this.#engine.load(settings, page.language ?? null, signal, onProgress);
    if (!signal.aborted) this.#changed({ encoder });
    const pith = await this.#engine.pith();
    let found = await pith.ask(page, text, { signal, onProgress });
    // "And how long is it?" has no words of its own. A question that has some is not answered by what the last one was about.
    if (found.reason === "tooVague" && wish.history.length > 0)
      found = await pith.ask(page, text, { history: wish.history, signal, onProgress });
    const writer = found.answered ? openWriter(this.#engine, settings) : null;
    if (!writer) return found;
    hooks.onDraft(found);
    return writer.ask(page, text, wish, hooks);
  }

  /** The conversation before a question. Where nobody wrote, the best passage was the answer. */
  #before(id: number): Exchange[] {
    return this.#questions.flatMap(({ id: other, text, job }) => {
      if (other >= id || job.phase !== "done" || !job.result.answered) return [];
      const { written, passages } = job.result;
      const answer = written?.lines.map((line) => line.text).join(" ") || passages[0]?.text;
      return answer ? [{ question: text, answer }] : [];
    });
  }

  #set(questions: Question[]): void {
    this.#questions = questions;
    this.#changed({ questions });
  }
}

/** The answer to a question whose pages have left. */
const lost = (): Question["job"] => ({ phase: "failed", error: problem("page_left").toData() });

/** Whether an answer has passages of one of the pages, or words that were written with them. */
function isMadeOf({ pages = [], job }: Question, ids: readonly number[]): boolean {
  if (!pages.some((page) => ids.includes(page))) return false;
  if (job.phase === "working") return true;
  const answer = job.phase === "done" ? job.result : job.draft;
  const passages: PagePassage[] = [...(answer?.passages ?? [])];
  return Boolean(answer?.written) || passages.some(({ page }) => page !== undefined && ids.includes(page));
}
