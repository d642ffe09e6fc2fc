import type { ErrorData } from "@pith/web";
import type { Gathering } from "../gathering.js";
import type { Choices } from "../settings.js";
import { holdsText } from "../host/held.js";
import { interrupted } from "../kept.js";
import { EMPTY_STATE, type Source, type TabState, type ToHost } from "../wire.js";
import { PanelLink } from "./panel-link.js";
import { toFailure } from "../failure.js";
import { PageLink } from "./page-link.js";

/** Everything that the panel draws. */
export interface Model {
  /** What the host knows. */
  state: TabState;
  settings: Choices;
  /** The page is being read now. */
  reading: boolean;
  /** Pages of a PDF that are read so far, of how many. */
  pagesRead: { done: number; total: number } | null;
  /** The last reading was cancelled. */
  stopped: boolean;
  /** Why the page could not be read, or a request not be sent. */
  problem: ErrorData | null;
  /** The tab shows another page than the one summarized. */
  changed: boolean;
  /** The passage that is marked on the page. */
  marked: string | null;
  /** Passages that were looked for again and are not on the page any more, by their keys. */
  gone: ReadonlySet<string>;
  /** A marked passage could not be found. */
  lost: boolean;
  /** Pages are being added to this tab's conversation, or to another one that this tab's page may join. */
  gathering: Gathering | null;
}

/** A panel for one tab: what it shows, and whom it talks to. */
export class Panel {
  readonly tab: number;
  readonly host: PanelLink;
  readonly page: PageLink;
  model: Model;
  readonly #listeners = new Set<(model: Model, before: Model) => void>();

  constructor(tab: number, settings: Choices) {
    this.tab = tab;
    this.page = new PageLink(tab);
    this.host = new PanelLink(
      tab,
      (state) => this.#take(state),
      () => this.#loseHost(),
      {
        isKept: () => this.#isKept,
        drop: () => this.#dropKept(),
        restore: (message) => this.#restore(message),
      },
    );
    this.model = {
      state: EMPTY_STATE,
      settings,
      reading: false,
      pagesRead: null,
      stopped: false,
      problem: null,
      changed: false,
      marked: null,
      gone: new Set(),
      lost: false,
      gathering: null,
    };
  }

  /** What is shown is not the host's, but what the panel kept of the one before. */
  #isKept = false;
  #restoring = new AbortController();

  /** A page that was read since ends what was wrong with the one before. */
  #take(state: TabState): void {
    if (this.#isKept && !holdsText(state)) return;
    this.#dropKept();
    const isNew = state.page !== null && state.page.key !== this.model.state.page?.key;
    this.update({ state, ...(isNew && { problem: null, changed: false, lost: false, gone: new Set<string>() }) });
  }

  /** Keeps what there is. The next host takes it over when something is asked of it. */
  #loseHost(): void {
    if (!holdsText(this.model.state)) return;
    this.#isKept = true;
    this.#restoring = new AbortController();
    this.update({ state: interrupted(this.model.state) });
  }

  /** The kept state with its page, which is read again. Null where that cannot be; the reader is told why. */
  async #restore(message: ToHost): Promise<ToHost | null> {
    const { state } = this.model;
    const { page } = state;
    try {
      if (!page) return { type: "restore", read: null, state };
      const read = message.type === "summarize" ? message.read : await this.page.read(this.#restoring.signal);
      // What was read is of just this document: after a reload places and sources would be wrong.
      if (read.key === page.key && (read.part ?? null) === page.part) {
        this.update({ problem: null });
        return { type: "restore", read, state };
      }
      this.update({ changed: true });
    } catch (error) {
      if (!this.#restoring.signal.aborted) this.update({ problem: toFailure(error) });
    }
    return null;
  }

  /** True while what is shown is what the panel kept of a host that has ended. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Drops it. */
  #dropKept(): void {
    this.#isKept = false;
    this.#restoring.abort();
  }

  update(change: Partial<Model>): void {
    const before = this.model;
    this.model = { ...before, ...change };
    for (const listener of this.#listeners) listener(this.model, before);
  }

  /** Calls with every change, until the signal. */
  watch(listener: (model: Model, before: Model) => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }
}

/** One thing that the panel can do. Everything it sets up ends with the signal. */
export interface Feature {
  id: string;
  init(panel: Panel, signal: AbortSignal): void | Promise<void>;
}

/** Names a passage among those of its conversation. */
export const sourceKey = ({ page, ...whole }: Source): string => {
  const places = (whole.parts ?? [whole]).map(({ block, start, end }) => `${block}:${start}:${end}`);
  return `${page === undefined ? "" : `${page}/`}${places.join("+")}`;
};
