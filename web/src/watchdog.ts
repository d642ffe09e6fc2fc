/** How often a worker with open requests is asked whether it lives. */
const ASK_MS = 5_000;
/** A worker that leaves so many questions in a row without a word is taken for dead: a minute. Its slices are much shorter. */
const UNANSWERED_MAX = 12;
/** While it prepares a model: ten minutes. Some drivers compile shaders in one long call. */
const UNANSWERED_PREPARING_MAX = 120;

/** What a watchdog knows of its worker. */
export interface Watched {
  /** Asks something that any living worker answers at once. */
  ask(): void;
  /** True while it may be in a call that takes long. */
  isPreparing(): boolean;
  /** It has been silent for too long. */
  giveUp(): void;
}

/**
 * Notices when a worker with open requests does not answer any more. It counts its own turns and not the time: a computer that
 * sleeps, a frozen tab and a page that is busy itself do not count against the worker.
 */
export class Watchdog {
  readonly #watched: Watched;
  #timer: ReturnType<typeof setInterval> | null = null;
  #unanswered = 0;
  #wasHeard = false;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Call whenever requests come or go. */
  watch(hasOpen: boolean): void {
    if (hasOpen === (this.#timer !== null)) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = hasOpen ? setInterval(() => this.#turn(), ASK_MS) : null;
    this.#unanswered = 0;
  }

  /** Call with every message of the worker. */
  heard(): void {
    this.#wasHeard = true;
    this.#unanswered = 0;
  }

  #turn(): void {
    // A worker that has not started yet waits for its module, perhaps over a slow network.
    if (!this.#wasHeard) return;
    const most = this.#watched.isPreparing() ? UNANSWERED_PREPARING_MAX : UNANSWERED_MAX;
    if (this.#unanswered >= most) return this.#watched.giveUp();
    this.#unanswered += 1;
    this.#watched.ask();
  }
}
