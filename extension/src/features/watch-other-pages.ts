// Takes the page of another tab out of the conversation when that tab shows another one.
import type { Feature } from "../sidepanel/panel.js";
import { PageLink } from "../sidepanel/page-link.js";

export const watchOtherPages: Feature = {
  id: "watch-other-pages",
  init(panel, signal) {
    /** The host hears of tabs that are closed. */
    const check = async (tab: number): Promise<void> => {
      const { pages, joined } = panel.model.state;
      for (const { id, key } of pages.filter((one) => one.tab === tab))
        if ((await new PageLink(tab).isOther(key)) && !signal.aborted)
          await panel.host.send({ type: "removePage", id, why: "changed" });
      if (tab === panel.tab && joined && (await panel.page.isOther(joined.key)) && !signal.aborted)
        await panel.host.send({ type: "leave" });
    };
    const onUpdated = (tab: number, { status }: { status?: string }): void => {
      if (status === "complete") void check(tab);
    };
    chrome.tabs.onUpdated.addListener(onUpdated);
    signal.addEventListener("abort", () => chrome.tabs.onUpdated.removeListener(onUpdated));
    panel.watch(({ state: { pages } }, before) => {
      // A tab may have been closed or left while its page was being read.
      for (const { id, tab } of pages) if (!before.state.pages.some((one) => one.id === id)) void check(tab);
    }, signal);
    for (const tab of [panel.tab, ...panel.model.state.pages.map((one) => one.tab)]) void check(tab);
  },
};

// Try it on: two tabs in one conversation; follow a link in the second, go back, and reload it.
