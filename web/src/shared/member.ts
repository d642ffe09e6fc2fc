// A client's side of sharing. The tab that holds a lock runs the worker; all tabs talk to it over channels of their own. If that
// tab goes, the next one starts a worker, and every client repeats there what it has open.

import { clientErrors, PithError } from "../errors.js";
import { type Event, type EventMessage, type Outcome, PROTOCOL_VERSION, type Request } from "../protocol.gen.js";
import { type Started, startWorker } from "../start.js";
import { Watchdog } from "../watchdog.js";
import {
  type Activity,
  CHANNEL,
  channelOf,
  type Command,
  type FromHost,
  type HostId,
  type Notice,
  type Owner,
  type Report,
  type Sent,
  type State,
  type ToHost,
} from "./wire.js";

/** Interval between questions to a worker that is waited for. */
const ASK_MS = 1_000;
/** Unanswered questions in a row after which the tab with the worker counts as frozen, and another one takes over. */
const UNANSWERED_MAX = 10;
/** Tabs do not take over at the same time. */
const UNANSWERED_SPREAD = 4;
/** A request that has ended so many workers is not repeated any more. */
const ATTEMPTS_MAX = 3;

/** A request that has not ended. */
interface Open {
  message: Sent;
  isPaused: boolean;
  /** How many workers it was sent to. */
  attempts: number;
  /** Text and log probabilities that the caller has. */
  text: string;
  logprobs: number;
  /** How much of them the present worker has sent. */
  textAt: number;
  logprobsAt: number;
}

/** An endpoint to the worker of all tabs. */
class Member extends EventTarget implements Started {
  readonly worker = this;
  readonly #id = crypto.randomUUID();
  readonly #workerUrl: string | URL | undefined;
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #pair = new BroadcastChannel(channelOf(this.#id));
  readonly #open = new Map<number, Open>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #patience = UNANSWERED_MAX + Math.floor(Math.random() * UNANSWERED_SPREAD);
  #leave = (): void => {};
  #hasLeft = false;
  #host: HostId | null = null;
  #unanswered = 0;
  #state: State = { settings: {}, tokens: [], models: [] };
  #election = new AbortController();
  /** Gives the lock back; null in tabs that do not hold it. */
  #resign: (() => void) | null = null;
  #started: Started | null = null;
  #watchdog: Watchdog | null = null;

  constructor(workerUrl: string | URL | undefined) {
    super();
    this.#workerUrl = workerUrl;
    this.#channel.addEventListener("message", ({ data }: MessageEvent<Notice>) => this.#hear(data));
    this.#pair.addEventListener("message", ({ data }: MessageEvent<FromHost>) => this.#receive(data));
    this.#timer = setInterval(() => this.#turn(), ASK_MS);
  }

