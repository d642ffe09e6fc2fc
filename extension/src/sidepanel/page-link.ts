import { PithError } from "@pith/web";
import { platform } from "#platform";
import type { PageApi } from "../content/page.js";
import type { PickKey } from "../content/pick/keys.js";
import { problem } from "../failure.js";
import { rejectOn } from "../host/reject-on.js";
import { addressOf, addressOfKey, type ReadPage, type Source } from "../wire.js";
import { findArticle } from "./article.js";
import { type Compared, compareDrawn } from "./compare-drawn.js";
import { type OnProgress, PdfLink } from "./pdf-link.js";

// From the root: Firefox would look beside the panel otherwise.
const SCRIPT = "/content/page.js";
const STYLE = "/content/page.css";

/** The browser tells us of a press a little before the page's process, which is asked, knows that it grants access. */
const GRANT_MS = 250;

type Args<M extends keyof PageApi> = Parameters<PageApi[M]>;
type Result<M extends keyof PageApi> = Awaited<ReturnType<PageApi[M]>>;

/** The page in a tab, as far as the browser lets us at it. */
export class PageLink {
  readonly #tab: number;
  /** Where the tab shows Pith's own page for PDF files, that page is asked: no script can be put into it. */
  readonly #pdf: PdfLink;

  constructor(tab: number) {
    this.#tab = tab;
    this.#pdf = new PdfLink(tab);
  }

