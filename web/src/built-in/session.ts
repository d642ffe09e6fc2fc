import { aborted } from "./errors.js";

/** Options of every `create`. */
export interface CreateOptions {
  signal?: AbortSignal;
  /** Is given a target of `downloadprogress` events. */
  monitor?: (monitor: EventTarget) => void;
}

/** What all sessions have: an end, and work that ends with it. */
export abstract class Session extends EventTarget {
  readonly #end = new AbortController();

  /** `signal` is that of `create`: it ends the session later too. */
  constructor(signal: AbortSignal | undefined) {
    super();
    signal?.addEventListener("abort", () => this.#end.abort(signal.reason), { once: true });
  }

  /** Ends the session: what is under way and what is asked later fails with an AbortError. */
  destroy(): void {
    this.#end.abort(aborted());
  }

  /** A signal that the caller's and the session's end abort; throws where one has. */
  protected begin(signal: AbortSignal | undefined): AbortSignal {
    signal?.throwIfAborted();
    this.#end.signal.throwIfAborted();
    return signal ? AbortSignal.any([this.#end.signal, signal]) : this.#end.signal;
  }
}

/** Calls the monitor of `create`. What it throws, `create` rejects with. */
export function monitorOf({ monitor }: CreateOptions): EventTarget | null {
  if (!monitor) return null;
  const target = new EventTarget();
  monitor(target);
  return target;
}

/** What `write` passes on, as a stream. Cancelling it calls `stop`. */
export function streamOf<T>(write: (push: (piece: T) => void) => Promise<void>, stop: () => void): ReadableStream<T> {
  return new ReadableStream<T>({
    start(controller) {
      write((piece) => controller.enqueue(piece)).then(
        () => controller.close(),
        (error: unknown) => controller.error(error),
      );
    },
    cancel: stop,
  });
}
