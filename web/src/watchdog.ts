import type { Stage } from "./protocol.gen.js";

/** Interval between pings of a worker with open requests. */
const ASK_MS = 5_000;
/** Unanswered pings in a row after which a worker counts as hung: a minute. Its slices are much shorter. */
const UNANSWERED_MAX = 12;
/** The same while it loads a model: ten minutes. Some drivers compile shaders in one long call. */
const UNANSWERED_PREPARING_MAX = 120;

/** The watchdog's view of its worker. */
export interface Watched {
  /** Sends a ping, which a running worker answers at once. */
  ask(): void;
  /** True while the worker may be in a long call. */
  isPreparing(): boolean;
  /** Called when the worker has not answered for too long. */
  giveUp(): void;
}

/** True for stages with long calls: a model is loaded and its kernels are compiled. */
export const isPreparation = (stage: Stage | null | undefined): boolean =>
  stage === "load" || stage === "compile" || stage === "recover";

/**
 * Detects a worker that has open requests and no longer answers. It counts its own ticks instead of time, so a sleeping computer,
 * a frozen tab or a busy page do not count against the worker.
 */
export class Watchdog {
  readonly #watched: Watched;
  #timer: ReturnType<typeof setInterval> | null = null;
  #unanswered = 0;
  #wasHeard = false;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** Call when a request starts or ends. */
  watch(hasOpen: boolean): void {
    if (hasOpen === (this.#timer !== null)) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = hasOpen ? setInterval(() => this.#turn(), ASK_MS) : null;
    this.#unanswered = 0;
  }

  /** Call on every message of the worker. */
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
