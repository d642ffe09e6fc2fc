// A client's channel to the worker of the page that holds the lock of all tabs, and to no other.

import { findHostKey, type Keys, openSecret } from "./secret.js";
import type { FromHost, ToHost } from "./wire.js";

export class Link {
  readonly #keys: Keys;
  readonly #hear: (message: FromHost) => void;
  #channel: BroadcastChannel | null = null;
  #hostKey = "";
  #finding: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(keys: Keys, hear: (message: FromHost) => void) {
    this.#keys = keys;
    this.#hear = hear;
  }

  /** Looks for the holder of the lock; calls back once a channel to it is open. */
  find(ready: () => void): void {
    this.#finding = this.#finding.then(() => this.#open(ready)).catch(() => {});
  }

  async #open(ready: () => void): Promise<void> {
    const key = await findHostKey();
    if (!key) return;
    if (key !== this.#hostKey) {
      this.#channel?.close();
      this.#channel = await openSecret(this.#keys.own, key);
      this.#hostKey = key;
      this.#channel.addEventListener("message", ({ data }: MessageEvent<FromHost>) => this.#hear(data));
    }
    if (this.#isClosed) this.#channel?.close();
    else ready();
  }

  post(message: ToHost): void {
    if (!this.#isClosed) this.#channel?.postMessage(message);
  }

  close(): void {
    this.#isClosed = true;
    this.#channel?.close();
  }
}
