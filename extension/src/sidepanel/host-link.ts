import { platform } from "#platform";
import type { PageDocument } from "../export/document.js";
import { portName, type TabState, type ToHost, type ToPanel } from "../wire.js";

/** The line to the host. Should the host end, `onLost` is called and it is started again; what it knew is lost. */
export class HostLink {
  readonly #tab: number;
  readonly #onState: (state: TabState) => void;
  readonly #onLost: () => void;
  #port: Promise<chrome.runtime.Port> | null = null;
  readonly #asked = new Map<number, (document: PageDocument | null) => void>();
  #nextRequest = 1;
  #isClosed = false;

  constructor(tab: number, onState: (state: TabState) => void, onLost: () => void) {
    this.#tab = tab;
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

  async send(message: ToHost): Promise<void> {
    this.#port ??= this.#connect();
    (await this.#port).postMessage(message);
  }

  /** What there is to copy, save or print; null where nothing was read, or the host ends. */
  async document(): Promise<PageDocument | null> {
    const request = this.#nextRequest++;
    const answer = new Promise<PageDocument | null>((resolve) => this.#asked.set(request, resolve));
    await this.send({ type: "document", request });
    return answer;
  }

  #answer(request: number, document: PageDocument | null): void {
    this.#asked.get(request)?.(document);
    this.#asked.delete(request);
  }

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
    const port = chrome.runtime.connect({ name: portName(this.#tab) });
    port.onMessage.addListener((message: ToPanel) => {
      if (message.type === "document") return this.#answer(message.request, message.document);
      this.#onState(message.state);
      onFirst?.();
    });
    port.onDisconnect.addListener(() => {
      if (this.#isClosed) return;
      for (const request of this.#asked.keys()) this.#answer(request, null);
      this.#onLost();
      this.#port = this.#connect();
    });
    return port;
  }
}