  /** Holds its lock and looks for the worker. This tab starts it if none has. */
  async enter(): Promise<void> {
    // The worker takes a client without its lock for one that has gone.
    await new Promise<void>((resolve, reject) => {
      const hold = (): Promise<void> => {
        resolve();
        return new Promise((leave) => (this.#leave = leave));
      };
      navigator.locks.request(channelOf(this.#id), hold).catch(reject);
    });
    this.#join();
    this.#elect(false);
  }

  get url(): string | undefined {
    return this.#started?.url;
  }

  get forbidden(): string | undefined {
    return this.#started?.forbidden;
  }

  /** Takes a message as a worker does. */
  postMessage(data: unknown): void {
    // Kept to be repeated, whatever the caller does with its objects.
    const message = structuredClone(data) as Sent;
    const { id, request } = message;
    if (request.type === "ping") {
      // The tab that runs the worker watches it for all.
      queueMicrotask(() => this.#emit(id, { type: "done", result: { type: "ok" } }));
    } else if (request.type === "cancel" || request.type === "pause" || request.type === "resume") {
      const open = this.#open.get(request.target);
      if (open) open.isPaused = request.type === "pause";
      if (request.type === "cancel") this.#open.delete(request.target);
      this.#send(message);
    } else {
      const open = { message, isPaused: false, attempts: 0, text: "", logprobs: 0, textAt: 0, logprobsAt: 0 };
      this.#open.set(id, open);
      fixSeed(request);
      this.#repeat(open);
    }
  }

  /** Leaves. The worker cancels what is still open; it ends if this tab runs it, and the next tab starts another one. */
  terminate(): void {
    this.#hasLeft = true;
    clearInterval(this.#timer);
    this.#open.clear();
    this.#election.abort();
    this.#stopLeading();
    this.#channel.close();
    this.#pair.close();
    this.#leave();
  }

  #emit(id: number, event: Event): void {
    const data: EventMessage = { version: PROTOCOL_VERSION, id, event };
    if (!this.#hasLeft) this.dispatchEvent(new MessageEvent("message", { data }));
  }

  #tellAll(notice: Notice): void {
    if (!this.#hasLeft) this.#channel.postMessage(notice);
  }

  #send(message: Sent): void {
    if (this.#host && !this.#hasLeft) this.#pair.postMessage({ host: this.#host.id, message } satisfies ToHost);
  }

  #join(): void {
    this.#tellAll({ type: "join", member: this.#id });
  }

  /** Sends a request to the present worker, as its first one or again. */
  #repeat(open: Open): void {
    if (!this.#host) return;
    const { id } = open.message;
    open.attempts += 1;
    open.textAt = open.logprobsAt = 0;
    if (open.attempts > ATTEMPTS_MAX)
      return this.#fail(id, clientErrors.died("it ended whenever this request was repeated"));
    this.#send(open.message);
    if (open.isPaused) this.#send({ version: PROTOCOL_VERSION, id, request: { type: "pause", target: id } });
  }

  #fail(id: number, error: PithError): void {
    if (this.#open.delete(id)) this.#emit(id, { type: "failed", error: error.toData() as never });
  }

  #hear(notice: Notice): void {
    switch (notice.type) {
      case "host":
        return this.#join();
      case "join":
      case "ping":
        // Its worker may be starting, or computing.
        if (this.#resign) this.#tellAll({ type: "pong", host: null });
        return;
      case "pong":
        if (notice.host === null || notice.host === this.#host?.id) this.#unanswered = 0;
        else this.#join();
        return;
      case "state":
        this.#state = notice.state;
        return;
      case "stuck":
        return this.#failStuck(notice.requests);
    }
  }

  #failStuck(requests: readonly Owner[]): void {
    for (const [member, id] of requests) if (member === this.#id) this.#fail(id, clientErrors.stuck());
  }

  #receive(message: FromHost): void {
    if ("state" in message) return this.#attach(message.host, message.state);
    if (message.host.id !== this.#host?.id) return;
    this.#unanswered = 0;
    const { id, event } = message.message;
    const open = this.#open.get(id);
    if (open) this.#deliver(id, open, event);
  }

  #attach(host: HostId, state: State): void {
    this.#unanswered = 0;
    if (this.#host && (host.id === this.#host.id || host.term < this.#host.term)) return;
    this.#host = host;
    this.#state = state;
    for (const open of this.#open.values()) this.#repeat(open);
  }

  #deliver(id: number, open: Open, event: Event): void {
    const { request } = open.message;
    switch (event.type) {
      case "token":
        return this.#continue(id, open, event);
      case "done":
        if (event.result.type === "text" && !event.result.text.startsWith(open.text)) return this.#differ(id);
        this.#open.delete(id);
        return this.#emit(id, event);
      case "failed":
        this.#open.delete(id);
        // It was done by the worker that ended before it could say so.
        return this.#emit(id, open.attempts > 1 && isAlreadyDone(request, event) ? DONE : event);
      default:
        return this.#emit(id, event);
    }
  }

  /** Passes on what the caller does not have yet, and compares the rest with what it has. */
  #continue(id: number, open: Open, { text, logprobs = [] }: Extract<Event, { type: "token" }>): void {
    const known = open.text.slice(open.textAt, open.textAt + text.length);
    if (!text.startsWith(known)) return this.#differ(id);
    const knownLogprobs = Math.min(open.logprobs - open.logprobsAt, logprobs.length);
    const [fresh, freshLogprobs] = [text.slice(known.length), logprobs.slice(knownLogprobs)];
    open.textAt += text.length;
    open.logprobsAt += logprobs.length;
    open.text += fresh;
    open.logprobs += freshLogprobs.length;
    if (fresh || freshLogprobs.length > 0) this.#emit(id, { type: "token", text: fresh, logprobs: freshLogprobs });
  }

  #differ(id: number): void {
    this.#send({ version: PROTOCOL_VERSION, id, request: { type: "cancel", target: id } });
    const error = {
      code: "replay_differs",
      message: "The text could not be continued after its tab was closed.",
      help: "Generate it again.",
      detail: "repeated by another worker, the generation did not begin with the text that was delivered",
    };
    this.#fail(id, new PithError(error));
  }

  #turn(): void {
    if (this.#resign || (this.#host && this.#open.size === 0)) {
      this.#unanswered = 0;
    } else if (this.#unanswered >= this.#patience) {
      this.#unanswered = 0;
      this.#elect(true);
    } else {
      this.#unanswered += 1;
      if (this.#host) this.#tellAll({ type: "ping" });
      else this.#join();
    }
  }

  /** Waits until no other tab runs the worker, or takes it from one that does not answer. */
  #elect(isForced: boolean): void {
    this.#election.abort();
    const election = (this.#election = new AbortController());
    const { signal } = election;
    const lead = (): Promise<void> => {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resign) => {
        this.#resign = resign;
        this.#lead();
      });
    };
    navigator.locks.request(CHANNEL, isForced ? { steal: true } : { signal }, lead).catch(() => {
      if (signal.aborted) return;
      // Another tab has taken it, because this one did not answer.
      this.#stopLeading();
      this.#elect(false);
    });
  }

  #stopLeading(): void {
    this.#endWorker();
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
    let started: Started;
    try {
      started = startWorker(this.#workerUrl);
    } catch (error) {
      const detail = error instanceof PithError ? error.detail : String(error);
      return void this.dispatchEvent(new ErrorEvent("error", { message: detail }));
    }
    this.#started = started;
    const { worker } = started;
    const isCurrent = (): boolean => this.#started === started;
    const post = (command: Command): void => worker.postMessage(command);
    let activity: Activity = { hasAnswered: false, isOpen: false, isPreparing: false, begun: null };
    const watchdog = new Watchdog({
      ask: () => post({ share: "ping" }),
      isPreparing: () => activity.isPreparing,
      giveUp: () => {
        const requests = activity.begun ? [activity.begun] : [];
        this.#tellAll({ type: "stuck", requests });
        this.#failStuck(requests);
        this.#lead();
      },
    });
    this.#watchdog = watchdog;
    const restart = (): void => {
      if (isCurrent()) this.#lead();
    };
    worker.addEventListener("message", (message) => {
      const { data } = message as MessageEvent<Report | EventMessage>;
      if (!isCurrent()) return;
      if ("shared" in data) {
        watchdog.heard();
        if (data.shared === "pong") return;
        activity = data.shared;
        watchdog.watch(activity.isOpen);
      } else if (data.event.type === "alive") {
        navigator.locks.request(data.event.lock, restart).catch(() => {});
      } else if (data.event.type === "fatal") {
        if (activity.hasAnswered) restart();
        else this.#emit(0, data.event);
      }
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const { message } = event as ErrorEvent;
      if (isCurrent()) this.dispatchEvent(new ErrorEvent("error", { message }));
    });
    const host: HostId = { id: crypto.randomUUID(), term: Math.max(Date.now(), (this.#host?.term ?? 0) + 1) };
    post({ share: { host, state: this.#state } });
  }
}

/** Joins the tabs that share a worker. */
export async function join(workerUrl: string | URL | undefined): Promise<Started> {
  if (typeof BroadcastChannel === "undefined" || !globalThis.navigator?.locks)
    throw clientErrors.start("shared: a page without Web Locks (they need https) cannot share a worker");
  const member = new Member(workerUrl);
  await member.enter();
  return member;
}

const DONE: Event = { type: "done", result: { type: "ok" } satisfies Outcome };

const isAlreadyDone = ({ type }: Request, { error: { code } }: Extract<Event, { type: "failed" }>): boolean =>
  (type === "delete" && code === "not_stored") || (type === "unload" && code === "model_not_loaded");

/** A generation that is repeated must draw the same tokens. */
function fixSeed(request: Request): void {
  if (request.type !== "generate" || !(request.sampling?.temperature ?? 0)) return;
  request.sampling = {
    ...request.sampling,
    seed: request.sampling?.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!,
  };
}
