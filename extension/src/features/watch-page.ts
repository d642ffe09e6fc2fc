// Notices that the tab shows another page than the one summarized.
import { fillWith, h, part, show } from "../ui/dom.js";
import { problem } from "../failure.js";
import type { Feature } from "../sidepanel/panel.js";
import { t } from "../ui/words.js";

export const watchPage: Feature = {
  id: "watch-page",
  init(panel, signal) {
    const notice = part("notice");
    const button = h("button", { type: "button", class: "link" }, t("pageChangedAsk"));
    button.addEventListener("click", () => part("again").click(), { signal });

    const check = async (): Promise<void> => {
      const known = panel.model.state.page?.key;
      if (!known) return;
      const changed = await panel.page.isOther(known);
      const isOpen = !changed || (await panel.page.isOpen());
      if (signal.aborted) return;
      panel.update({ changed: changed && isOpen, ...(changed && { marked: null }) });
      if (isOpen || panel.model.state.page?.key !== known) return;
      // A button could not read that page: its site has to be opened by a press in the toolbar.
      panel.update({ problem: problem("page_needs_permission").toData() });
      await panel.host.send({ type: "forget" });
    };
    const onUpdated = (tab: number, { status }: { status?: string }): void => {
      if (tab === panel.tab && status === "complete") void check();
    };
    chrome.tabs.onUpdated.addListener(onUpdated);
    signal.addEventListener("abort", () => chrome.tabs.onUpdated.removeListener(onUpdated));

    let shown = "";
    panel.watch(({ changed, lost, reading }) => {
      const next = changed && !reading ? "changed" : lost ? "lost" : "";
      if (next === shown) return;
      shown = next;
      if (next === "changed") fillWith(notice, t("pageChanged"), " ", button);
      else fillWith(notice, next === "lost" ? t("passageGone") : "");
      show(notice, next !== "");
    }, signal);
  },
};

// Try it on: summarize, then follow a link; go back again; a site that changes its address without loading.
