// Reads the page of the tab and has it summarized.
import { platform } from "#platform";
import { wishKey } from "../actions.js";
import { problem, toFailure } from "../failure.js";
import { endGathering, type Gathering, gatheringFor } from "../gathering.js";
import { readSettings, writeSettings } from "../settings.js";
import { part, say, set, show } from "../ui/dom.js";
import type { Feature, Panel } from "../sidepanel/panel.js";
import { offerPdf, readPdf } from "../sidepanel/pdf-offer.js";
import { createSummaryView } from "../sidepanel/summary-view.js";
import { t } from "../ui/words.js";
import { intentKey, type ReadPage } from "../wire.js";
import { showSource } from "./show-source.js";

export const summarizePage: Feature = {
  id: "summarize-page",
  init(panel, signal) {
    let stopReading = new AbortController();
    /** The conversation of another tab that this page is read for; null where it is read for itself. */
    let target: Gathering | null = null;
    const again = part<HTMLButtonElement>("again");
    const draw = createSummaryView(part("summary"), {
      summarize: () => void summarize(),
      retry: () => {
        if (panel.model.stopped) void summarize();
        else void panel.host.send({ type: "summarizeAgain", settings: panel.model.settings });
      },
      cancel: () => {
        if (!panel.model.reading) return void panel.host.send({ type: "cancelSummary" });
        // The page may not hear it: its thread may be busy.
        stopReading.abort();
        panel.update({ reading: false, stopped: true });
      },
      chooseAutomatic: () => void chooseAutomatic(panel),
      show: (passage) => void showSource(panel, passage),
      readPdf: () => void readPdf(panel),
      openModels: () => void chrome.runtime.openOptionsPage(),
      unfold: () => void panel.page.prepare("unfold").then(() => (signal.aborted ? undefined : summarize())),
    });

    /** `asked`: the toolbar button, the menu or the shortcut was used just now, which opens every page that can be opened. */
    async function summarize(asked = false): Promise<void> {
      stopReading.abort();
      const stop = (stopReading = new AbortController());
      panel.update({ reading: true, pagesRead: null, stopped: false, problem: null, changed: false, lost: false });
      try {
        const read = await panel.page.read(stop.signal, (done, total) => {
          if (!stop.signal.aborted) panel.update({ pagesRead: { done, total } });
        });
        await send(read);
      } catch (error) {
        const problem = toFailure(error);
        if (asked && problem.code === "page_needs_permission") {
          problem.code = await platform.refusal(await chrome.tabs.get(panel.tab).catch(() => ({})));
        }
        await offerPdf(panel, problem);
        if (stop.signal.aborted || signal.aborted) return;
        panel.update({ problem });
        // What is known is of another page, if not of none.
        const { page } = panel.model.state;
        if (page && page.key !== (await panel.page.key())) await panel.host.send({ type: "forget" });
      } finally {
        if (stop === stopReading) panel.update({ reading: false });
      }
    }

    async function send(read: ReadPage): Promise<void> {
      if (!target) return panel.host.send({ type: "summarize", read, settings: panel.model.settings });
      const { tab } = target;
      const refused = await panel.host.join(tab, read);
      if (refused === "pages_gone") {
        target = null;
        await endGathering(tab);
      }
      if (refused) throw problem(refused);
    }

    /** A wish left by the toolbar button, the menu or the shortcut: taken once. */
    async function takeWish(): Promise<boolean> {
      const key = intentKey(panel.tab);
      const wished = key in (await chrome.storage.session.get(key));
      if (wished) await chrome.storage.session.remove(key);
      return wished;
    }

    /** A page that is summarized already is shown, not read again. While pages are added, it goes to their conversation. */
    async function summarizeIfNew(asked: boolean): Promise<void> {
      const gathering = asked ? await gatheringFor(panel.tab) : null;
      target = gathering?.tab === panel.tab ? null : gathering;
      if (target) return summarize(asked);
      const known = panel.model.state.page?.key;
      const { summary } = panel.model.state;
      const fine = summary?.phase === "working" || summary?.phase === "done";
      if (!known || !fine || known !== (await panel.page.key())) await summarize(asked);
    }

    chrome.storage.session.onChanged.addListener(onWish);
    signal.addEventListener("abort", () => {
      stopReading.abort();
      chrome.storage.session.onChanged.removeListener(onWish);
    });
    function onWish(changes: Record<string, chrome.storage.StorageChange>): void {
      if (changes[intentKey(panel.tab)]?.newValue)
        void takeWish().then((wished) => (wished ? summarizeIfNew(true) : undefined));
    }

    again.addEventListener(
      "click",
      () => {
        target = null;
        void summarize();
      },
      { signal },
    );
    say(part("again-words"), t("summarizeAgain"));
    set(again, "title", t("summarizeAgain"));
    panel.watch((model) => {
      draw(model);
      const { summary } = model.state;
      show(again, Boolean(summary) && summary?.phase !== "working" && !model.reading);
    }, signal);
    panel.update({});

    void takeWish().then(async (wished) => {
      const { page, joined } = panel.model.state;
      // Who came for selected text did not ask for the page.
      const isForText = wishKey(panel.tab) in (await chrome.storage.session.get(wishKey(panel.tab)));
      const isElsewhere = panel.model.gathering !== null || joined !== null;
      const isFree = !isForText && !isElsewhere && panel.model.state.acts.length === 0 && part("composer").hidden;
      if (wished || (!page && isFree)) return summarizeIfNew(wished);
      if (page) panel.update({ changed: await panel.page.isOther(page.key) });
    });
  },
};

async function chooseAutomatic(panel: Panel): Promise<void> {
  const settings = { ...(await readSettings()), backend: "auto" as const };
  await writeSettings(settings);
  await panel.host.send({ type: "summarizeAgain", settings });
}

// Try it on: an article (en.wikipedia.org/wiki/Pith), a page of documentation, a news page, chrome://settings (refused).
