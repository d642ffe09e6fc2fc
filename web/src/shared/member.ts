// A client's side of sharing. The tab with the lock runs the worker. If it goes, the next one starts a worker, and every client
// repeats there what it has open.

import { clientErrors } from "../errors.js";
import { type Event, type EventMessage, PROTOCOL_VERSION } from "../protocol.gen.js";
import type { Started } from "../start.js";
import { holdLock, Leader } from "./leader.js";
import { Link } from "./link.js";
import { DIFFERS, failed, Replay } from "./replay.js";
import { drawKeys, type Keys } from "./secret.js";
import { CHANNEL, type FromHost, type HostId, lockOf, type Notice, type Owner, type Sent, type State } from "./wire.js";

/** Interval between questions to a worker that is waited for. */
const ASK_MS = 1_000;
/** Unanswered questions in a row after which another tab takes over, and how much this differs between tabs. */
const [UNANSWERED_MAX, UNANSWERED_SPREAD] = [10, 4];

/** An endpoint to the worker of all tabs. */
class Member extends EventTarget implements Started {
  readonly worker = this;
  readonly #keys: Keys;
  readonly #channel = new BroadcastChannel(CHANNEL);
  readonly #link: Link;
  readonly #open = new Map<number, Replay>();
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #patience = UNANSWERED_MAX + Math.floor(Math.random() * UNANSWERED_SPREAD);
  readonly #leader: Leader;
  #leave = (): void => {};
  #hasLeft = false;
  #host: HostId | null = null;
  #unanswered = 0;
  #state: State = { settings: {}, tokens: [], models: [] };

  constructor(keys: Keys, workerUrl: string | URL | undefined) {
    super();
    this.#keys = keys;
    this.#link = new Link(keys, (message) => this.#receive(message));
    const led = {
      succession: () => ({ state: this.#state, term: this.#host?.term ?? 0 }),
      failStuck: (requests: Owner[]) => {
        this.#tellAll({ type: "stuck", requests });
        this.#failStuck(requests);
      },
      failStart: (message: string) => void this.dispatchEvent(new ErrorEvent("error", { message })),
      failFatally: (event: Event) => this.#emit(0, event),
    };
    this.#leader = new Leader(led, keys, workerUrl);
    this.#channel.addEventListener("message", ({ data }: MessageEvent<Notice>) => this.#hear(data));
    this.#timer = setInterval(() => this.#turn(), ASK_MS);
  }

  /** Holds its lock and looks for the worker. This tab starts it if none has. */
  async enter(): Promise<this> {
    // The worker takes a client without its lock for one that has gone.
    this.#leave = await holdLock(lockOf(this.#keys.shown));
    this.#join();
    this.#leader.elect(false);
    return this;
  }

  get url(): string | undefined {
    return this.#leader.started?.url;
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
      const open = new Replay(message);
      this.#open.set(id, open);
      this.#repeat(id, open);
    }
  }

  /** Leaves. The worker cancels what is still open; it ends if this tab runs it, and the next tab starts another one. */
  terminate(): void {
    this.#hasLeft = true;
    clearInterval(this.#timer);
    this.#open.clear();
    this.#leader.leave();
    this.#channel.close();
    this.#link.close();
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
    if (this.#host) this.#link.post({ host: this.#host.id, message });
  }

  /** Asks the worker of whoever holds the lock for a welcome. */
  #join(): void {
    this.#link.find(() => this.#tellAll({ type: "join", member: this.#keys.shown }));
  }

  /** Sends a request to the present worker, as its first one or again. */
  #repeat(id: number, open: Replay): void {
    if (!this.#host) return;
    const messages = open.repeat();
    if ("type" in messages) this.#deliver(id, messages);
    else for (const message of messages) this.#send(message);
  }

  #deliver(id: number, event: Event): void {
    if (event.type === "done" || event.type === "failed") this.#open.delete(id);
    this.#emit(id, event);
  }

  #failStuck(requests: readonly Owner[]): void {
    for (const [member, id] of requests)
      if (member === this.#keys.shown && this.#open.has(id)) this.#deliver(id, failed(clientErrors.stuck()));
  }

  #hear(notice: Notice): void {
    switch (notice.type) {
      case "host":
        return this.#join();
      case "join":
      case "ping":
        // Its worker may be starting, or computing.
        if (this.#leader.isLeading) this.#tellAll({ type: "pong", host: null });
        return;
      case "pong":
        if (notice.host === null || notice.host === this.#host?.id) this.#unanswered = 0;
        else this.#join();
        return;
      case "stuck":
        return this.#failStuck(notice.requests);
    }
  }

  #receive(message: FromHost): void {
    if ("state" in message) return this.#attach(message.host, message.state);
    if (message.host.id !== this.#host?.id) return;
    this.#unanswered = 0;
    const { id, event } = message.message;
    const seen = this.#open.get(id)?.take(event);
    if (seen === DIFFERS) this.#send({ version: PROTOCOL_VERSION, id, request: { type: "cancel", target: id } });
    if (seen) this.#deliver(id, seen);
  }

  #attach(host: HostId, state: State): void {
    this.#unanswered = 0;
    if (this.#host && host.term < this.#host.term) return;
    const isNew = host.id !== this.#host?.id;
    this.#host = host;
    // What the worker before had of this client alone, nobody but this client can tell.
    if (isNew) this.#link.post({ host: host.id, state: this.#state });
    this.#state = state;
    if (!isNew) return;
    for (const [id, open] of this.#open) this.#repeat(id, open);
  }

  #turn(): void {
    const isWaiting = !this.#leader.isLeading && (!this.#host || this.#open.size > 0);
    const isOver = isWaiting && this.#unanswered >= this.#patience;
    this.#unanswered = isWaiting && !isOver ? this.#unanswered + 1 : 0;
    if (isOver) this.#leader.elect(true);
    else if (isWaiting && this.#host) this.#tellAll({ type: "ping" });
    else if (isWaiting) this.#join();
  }
}

/** Joins the tabs that share a worker. */
export async function join(workerUrl: string | URL | undefined): Promise<Started> {
  if (typeof BroadcastChannel === "undefined" || !globalThis.navigator?.locks)
    throw clientErrors.start("shared: a page without Web Locks (they need https) cannot share a worker");
  return new Member(await drawKeys(), workerUrl).enter();
}
