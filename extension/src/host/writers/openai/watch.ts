// Time limits of one request, joined with the reader's own wish to stop.
import type { ServerError } from "./errors.js";

/** Ends a request when the reader stops it, or when the server is silent for too long. */
export class Watch {
  readonly #stop = new AbortController();
  readonly #release: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #last: ReturnType<typeof setTimeout>;

  /** All of it must have ended within `all_ms`. */
  constructor(outer: AbortSignal, all_ms: number, problem: () => ServerError) {
    this.#last = setTimeout(() => this.#stop.abort(problem()), all_ms);
    const onAbort = (): void => this.#stop.abort(outer.reason);
    if (outer.aborted) onAbort();
    else outer.addEventListener("abort", onAbort, { once: true });
    this.#release = () => outer.removeEventListener("abort", onAbort);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Something must happen until then; replaces what was awaited before. */
  expect(within_ms: number, problem: () => ServerError): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop.abort(problem()), within_ms);
  }

  /** Nothing is awaited any more. The connection closes, where it is still open. */
  end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#last);
    this.#release();
    this.#stop.abort();
  }
}

/** Waits; rejects with the signal's reason. */
export function pause(wait_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, wait_ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
