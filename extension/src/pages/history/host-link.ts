import { platform } from "#platform";
import { readSettings } from "../../settings.js";
import { HISTORY_PORT, type HistoryQuery, type HistoryVector } from "../../history/wire.js";

/** A query without an answer for so long is searched by its words alone. */
const ANSWER_MS = 30_000;

/** The line to the host, which embeds queries. It is opened when it is first needed. */
export class HostLink {
  #port: chrome.runtime.Port | null = null;
  #next = 1;
  readonly #asked = new Map<number, (vector: number[] | null) => void>();

  /** The vector of a query, or null where there is no encoder. */
  async embed(text: string): Promise<number[] | null> {
    try {
      const { backend } = await readSettings();
      const port = (this.#port ??= await this.#connect());
      const request = this.#next++;
      const answer = new Promise<number[] | null>((resolve) => {
        this.#asked.set(request, resolve);
        setTimeout(() => this.#answer(request, null), ANSWER_MS);
      });
      port.postMessage({ request, text, backend } satisfies HistoryQuery);
      return await answer;
    } catch {
      return null;
    }
  }

  #answer(request: number, vector: number[] | null): void {
    this.#asked.get(request)?.(vector);
    this.#asked.delete(request);
  }

  async #connect(): Promise<chrome.runtime.Port> {
    await platform.ensureHost();
    const port = chrome.runtime.connect({ name: HISTORY_PORT });
    port.onMessage.addListener(({ request, vector }: HistoryVector) => this.#answer(request, vector));
    port.onDisconnect.addListener(() => {
      this.#port = null;
      for (const request of this.#asked.keys()) this.#answer(request, null);
    });
    return port;
  }
}
