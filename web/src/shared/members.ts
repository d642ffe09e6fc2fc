// The clients of a shared worker: a channel to each, and what happens when one goes.

import { openSecret } from "./secret.js";
import {
  CHANNEL,
  type FromHost,
  type HostId,
  lockOf,
  type Notice,
  type Sent,
  type State,
  type ToHost,
} from "./wire.js";

/** What clients do. */
export interface Heard {
  /** What a client may know. */
  stateFor(member: string): State;
  receive(member: string, message: Sent): void;
  /** A client knows what the worker before had of it. */
  adopt(member: string, state: State): void;
  leave(member: string): void;
}

/** The clients of one worker, by their public keys. */
export class Members {
  readonly #host: HostId;
  readonly #key: CryptoKey;
  readonly #heard: Heard;
  readonly #all = new BroadcastChannel(CHANNEL);
  readonly #channels = new Map<string, BroadcastChannel>();

  constructor({ host, key }: { host: HostId; key: CryptoKey }, heard: Heard) {
    this.#host = host;
    this.#key = key;
    this.#heard = heard;
    this.#all.addEventListener("message", ({ data }: MessageEvent<Notice>) => {
      if (data.type === "ping") this.#tellAll({ type: "pong", host: host.id });
      // What is no key opens no channel.
      if (data.type === "join") this.#add(data.member).catch(() => {});
    });
    this.#tellAll({ type: "host" });
  }

  #tellAll(notice: Notice): void {
    this.#all.postMessage(notice);
  }

  /** Listens to a client until it releases its lock, which it holds as long as it exists. */
  async #add(member: string): Promise<void> {
    if (!this.#channels.has(member)) {
      const channel = await openSecret(this.#key, member);
      if (this.#channels.has(member)) return channel.close();
      this.#channels.set(member, channel);
      channel.addEventListener("message", ({ data }: MessageEvent<ToHost>) => {
        if (data.host !== this.#host.id) return;
        if ("state" in data) this.#heard.adopt(member, data.state);
        else this.#heard.receive(member, data.message);
      });
      const leave = (): void => {
        this.#channels.delete(member);
        channel.close();
        this.#heard.leave(member);
      };
      navigator.locks.request(lockOf(member), leave).catch(() => {});
    }
    this.#welcome(member);
  }

  #welcome(member: string): void {
    this.send(member, { host: this.#host, state: this.#heard.stateFor(member) });
  }

  /** Tells each client what it may know of a change. */
  tellState(): void {
    for (const member of this.#channels.keys()) this.#welcome(member);
  }

  send(member: string, message: FromHost): void {
    this.#channels.get(member)?.postMessage(message);
  }
}
