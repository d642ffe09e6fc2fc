import { hex } from "../hex.js";
import { closeOpen, keepOpen, readOpen } from "../history/open-pages.js";
import { interrupted } from "../kept.js";
import { addressOfKey, type ReadPage, type TabState } from "../wire.js";
import { isWorking } from "./held.js";
import type { Keeper } from "./keeper.js";
import type { Session } from "./session.js";

/** While work is under way its drafts are kept this often at most. */
const KEEP_MS = 1_000;

/**
 * Keeps what panels show, where the user asked for a history: if the browser is killed or the extension loaded again, it is there
 * when the page is, and can be gone on with. Never disturbs the work: what cannot be kept is not kept.
 */
export class Reopening {
  readonly #keeper: Keeper;
  readonly #timers = new WeakMap<Session, ReturnType<typeof setTimeout>>();
  readonly #digests = new WeakMap<ReadPage, Promise<string>>();
  readonly #onSettled: () => void;
  #dropping = 0;

  /** `onSettled`: what was to be dropped is. */
  constructor(keeper: Keeper, onSettled: () => void) {
    this.#keeper = keeper;
    this.#onSettled = onSettled;
  }

  /** Something is being dropped: who ends now leaves it behind. */
  get isBusy(): boolean {
    return this.#dropping > 0;
  }

  /** Looks at a session's state, which has changed. */
  watch(session: Session): void {
    if (!session.read || session.read.isPrivate || this.#timers.has(session)) return;
    const wait_ms = isWorking(session.state) ? KEEP_MS : 0;
    this.#timers.set(
      session,
      setTimeout(() => {
        this.#timers.delete(session);
        void this.#keep(session).catch(() => {});
      }, wait_ms),
    );
  }

  async #keep(session: Session): Promise<void> {
    const { read } = session;
    if (!read) return;
    const digest = await this.#digestOf(read);
    // It may show another page by now, which was forgotten before.
    if (session.read !== read) return;
    // Selected texts are no part of the history.
    const state = { ...session.state, ...this.#keeper.told(session), acts: [], left: null };
    if (hasResults(state)) await keepOpen(addressOfKey(read.key), digest, state, Date.now());
  }

  /** What was on the screen of this page when the host ended, with what was under way marked as unfinished. */
  async find(read: ReadPage): Promise<TabState | null> {
    if (read.isPrivate) return null;
    const found = await this.#digestOf(read)
      .then((digest) => readOpen(addressOfKey(read.key), digest, Date.now()))
      .catch(() => null);
    return found && hasResults(found) ? interrupted(found) : null;
  }

  /** Drops what was kept of a session's page: nobody will come back to it. */
  close(session: Session): void {
    const { read } = session;
    if (!read || read.isPrivate) return;
    clearTimeout(this.#timers.get(session));
    this.#timers.delete(session);
    this.#dropping += 1;
    void closeOpen(addressOfKey(read.key))
      .catch(() => {})
      .finally(() => {
        this.#dropping -= 1;
        this.#onSettled();
      });
  }

  #digestOf(read: ReadPage): Promise<string> {
    const known = this.#digests.get(read);
    if (known) return known;
    const { page, part = null } = read;
    const bytes = new TextEncoder().encode(JSON.stringify([page.title, page.blocks, part]));
    const digest = crypto.subtle.digest("SHA-256", bytes).then((hash) => hex(new Uint8Array(hash)));
    this.#digests.set(read, digest);
    return digest;
  }
}

/** There is something to show again. */
function hasResults({ summary, questions }: TabState): boolean {
  return summary?.phase === "done" || questions.length > 0;
}
