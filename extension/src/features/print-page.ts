// Prints title, address, date, summary and answers instead of the panel.
import type { PageDocument } from "../export/document.js";
import { fillWith, part } from "../ui/dom.js";
import { createDocumentBody, createDocumentHead } from "../ui/document-view.js";
import type { Feature } from "../sidepanel/panel.js";

/** In the address of a panel's document that was opened to be printed. */
const PRINT = "print";

/** Browsers do not print their side panels: the panel's document prints itself in a tab of its own, which then closes. */
export function printInTab(tab: number): void {
  void chrome.tabs.create({ url: `/sidepanel/index.html?tab=${tab}&${PRINT}` });
}

async function closeOwnTab(): Promise<void> {
  const own = await chrome.tabs.getCurrent();
  if (own?.id !== undefined) await chrome.tabs.remove(own.id);
}

export const printPage: Feature = {
  id: "print-page",
  init(panel, signal) {
    const paper = part("paper");
    let latest: PageDocument | null = null;
    let results = "";
    let isWanted = new URLSearchParams(location.search).has(PRINT);
    const closes = isWanted;
    // The browser asks for the paper at once when it prints: it has to be known before.
    panel.watch(({ state }) => {
      const { page, summary, writing, questions } = state;
      const phases = [
        page?.key,
        summary?.phase,
        writing?.job.phase,
        ...questions.map(({ id, job }) => `${id} ${job.phase}`),
      ].join();
      const isDone = summary?.phase === "done" && summary.result.timeMs;
      // The host has nothing to print yet; what was known before is still right.
      if (panel.isKept) return;
      if (results === `${phases} ${isDone}`) return;
      results = `${phases} ${isDone}`;
      void panel.host.document().then((document) => {
        latest = document;
        if (!latest || !isWanted) return;
        isWanted = false;
        window.print();
      });
    }, signal);
    window.addEventListener(
      "beforeprint",
      () => {
        if (latest) fillWith(paper, createDocumentHead(latest), createDocumentBody(latest, false));
      },
      { signal },
    );
    window.addEventListener(
      "afterprint",
      () => {
        fillWith(paper);
        if (closes) void closeOwnTab();
      },
      { signal },
    );
  },
};

// Try it on: a summarized page with a question; print it to a file.
