import { clientErrors, PithError } from "./errors.js";
import type { Pauser } from "./pauser.js";
import {
  type Event,
  type EventMessage,
  type Outcome,
  PROTOCOL_VERSION,
  type Request,
  type Stage,
} from "./protocol.gen.js";
import { isPreparation, Watchdog } from "./watchdog.js";

/** The transport of messages: a `Worker`, a `MessagePort` to one, or a client of a worker that tabs share. */
export type Endpoint = EventTarget & { postMessage(message: unknown): void } & (
    { terminate(): void } | { start(): void; close(): void }
  );

/** Events of a request before its end. */
export type Interim = Exclude<Event, { type: "done" | "failed" | "fatal" | "alive" }>;

/** How a request is observed and aborted. */
export interface CallOptions {
  /** Aborts the request: it rejects with the signal's reason at once. */
  signal?: AbortSignal;
  /** Receives every event before the last. */
  onEvent?: (event: Interim) => void;
  /** Pauses its network traffic. */
  pauser?: Pauser;
  /** Sent with the request. */
  files?: File[];
}

interface Open {
  resolve: (outcome: Outcome) => void;
  reject: (error: unknown) => void;
  onEvent: (event: Interim) => void;
  /** The last stage that was reported. */
  stage: Stage | null;
}

/** Numbers requests, routes every event to its request, and fails all of them when the worker ends or hangs. */
export class Channel {
  readonly #endpoint: Endpoint;
  readonly #open = new Map<number, Open>();
  #nextId = 1;
  #ended: PithError | null = null;
  /** Before its first answer the worker starts: a failure is one to start. */
  #hasAnswered = false;
  /** The request that the worker began last. */
  #begun: number | null = null;
  readonly #watchdog = new Watchdog({
    ask: () => this.#post(this.#nextId++, { type: "ping" }),
    isPreparing: () => [...this.#open.values()].some(({ stage }) => isPreparation(stage)),
    giveUp: () => this.#replace(),
  });

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    endpoint.addEventListener("message", (event) => this.#receive((event as MessageEvent<EventMessage>).data));
    endpoint.addEventListener("messageerror", () => this.end(clientErrors.died("a message could not be read")));
    endpoint.addEventListener("error", (event) => {
      event.preventDefault();
      const { message } = event as ErrorEvent;
      const how = this.#hasAnswered ? clientErrors.died : clientErrors.start;
      this.end(how(message || "the worker's script could not be loaded"));
    });
    if ("start" in endpoint) endpoint.start();
  }

  /** Why no request is accepted any more, or null. */
  get ended(): PithError | null {
    return this.#ended;
  }

  /** Sends a request. Resolves with its outcome, rejects with a `PithError` or the signal's reason. */
  call(request: Request, { signal, onEvent, pauser, files }: CallOptions = {}): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      if (signal?.aborted) return reject(signal.reason);
      const id = this.#nextId++;
      const tell = (type: "cancel" | "pause" | "resume"): void => this.#post(this.#nextId++, { type, target: id });
      let leave = (): void => {};
      const settle =
        <T>(end: (value: T) => void) =>
        (value: T): void => {
          signal?.removeEventListener("abort", abort);
          leave();
          end(value);
        };
      const abort = (): void => {
        this.#close(id);
        tell("cancel");
        settle(reject)(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
      const end = { resolve: settle(resolve), reject: settle(reject) };
      this.#open.set(id, { ...end, onEvent: onEvent ?? (() => {}), stage: null });
      this.#watchdog.watch(true);
      try {
        this.#post(id, request, files);
        if (pauser) leave = pauser.follow((paused) => tell(paused ? "pause" : "resume"));
      } catch (error) {
        this.#close(id);
        settle(reject)(clientErrors.argument(String(error)));
      }
    });
  }

  /** Rejects all open and all future requests with this error. */
  end(error: PithError): void {
    if (this.#ended) return;
    this.#ended = error;
    this.#watchdog.watch(false);
    for (const one of this.#open.values()) one.reject(error);
    this.#open.clear();
    if ("terminate" in this.#endpoint) this.#endpoint.terminate();
    else this.#endpoint.close();
  }

  /** The worker hangs. Its current request fails with `worker_stuck`, the others with `worker_replaced`. */
  #replace(): void {
    const stuck = this.#begun === null ? undefined : this.#close(this.#begun);
    stuck?.reject(clientErrors.stuck());
    this.end(clientErrors.replaced());
  }

  #close(id: number): Open | undefined {
    const open = this.#open.get(id);
    this.#open.delete(id);
    this.#watchdog.watch(this.#open.size > 0);
    return open;
  }

  /** The worker holds this lock as long as it runs; there is no event for its end. */
  #endWithLock(name: string): void {
    const locks = globalThis.navigator?.locks;
    const end = (): void => this.end(clientErrors.died("it was terminated"));
    // Free at once: since the site's data were cleared, the worker's locks are others than the page's.
    locks?.request(name, { ifAvailable: true }, (lock) => lock ?? locks.request(name, end)).catch(() => {});
  }

  #post(id: number, request: Request, files?: File[]): void {
    const message = { version: PROTOCOL_VERSION, id, request };
    this.#endpoint.postMessage(files ? { ...message, files } : message);
  }

  #receive({ id, event }: EventMessage): void {
    this.#watchdog.heard();
    if (event.type === "begun") this.#begun = id;
    if (event.type === "alive") return this.#endWithLock(event.lock);
    if (event.type === "fatal")
      return this.end(new PithError({ ...event.error, code: this.#hasAnswered ? "worker_died" : "worker_start" }));
    this.#hasAnswered = true;
    const open = this.#open.get(id);
    if (!open) return;
    if (event.type === "done") {
      this.#close(id);
      open.resolve(event.result);
    } else if (event.type === "failed") {
      this.#close(id);
      open.reject(new PithError(event.error));
    } else {
      if (event.type === "progress") open.stage = event.stage;
      open.onEvent(event);
    }
  }
}
