import { platform } from "#platform";

/** How long after a port that nobody answered the next one is tried. */
const DEAF_MS = 50;

/**
 * The line to the host: `Send` goes there, and each `State` comes back as `{ state }`. Should the host end, `onLost` is called and
 * it is started again; what it knew is lost.
 */
export class HostLink<Send, State> {
  readonly #name: string;
  readonly #onState: (state: State) => void;
  readonly #onLost: () => void;
  #port: Promise<chrome.runtime.Port> | null = null;
  /** Who waits for the first state, whichever port it comes through. */
  #opening: { resolve: () => void; reject: (error: unknown) => void } | null = null;
  #isClosed = false;

  constructor(name: string, onState: (state: State) => void, onLost: () => void) {
    this.#name = name;
    this.#onState = onState;
    this.#onLost = onLost;
  }

  /** Resolves with the first state. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject };
      void this.#join();
    });
  }

  async send(message: Send): Promise<void> {
    (await (this.#port ?? this.#join())).postMessage(message);
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

  /** Connects. Where that fails, the next message tries it again. */
  #join(delay_ms = 0): Promise<chrome.runtime.Port> {
    const port = this.#connect(delay_ms);
    this.#port = port;
    port.catch((error: unknown) => {
      if (this.#port === port) this.#port = null;
      this.#opening?.reject(error);
    });
    return port;
  }

  async #connect(delay_ms: number): Promise<chrome.runtime.Port> {
    if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms));
    await platform.ensureHost();
    if (this.#isClosed) throw new Error("the panel has turned to another tab");
    const port = chrome.runtime.connect({ name: this.#name });
    let wasHeard = false;
    port.onMessage.addListener((message: { state: State }) => {
      wasHeard = true;
      if (!("state" in message)) return this.answered?.(message);
      this.#onState(message.state);
      this.#opening?.resolve();
      this.#opening = null;
    });
    port.onDisconnect.addListener(() => {
      // Read, or the browser writes into the console that nobody did.
      void chrome.runtime.lastError;
      if (this.#isClosed) return;
      this.lost?.();
      this.#onLost();
      // A host that is just ending is still there for the browser, and hears nothing.
      void this.#join(wasHeard ? 0 : DEAF_MS);
    });
    return port;
  }
}
