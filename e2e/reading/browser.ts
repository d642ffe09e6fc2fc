// A browser with the extension that reads one page after another, the way a user makes it read: the toolbar button.
// What the panel sends to the extension's host is observed in the host's document by a second listener to the panel's
// port. The extension knows nothing of it.

import type { Page } from "@playwright/test";
import type { Page as ReadPage, Summary, SummaryLength } from "../../web/src/protocol.gen.ts";
import { launchFirefox } from "../harness/firefox-extension.ts";
import { launch } from "../harness/launch.ts";
import { panelReader } from "./in-panel.ts";
import type { Reading } from "./reading.ts";

const PANEL = "sidepanel/index.html";
/** Of the extension's page for PDF files: a page of the file, or what is wrong with it. */
const PDF_OPENED = ".page[data-drawn], #state [role=alert], #state input";
const HOST = "offscreen";
const READ_MS_MAX = 60_000;
const SUMMARY_MS_MAX = 120_000;
/** A page may name files that no server has; it is read after this time even where they are still awaited. */
const LOAD_MS_MAX = 10_000;

/** What the panel shows of a page, and the time from the press of the button to its first and its final lines. */
export type Shown = { page: ReadPage; summary: Summary; first_ms: number; final_ms: number } | { problem: string };

export interface Reader {
  /** Opens an address and has the extension read it. */
  read(url: string): Promise<Reading>;
  /** Opens a PDF file in the extension's page for such files, and has it read there. */
  readPdf(path: string): Promise<Reading>;
  /** Opens an address and has the extension summarize it. */
  summarize(url: string): Promise<Shown>;
  /** The tab that shows the page. */
  readonly page: Page;
  close(): Promise<void>;
}

/** Starts the browser. The first page starts the extension's host and opens its panel. */
export async function openReader(
  length: SummaryLength = "short",
  browser: "chromium" | "firefox" = "chromium",
): Promise<Reader> {
  const launched = browser === "firefox" ? await launchFirefox() : await launch();
  const { context, targets } = launched;
  try {
    const settings = JSON.stringify({ settings: { backend: "cpu", length } });
    await targets.evaluate("background.js", `chrome.storage.local.set(${settings})`);
    if (browser === "chromium") {
      await targets.evaluate("background.js", START_HOST);
      await targets.evaluate(HOST, LISTEN);
    }
    const page = await context.newPage();
    /** What the host hears or says after the button was pressed, or the problem that the panel shows. */
    const press = async <T>(what: "read" | "summarized", limit_ms: number): Promise<T | { problem: string }> => {
      await page.bringToFront();
      await targets.evaluate(HOST, "window.readingHeard.clear()");
      await targets.pressAction(page.url());
      const heard = targets.evaluate<T | null>(HOST, `window.readingHeard.next("${what}", ${limit_ms})`);
      const stop = new AbortController();
      const problem = problemShown(() => targets.evaluate<string | null>(PANEL, PROBLEM), stop.signal);
      const first = await Promise.race([heard.then((reading) => ({ reading })), problem]);
      stop.abort();
      if ("problem" in first) return first;
      return first.reading ?? { problem: `nothing was ${what} for ${limit_ms} ms` };
    };
    const open = async (url: string): Promise<void> => {
      await page.goto(url, { waitUntil: "domcontentloaded" });
      await page.waitForLoadState("load", { timeout: LOAD_MS_MAX }).catch(() => {});
    };
    const readInPanel = browser === "firefox" ? await panelReader(targets) : null;
    const read = async (): Promise<Reading> => {
      if (readInPanel) {
        await page.bringToFront();
        return readInPanel(page.url());
      }
      const reading = await press<Reading>("read", READ_MS_MAX);
      // The summary is not asked for: it would take the time of the next page.
      if (!("problem" in reading)) await targets.evaluate(PANEL, CANCEL);
      return reading;
    };
    return {
      page,
      async read(url) {
        await open(url);
        return read();
      },
      async readPdf(path) {
        await open(`${launched.extensionUrl}pages/pdf/index.html`);
        await page.locator("#file").setInputFiles(path);
        await page.locator(PDF_OPENED).first().waitFor();
        return read();
      },
      async summarize(url) {
        await open(url);
        return press<Shown>("summarized", SUMMARY_MS_MAX);
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

/** Keeps the last page that a panel has sent, and the summary that it got. */
const LISTEN = `(() => {
  let begun_ms, page, first_ms, summary;
  let tell = () => {};
  const hear = (state) => {
    const job = state?.summary;
    if (!page || state.page?.key !== page.key || !job) return;
    if (job.phase === "done" || job.draft) first_ms ??= performance.now() - begun_ms;
    if (job.phase !== "done") return;
    summary = { summary: job.result, final_ms: performance.now() - begun_ms };
    tell();
  };
  chrome.runtime.onConnect.addListener((port) => {
    port.onMessage.addListener((message) => {
      if (message.type !== "summarize") return;
      page = message.read;
      tell();
    });
    const post = port.postMessage.bind(port);
    port.postMessage = (message) => { if (message?.type === "state") hear(message.state); post(message); };
  });
  window.readingHeard = {
    clear: () => { begun_ms = performance.now(); page = first_ms = summary = undefined; },
    next: (what, limit_ms) => new Promise((resolve) => {
      tell = () => {
        if (page && what === "read") resolve({ page: page.page, coverage: page.coverage });
        if (summary && what === "summarized") resolve({ page: page.page, first_ms, ...summary });
      };
      setTimeout(() => resolve(null), limit_ms);
      tell();
    }),
  };
})()`;

/** The alert in place of a summary; null where there is none, or while the page is being read. */
const PROBLEM = `document.querySelector("#summary [role=alert]")?.textContent ?? null`;

/** Cancels the summary on a second port of the panel to its host. */
const CANCEL = `(() => {
  const tab = new URLSearchParams(location.search).get("tab");
  window.readingPort ??= chrome.runtime.connect({ name: "panel:" + tab });
  window.readingPort.postMessage({ type: "cancelSummary" });
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
