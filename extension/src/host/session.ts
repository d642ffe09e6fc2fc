import type { Page, Summary, WriterTier } from "@pith/web";
import { allowedSummary, tierOf } from "../allowed.js";
import type { Reading } from "../encoder-wire.js";
import { keptWriting } from "../kept.js";
import type { LeaveReason, Refusal } from "../pages-wire.js";
import { EMPTY_STATE, type ReadPage, type Settings, type TabState } from "../wire.js";
import type { WrittenSummary } from "../writing-wire.js";
import { Acts } from "./acts.js";
import { Conversation } from "./conversation.js";
import { withoutBlocks } from "./leave-out.js";
import type { Engine } from "./engine.js";
import { leftPage, OtherPages } from "./other-pages.js";
import { run } from "./run.js";
import { shownOf } from "./held.js";
import { withoutRepetition } from "./writers/added.js";
import { openWriter, writerName } from "./writers/open.js";

/** One tab: its page, its summary and its questions. Lives longer than any panel. */
export class Session {
  state: TabState = EMPTY_STATE;
  readonly acts: Acts;
  readonly #engine: Engine;
  readonly #changed: (state: TabState) => void;
  readonly #conversation: Conversation;
  /** Pages of other tabs, which questions are asked as well. */
  readonly others = new OtherPages();
  /** The page that was read last, and what was chosen when something was last asked of it. */
  read: ReadPage | null = null;
  reading: Reading | null = null;
  #summaryStop = new AbortController();
  #writingStop = new AbortController();

