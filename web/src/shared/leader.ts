// The election of the tab that runs the worker, and that worker.

import { PithError } from "../errors.js";
import type { Event, EventMessage } from "../protocol.gen.js";
import { type Started, startWorker } from "../start.js";
import { Watchdog } from "../watchdog.js";
import { keyLockOf, type Keys } from "./secret.js";
import { type Activity, CHANNEL, type Command, type Owner, type Report, type State } from "./wire.js";

/** Holds a lock; resolves with what gives it back. */
export const holdLock = (name: string): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const hold = (): Promise<void> => new Promise((leave) => resolve(leave));
    navigator.locks.request(name, hold).catch(reject);
  });

/** What the leader needs of the client that it belongs to. */
export interface Led {
  /** What a new worker takes over, and the term that it must be later than. */
  succession(): { state: State; term: number };
  /** The worker hung on these requests. */
  failStuck(requests: Owner[]): void;
  /** The worker's script could not be started. */
  failStart(detail: string): void;
  /** The worker could not start. */
  failFatally(event: Extract<Event, { type: "fatal" }>): void;
}

/** Waits for the lock of all tabs, and runs a worker while this tab holds it. */
export class Leader {
  readonly #led: Led;
  readonly #keys: Keys;
  readonly #workerUrl: string | URL | undefined;
  #election = new AbortController();
  /** Gives the lock back; null in tabs that do not hold it. */
  #resign: (() => void) | null = null;
  /** Gives back the lock that shows the key. */
  #hideKey = (): void => {};
  #started: Started | null = null;
  #watchdog: Watchdog | null = null;

  constructor(led: Led, keys: Keys, workerUrl: string | URL | undefined) {
    this.#led = led;
    this.#keys = keys;
    this.#workerUrl = workerUrl;
  }

  /** Whether this tab runs the worker. */
  get isLeading(): boolean {
    return this.#resign !== null;
  }

  get started(): Started | null {
    return this.#started;
  }

  /** Waits until no other tab runs the worker, or takes it from one that does not answer. */
  elect(isForced: boolean): void {
    this.#election.abort();
    this.#election = new AbortController();
    const { signal } = this.#election;
    const lead = (): Promise<void> => {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resign) => {
        this.#resign = resign;
        // The key is shown before the worker calls for its clients.
        holdLock(keyLockOf(this.#keys)).then((hide) => {
          if (this.#resign !== resign) return hide();
          this.#hideKey = hide;
          this.#lead();
        }, resign);
      });
    };
    navigator.locks.request(CHANNEL, isForced ? { steal: true } : { signal }, lead).catch(() => {
      if (signal.aborted) return;
      // Another tab has taken it, because this one did not answer.
      this.#stop();
      this.elect(false);
    });
  }

  /** Ends the worker if this tab runs it. */
  leave(): void {
    this.#election.abort();
    this.#stop();
  }

  #stop(): void {
    this.#endWorker();
    this.#hideKey();
    this.#resign?.();
    this.#resign = null;
  }

  #endWorker(): void {
    this.#watchdog?.watch(false);
    this.#watchdog = null;
    const worker = this.#started?.worker;
    this.#started = null;
    if (worker && "terminate" in worker) worker.terminate();
  }

  /** Starts a worker for all tabs. */
  #lead(): void {
    this.#endWorker();
    try {
      this.#run(startWorker(this.#workerUrl));
    } catch (error) {
      this.#led.failStart(error instanceof PithError ? error.detail : String(error));
    }
  }

  #run(started: Started): void {
    this.#started = started;
    const { worker } = started;
    const isCurrent = (): boolean => this.#started === started;
    const restart = (): void => {
      if (isCurrent()) this.#lead();
    };
    const post = (command: Command): void => worker.postMessage(command);
    let activity: Activity = { hasAnswered: false, isOpen: false, isPreparing: false, begun: null };
    const watchdog = new Watchdog({
      ask: () => post({ share: "ping" }),
      isPreparing: () => activity.isPreparing,
      giveUp: () => {
        this.#led.failStuck(activity.begun ? [activity.begun] : []);
        this.#lead();
      },
    });
    this.#watchdog = watchdog;
    worker.addEventListener("message", (message) => {
      const { data } = message as MessageEvent<Report | EventMessage>;
      if (!isCurrent()) return;
      if ("shared" in data) {
        watchdog.heard();
        if (data.shared === "pong") return;
        activity = data.shared;
        watchdog.watch(activity.isOpen);
      } else if (data.event.type === "alive") {
        // The browser releases it when the worker ends.
        navigator.locks.request(data.event.lock, restart).catch(() => {});
      } else if (data.event.type === "fatal") {
        if (activity.hasAnswered) restart();
        else this.#led.failFatally(data.event);
      }
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (isCurrent()) this.#led.failStart((event as ErrorEvent).message);
    });
    const { state, term } = this.#led.succession();
    post({
      share: { host: { id: crypto.randomUUID(), term: Math.max(Date.now(), term + 1) }, state, key: this.#keys.own },
    });
  }
}
