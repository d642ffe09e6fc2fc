// A Chromium with the extension that reads one page after another, the way a user makes it read: the toolbar button.
// What the panel sends to the extension's host is observed in the host's document by a second listener to the panel's
// port. The extension knows nothing of it.

import type { Page } from "@playwright/test";
import type { Block } from "../../web/src/protocol.gen.ts";
import { launch } from "../harness/launch.ts";

const PANEL = "sidepanel/index.html";
const HOST = "offscreen";
const READ_MS_MAX = 60_000;
/** A page may name files that no server has; it is read after this time even where they are still awaited. */
const LOAD_MS_MAX = 10_000;

/** What the panel sent to its host: the blocks of a page and who wrote them; or the words of the problem that it shows. */
export type Reading = { blocks: Block[] } | { problem: string };

export interface Reader {
  /** Opens an address and has the extension read it. */
  read(url: string): Promise<Reading>;
  /** The tab that shows the page. */
  readonly page: Page;
  close(): Promise<void>;
}

/** Starts the browser. The first page starts the extension's host and opens its panel. */
export async function openReader(): Promise<Reader> {
  const launched = await launch();
  const { context, targets } = launched;
  try {
    const settings = JSON.stringify({ settings: { backend: "cpu", length: "short" } });
    await targets.evaluate("background.js", `chrome.storage.local.set(${settings})`);
    await targets.evaluate("background.js", START_HOST);
    await targets.evaluate(HOST, LISTEN);
    const page = await context.newPage();
    return {
      page,
      async read(url) {
        await page.goto(url, { waitUntil: "domcontentloaded" });
        await page.waitForLoadState("load", { timeout: LOAD_MS_MAX }).catch(() => {});
        await page.bringToFront();
        await targets.evaluate(HOST, "readingHeard.clear()");
        await targets.pressAction(page.url());
        const heard = targets.evaluate<{ blocks: Block[] } | null>(HOST, `readingHeard.next(${READ_MS_MAX})`);
        const stop = new AbortController();
        const problem = problemShown(() => targets.evaluate<string | null>(PANEL, PROBLEM), stop.signal);
        const first = await Promise.race([heard.then((reading) => ({ reading })), problem]);
        stop.abort();
        if ("problem" in first) return first;
        if (!first.reading) return { problem: `the panel sent nothing for ${READ_MS_MAX} ms` };
        // The summary is not asked for: it would take the time of the next page.
        await targets.evaluate(PANEL, CANCEL);
        return first.reading;
      },
      close: () => launched.close(),
    };
  } catch (error) {
    await launched.close();
    throw error;
  }
}

/** The document in which the extension's worker is hosted, as the panel would start it. The first-run page may have done so. */
const START_HOST = `chrome.offscreen.hasDocument().then((is) => is || chrome.offscreen.createDocument({
  url: "offscreen.html", reasons: ["WORKERS"], justification: "Reads pages." }))`;

/** Keeps the blocks of the last page that a panel has sent. */
const LISTEN = `(() => {
  let last = null;
  let tell = () => {};
  chrome.runtime.onConnect.addListener((port) => port.onMessage.addListener((message) => {
    if (message.type !== "summarize") return;
    last = { blocks: message.read.page.blocks };
    tell();
  }));
  globalThis.readingHeard = {
    clear: () => { last = null; },
    next: (limit_ms) => new Promise((resolve) => {
      tell = () => resolve(last);
      setTimeout(() => resolve(null), limit_ms);
      if (last) tell();
    }),
  };
})()`;

/** The alert in place of a summary; null where there is none, or while the page is being read. */
const PROBLEM = `document.querySelector("#summary [role=alert]")?.textContent ?? null`;

/** Cancels the summary on a second port of the panel to its host. */
const CANCEL = `(() => {
  const tab = new URLSearchParams(location.search).get("tab");
  globalThis.readingPort ??= chrome.runtime.connect({ name: "panel:" + tab });
  readingPort.postMessage({ type: "cancelSummary" });
})()`;

/** Resolves with the problem that the panel shows, which may be the one of the page before for a moment. */
async function problemShown(ask: () => Promise<string | null>, signal: AbortSignal): Promise<{ problem: string }> {
  let shown = 0;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    if (signal.aborted) return { problem: "" };
    const problem = await ask();
    shown = problem === null ? 0 : shown + 1;
    if (problem !== null && shown > 4) return { problem };
  }
}
