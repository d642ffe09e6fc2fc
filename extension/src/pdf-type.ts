// Whether a tab shows a PDF file whose address does not say so. The background script asks the site: the panel may not connect.
import { isPanel } from "./host/senders.js";

const TYPE = "isPdf";
const LOOK_MS = 3_000;
/** What servers answer that know no HEAD. */
const NO_HEAD = new Set([403, 404, 405, 501]);

/** Asked by the panel. */
export const isPdf = (url: string): Promise<boolean> => chrome.runtime.sendMessage({ type: TYPE, url });

/** Answers panels. In Chrome the press in the toolbar that opened the panel allows to connect to the site of its tab. */
export function watchPdfTypes(): void {
  chrome.runtime.onMessage.addListener((message: { type?: unknown; url?: unknown }, sender, answer) => {
    if (message.type !== TYPE || !isPanel(sender)) return;
    void look(String(message.url)).then(answer);
    return true;
  });
}

async function look(url: string): Promise<boolean> {
  if (!/^https?:/.test(url)) return false;
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LOOK_MS)]);
  try {
    const ask = (method: string): Promise<Response> => fetch(url, { method, credentials: "include", signal });
    // Some addresses can be got once only, such as links for a download: the type alone is asked for.
    const head = await ask("HEAD");
    const { headers } = NO_HEAD.has(head.status) ? await ask("GET") : head;
    return /^application\/(?:x-)?pdf\b/i.test(headers.get("content-type") ?? "");
  } catch {
    return false;
  } finally {
    stop.abort();
  }
}