  constructor(engine: Engine, changed: (state: TabState) => void) {
    this.#engine = engine;
    this.#changed = changed;
    this.acts = new Acts(engine, (acts) => this.#set({ acts }));
    this.#conversation = new Conversation(engine, (change) => this.#set(change));
  }

  /** Begins anew with this page. Whatever was running for the one before ends. */
  async summarize(read: ReadPage, settings: Settings): Promise<void> {
    const { key, page, part = null, timeMs } = read;
    const same = this.state.page?.key === key && this.state.page.part === part;
    if (!same) this.stop();
    this.#summaryStop.abort();
    this.#writingStop.abort();
    const { signal } = (this.#summaryStop = new AbortController());
    this.read = read;
    if (!same) {
      this.#conversation.clear();
      this.removePages(() => true);
    }
    // In one step: the lines of before never stand beside what is told of the page now.
    const { encoder, suggestions } = same ? this.state : EMPTY_STATE;
    let begin: Partial<TabState> = { page: shownOf(read), encoder, writing: null, suggestions };
    const summary = await run<Summary>(
      signal,
      (job) => {
        this.#set({ ...begin, summary: job });
        begin = {};
      },
      async (onProgress) =>
        (await this.#engine.pith()).summarize(page, { length: settings.length, signal, onProgress }),
      { before_ms: timeMs },
    );
    if (!summary || signal.aborted) return;
    void this.#suggest(page, signal);
    await this.write(settings, 0);
  }

  /** The same page once more, with other settings or after a failure. */
  async summarizeAgain(settings: Settings): Promise<void> {
    if (this.read) await this.summarize({ ...this.read, timeMs: 0 }, settings);
  }

  /** The same page without blocks that are not drawn, once more: the summary, or the answer to a question. */
  async leaveOut(blocks: readonly number[], question: number | null, settings: Settings): Promise<void> {
    if (!this.read) return;
    this.read = withoutBlocks(this.read, blocks);
    if (question === null) return this.summarizeAgain(settings);
    this.#set({ page: shownOf(this.read) });
    await this.retry(question, settings);
  }

  /** Lets a language model write about the page that was summarized last. The key sentences stay. */
  async write(settings: Settings, variant: number): Promise<void> {
    this.#writingStop.abort();
    const { signal } = (this.#writingStop = new AbortController());
    const page = this.read?.page;
    const writer = openWriter(this.#engine, settings);
    const name = writerName(settings);
    if (!page || !writer || name === null) return this.#set({ writing: null });
    const allowed = allowedSummary(settings);
    if (!allowed) return this.#set({ writing: null });
    const { length, unsupported } = settings;
    const wish = { ...allowed, length, variant };
    let tier = tierOf(settings.writer);
    await run<WrittenSummary>(
      signal,
      (job) => this.#set({ writing: { ...wish, writer: name, tier, job } }),
      async (onProgress, onDraft, begun) => {
        const order = { ...wish, unsupported, resume: begun?.written?.resume };
        const onTier = (found: WriterTier): void => void (tier = found);
        return withoutRepetition(await writer.summarize(page, order, { signal, onProgress, onDraft, onTier }));
      },
      { kept: keptWriting(this.state.writing, wish) },
    );
  }

  /** Takes over what a panel has kept of the host before this one. Pages of other tabs are no part of it. */
  restore(read: ReadPage | null, state: TabState): void {
    if (this.read || this.state.acts.length > 0) return;
    this.acts.restore(state.acts);
    if (!read) return this.#set({ acts: state.acts });
    const { summary, writing, suggestions, encoder, acts, pages } = state;
    const questions = this.#conversation.restore(
      state.questions,
      pages.map(({ id }) => id),
    );
    this.read = read;
    this.#set({ page: shownOf(read), summary, writing, suggestions, encoder, acts, questions });
  }

  /** Adds the page of another tab to the conversation. Gives the reason where it may not be added. */
  join(tab: number, read: ReadPage): Refusal | null {
    if (!this.read) return "pages_gone";
    if (this.read.isPrivate !== read.isPrivate) return "pages_private";
    if (this.others.has(tab, read)) return null;
    // A tab has one page: a newer one takes the place of the one before.
    this.removePages((page) => page.tab === tab);
    if (!this.others.add(tab, read)) return "pages_full";
    this.#set({ pages: this.others.told, left: null });
    return null;
  }

  /** Drops pages of other tabs, and the answers that are made of them. Gives whether there were any. */
  removePages(isRemoved: (page: { id: number; tab: number }) => boolean, why: LeaveReason = "removed"): boolean {
    const ids = this.others.drop(isRemoved);
    if (ids.length === 0) return false;
    this.#conversation.lose(ids);
    this.#set({ pages: this.others.told, left: leftPage(ids, why) });
    return true;
  }

  /** Asks the page that was summarized last, and those that were added to it. */
  async ask(text: string, settings: Settings): Promise<void> {
    if (this.read) await this.#conversation.ask(this.others.with(this.read), text, settings);
  }

  /** Asks a question again. */
  async retry(id: number, settings: Settings): Promise<void> {
    if (this.read) await this.#conversation.retry(this.others.with(this.read), id, settings);
  }

  expectQuestion(settings: Settings): void {
    if (this.read) this.#conversation.expect(this.read.page, settings);
  }

  newConversation(): void {
    this.#conversation.clear();
  }

  cancelSummary = (): void => this.#summaryStop.abort();

  cancelWriting = (): void => this.#writingStop.abort();

  cancelQuestion(id: number): void {
    this.#conversation.cancel(id);
  }

  /** Ends everything. */
  stop(): void {
    this.#summaryStop.abort();
    this.#writingStop.abort();
    this.#conversation.stop();
  }

  /** Ends everything and drops what is known of the page. */
  forget(): void {
    this.stop();
    this.read = null;
    this.acts.clear();
    this.#conversation.clear();
    this.others.drop(() => true);
    this.#set(EMPTY_STATE);
  }

  /** Questions to begin with. Without them the page can be asked as well. */
  async #suggest(page: Page, signal: AbortSignal): Promise<void> {
    const pith = await this.#engine.pith();
    const suggestions = await pith.suggestQuestions(page, { signal }).catch(() => []);
    if (!signal.aborted) this.#set({ suggestions });
  }

  #set(change: Partial<TabState>): void {
    this.state = { ...this.state, ...change };
    this.#changed(this.state);
  }
}
