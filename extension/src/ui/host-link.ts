import { platform } from "#platform";

/**
 * The line to the host: `Send` goes there, and each `State` comes back as `{ state }`. Should the host end, `onLost` is called and
 * it is started again; what it knew is lost.
 */
export class HostLink<Send, State> {
  readonly #name: string;
  readonly #onState: (state: State) => void;
  readonly #onLost: () => void;
  #port: Promise<chrome.runtime.Port> | null = null;
  #isClosed = false;

  constructor(name: string, onState: (state: State) => void, onLost: () => void) {
    this.#name = name;
    this.#onState = onState;
    this.#onLost = onLost;
  }

  /** Resolves with the first state. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#port = this.#connect(resolve);
      this.#port.catch(reject);
    });
  }

  async send(message: Send): Promise<void> {
    this.#port ??= this.#connect();
    (await this.#port).postMessage(message);
  }

  /** Takes a message that is no state. */
  protected answered?(message: object): void;

  /** The host has ended: what was asked of it gets no answer. */
  protected lost?(): void;

  /** For a panel that turns to another tab. */
  close(): void {
    this.#isClosed = true;
    this.#port?.then(
      (port) => port.disconnect(),
      () => {},
    );
  }

  async #connect(onFirst?: () => void): Promise<chrome.runtime.Port> {
    await platform.ensureHost();
    if (this.#isClosed) throw new Error("the panel has turned to another tab");
    const port = chrome.runtime.connect({ name: this.#name });
    port.onMessage.addListener((message: { state: State }) => {
      if (!("state" in message)) return this.answered?.(message);
      this.#onState(message.state);
      onFirst?.();
    });
    port.onDisconnect.addListener(() => {
      if (this.#isClosed) return;
      this.lost?.();
      this.#onLost();
      this.#port = this.#connect();
    });
    return port;
  }
}
