// The clients of a shared worker: a channel to each, and what happens when one goes.

import {
  CHANNEL,
  channelOf,
  type FromHost,
  type HostId,
  type Notice,
  type Sent,
  type State,
  type ToHost,
} from "./wire.js";

/** What clients do. */
export interface Heard {
  /** For clients that join. */
  state(): State;
  receive(member: string, message: Sent): void;
  leave(member: string): void;
}

/** The clients of one worker, by their ids. */
export class Members {
  readonly #host: HostId;
  readonly #heard: Heard;
  readonly #all = new BroadcastChannel(CHANNEL);
  readonly #channels = new Map<string, BroadcastChannel>();

  constructor(host: HostId, heard: Heard) {
    this.#host = host;
    this.#heard = heard;
    this.#all.addEventListener("message", ({ data }: MessageEvent<Notice>) => {
      if (data.type === "ping") this.tellAll({ type: "pong", host: host.id });
      if (data.type !== "join") return;
      this.#add(data.member);
      this.send(data.member, { host, state: heard.state() });
    });
  }

  tellAll(notice: Notice): void {
    this.#all.postMessage(notice);
  }

  /** Listens to a client until it releases its lock, which it holds as long as it exists. */
  #add(member: string): void {
    if (this.#channels.has(member)) return;
    const channel = new BroadcastChannel(channelOf(member));
    this.#channels.set(member, channel);
    channel.addEventListener("message", ({ data }: MessageEvent<ToHost>) => {
      if (data.host === this.#host.id) this.#heard.receive(member, data.message);
    });
    const leave = (): void => {
      this.#channels.delete(member);
      channel.close();
      this.#heard.leave(member);
    };
    navigator.locks.request(channelOf(member), leave).catch(() => {});
  }

  send(member: string, message: FromHost): void {
    this.#channels.get(member)?.postMessage(message);
  }
}