  /** The key of the page that was read, or null where none was, or where it cannot be asked. */
  async key(): Promise<string | null> {
    const pdf = await this.#pdf.key();
    return pdf ? pdf.key : ((await this.#call("pageKey").catch(() => null)) ?? null);
  }

  /** True where the tab shows another page than the one of the key; the same page loaded again is no other. */
  async isOther(known: string): Promise<boolean> {
    if (known === (await this.key())) return false;
    const { url } = await chrome.tabs.get(this.#tab).catch(() => ({ url: undefined }));
    return url === undefined || addressOf(url) !== addressOfKey(known);
  }

  /** True where the browser lets us at the page: no more after a link to another site, until the user asks again. */
  async isOpen(): Promise<boolean> {
    if (await this.#pdf.key()) return true;
    try {
      await chrome.scripting.executeScript({ target: { tabId: this.#tab }, func: () => true });
      return true;
    } catch (error) {
      return platform.accessProblem(error) !== "page_needs_permission";
    }
  }

  /**
   * Reads the page. Throws a `PithError` with one of the page codes, or the signal's reason, at once: a page whose thread
   * is busy answers late, and then nobody listens. `onProgress` counts the pages of a PDF.
   */
  async read(signal: AbortSignal, onProgress: OnProgress = () => {}): Promise<ReadPage> {
    // A page that is busy now must not read itself for nobody once it is not.
    const stop = (): void => void this.#call("stop").catch(() => {});
    signal.addEventListener("abort", stop, { once: true });
    try {
      const read = async () => (await this.#pdf.read(signal, onProgress)) ?? this.#read(signal);
      return await Promise.race([read(), rejectOn(signal)]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #read(signal: AbortSignal): Promise<ReadPage> {
    const start_ms = performance.now();
    await this.#attempt(() => this.#inject());
    signal.throwIfAborted();
    const picture = await this.#attempt(() => this.#call("picture"));
    if (!picture) throw problem("page_gone");
    if ("problem" in picture) throw problem(picture.problem);
    signal.throwIfAborted();
    const kept = findArticle(picture.html);
    const collected = await this.#attempt(() => this.#call("collect", kept));
    if (!collected) throw problem("page_gone");
    const { blocks, coverage, said, part, times } = collected;
    if (blocks.length === 0) throw problem(collected.problem ?? "no_text");
    const isPrivate = chrome.extension.inIncognitoContext || (await chrome.tabs.get(this.#tab)).incognito;
    const timeMs = performance.now() - start_ms;
    const page = { ...picture.metadata, ...said, blocks };
    const { key } = picture;
    return { key, page, coverage, part, timeMs, readMs: Date.now(), isPrivate, ...(times.length > 0 && { times }) };
  }

  /** Scrolls to a passage of the page of this key and, with `marks`, marks it. False where it is not there any more. */
  async show(known: string, source: Source, marks: boolean): Promise<boolean> {
    const pdf = await this.#pdf.key();
    if (pdf) return pdf.key === known && ((await this.#pdf.show(source, marks))?.found ?? false);
    try {
      // Not before: a page that is only read can find nothing of it.
      if (marks) await this.#insertStyle();
      // A page that was loaded again knows nothing of us, and is searched for the words.
      if ((await this.key()) === null && !(await this.isOther(known))) await this.#inject();
      return (await this.#call("show", source, marks)) ?? false;
    } catch {
      return false;
    }
  }

  /** Which passages of the page of this key are gone, and which are not drawn where they stand in the window. */
  async compare(known: string, sources: readonly Source[]): Promise<Compared> {
    if ((await this.#pdf.key()) || (await this.key()) !== known) return { gone: [], blank: [] };
    return compareDrawn(this.#tab, () => this.#call("drawn", sources).catch(() => undefined));
  }

  /** Lets the reader choose a part of the page. False where none was chosen; throws as `read` does. */
  async pick(): Promise<boolean> {
    await this.#attempt(() => this.#inject());
    return (await this.#attempt(() => this.#call("pick"))) ?? false;
  }

  /** A key while a part is chosen; gives the words of what is outlined now. */
  async pickKey(key: PickKey): Promise<string | null> {
    return (await this.#call("pickKey", key).catch(() => "")) ?? null;
  }

  /** The next reading is of the whole page; or it has what is closed, and what appears while one scrolls. */
  async prepare(how: "readWhole" | "unfold"): Promise<void> {
    await this.#call(how).catch(() => {});
  }

  /** Offers a button at selections, by its name; null takes it away. */
  async offer(label: string | null): Promise<void> {
    await this.#call("offer", label).catch(() => {});
  }

  /** Chromium marks by a style of the author's only, and Firefox in shadow roots by one of the user's only. */
  async #insertStyle(): Promise<void> {
    const target = { tabId: this.#tab, allFrames: true };
    for (const origin of ["AUTHOR", "USER"] as const)
      await chrome.scripting.insertCSS({ target, files: [STYLE], origin });
  }

  async clear(): Promise<void> {
    if (await this.#pdf.clear()) return;
    await this.#call("clear").catch(() => {});
  }

  async #inject(): Promise<void> {
    const target = { tabId: this.#tab };
    const end_ms = performance.now() + GRANT_MS;
    for (;;) {
      try {
        const [ran] = await chrome.scripting.executeScript({ target, files: [SCRIPT] });
        // Firefox's own pages: it says nothing, and runs nothing.
        if (!ran) throw problem("page_restricted");
        return;
      } catch (error) {
        const mayBeEarly = platform.accessProblem(error) === "page_needs_permission" && performance.now() < end_ms;
        if (!mayBeEarly) throw error;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
  }

  async #call<M extends keyof PageApi>(method: M, ...args: Args<M>): Promise<Result<M> | undefined> {
    const [answer] = await chrome.scripting.executeScript({
      target: { tabId: this.#tab },
      // Runs in the page: it may use nothing from here but its arguments.
      func: async (name: string, values: unknown[]) => {
        const api = globalThis.pithPage as Record<string, (...all: unknown[]) => unknown> | undefined;
        if (!api) return null;
        try {
          // As text: the browser would take an object of many blocks apart in one long task of the page.
          return { json: JSON.stringify(await api[name]?.(...values)) };
        } catch (error) {
          // Thrown on, it would be lost: the browser then gives no result at all.
          // Firefox leaves the message out of the stack.
          const stack = (error instanceof Error && error.stack) || "";
          return { failed: stack.includes(String(error)) ? stack : `${String(error)} ${stack}`.trim() };
        }
      },
      args: [method, args],
    });
    const result = answer?.result;
    if (result && "failed" in result && result.failed) throw problem("page_reader_failed", result.failed);
    return result?.json === undefined ? undefined : (JSON.parse(result.json) as Result<M>);
  }

  async #attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw error instanceof PithError ? error : problem(platform.accessProblem(error), String(error));
    }
  }
}
