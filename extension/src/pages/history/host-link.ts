import { platform } from "#platform";
import { readSettings } from "../../settings.js";
import { HISTORY_PORT, type HistoryQuery, type HistoryVector } from "../../history/wire.js";

/** A query without an answer for so long is searched by its words alone. */
const ANSWER_MS = 30_000;

type Embedded = Omit<HistoryVector, "request">;
const NONE: Embedded = { vector: null, encoder: "" };

/** The line to the host, which embeds queries. It is opened when it is first needed. */
export class HostLink {
  #port: chrome.runtime.Port | null = null;
  #next = 1;
  readonly #asked = new Map<number, (answer: Embedded) => void>();

  /** The vector of a query, or null where there is no encoder. */
  async embed(text: string): Promise<Embedded> {
    try {
      const { backend, encoder } = await readSettings();
      const port = (this.#port ??= await this.#connect());
      const request = this.#next++;
      const answer = new Promise<Embedded>((resolve) => {
        this.#asked.set(request, resolve);
        setTimeout(() => this.#answer(request, NONE), ANSWER_MS);
      });
      port.postMessage({ request, text, reading: { backend, encoder } } satisfies HistoryQuery);
      return await answer;
    } catch {
      return NONE;
    }
  }

  #answer(request: number, answer: Embedded): void {
    this.#asked.get(request)?.(answer);
    this.#asked.delete(request);
  }

  async #connect(): Promise<chrome.runtime.Port> {
    await platform.ensureHost();
    const port = chrome.runtime.connect({ name: HISTORY_PORT });
    port.onMessage.addListener(({ request, ...answer }: HistoryVector) => this.#answer(request, answer));
    port.onDisconnect.addListener(() => {
      this.#port = null;
      for (const request of this.#asked.keys()) this.#answer(request, NONE);
    });
    return port;
  }
}
