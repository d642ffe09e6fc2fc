import { PithError } from "@pith/web";
import { PDF_PAGE, PDF_PORT, type PdfAnswer, type PdfReading, type ToPdf } from "../pdf-wire.js";
import type { ReadPage, Source } from "../wire.js";

export type OnProgress = (done: number, total: number) => void;

/** A page that is only just being opened has no listener yet. */
const OPENING_MS = 4_000;
const LOOK_MS = 50;

/** The PDF page in a tab. Every answer is null where the tab shows another page. */
export class PdfLink {
  readonly #tab: number;

  constructor(tab: number) {
    this.#tab = tab;
  }

  async key(): Promise<{ key: string | null } | null> {
    return this.#ask({ type: "pdf", ask: "key" });
  }

  async show(source: Source, marks: boolean): Promise<{ found: boolean } | null> {
    return this.#ask({ type: "pdf", ask: "show", source, marks });
  }

  async clear(): Promise<PdfAnswer | null> {
    return this.#ask({ type: "pdf", ask: "clear" });
  }

  /** Reads the document; the signal makes the page stop. */
  async read(signal: AbortSignal, onProgress: OnProgress): Promise<ReadPage | null> {
    if (!(await this.#isThere())) return null;
    const port = chrome.tabs.connect(this.#tab, { name: PDF_PORT });
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => port.disconnect(), { once: true });
      port.onDisconnect.addListener(() => reject(new PithError({ code: "page_gone", message: "" })));
      port.onMessage.addListener((reading: PdfReading) => {
        if (reading.phase === "reading") return onProgress(reading.done, reading.total);
        if (reading.phase === "done") resolve(reading.read);
        else reject(new PithError(reading.error));
        port.disconnect();
      });
    });
  }

  async #isThere(): Promise<boolean> {
    const end_ms = performance.now() + OPENING_MS;
    for (;;) {
      // Asked for first: a page that is complete by then had its listener before.
      const { url, status } = await chrome.tabs.get(this.#tab).catch(() => ({ url: undefined, status: "complete" }));
      if ((await this.key()) !== null) return true;
      // Chrome tells the addresses of pages that the user opened to us, and hides those of our own.
      const isOther = url ? !url.startsWith(chrome.runtime.getURL(PDF_PAGE)) : status === "complete";
      if (isOther || performance.now() > end_ms) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  async #ask(message: ToPdf): Promise<PdfAnswer | null> {
    // No other page has a listener: the browser says so by an error.
    return (await chrome.tabs.sendMessage<ToPdf, PdfAnswer>(this.#tab, message).catch(() => null)) ?? null;
  }
}
