import { platform } from "#platform";
import { portName, type TabState, type ToHost, type ToPanel } from "../wire.js";

/** The line to the host. Should the host end, it is started again; what it knew is lost, and its empty state says so. */
export class HostLink {
  readonly #tab: number;
  readonly #onState: (state: TabState) => void;
  #port: Promise<chrome.runtime.Port> | null = null;

  constructor(tab: number, onState: (state: TabState) => void) {
    this.#tab = tab;
    this.#onState = onState;
  }

  /** Resolves with the first state. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#port = this.#connect(resolve);
      this.#port.catch(reject);
    });
  }

  async send(message: ToHost): Promise<void> {
    this.#port ??= this.#connect();
    (await this.#port).postMessage(message);
  }

  async #connect(onFirst?: () => void): Promise<chrome.runtime.Port> {
    await platform.ensureHost();
    const port = chrome.runtime.connect({ name: portName(this.#tab) });
    port.onMessage.addListener((message: ToPanel) => {
      this.#onState(message.state);
      onFirst?.();
    });
    port.onDisconnect.addListener(() => {
      this.#port = this.#connect();
    });
    return port;
  }
}
