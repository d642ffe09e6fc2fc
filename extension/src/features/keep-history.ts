// The history: a switch in the settings, the way to its page, and why a result was not kept.
import { h, part, put } from "../ui/dom.js";
import { createHistorySwitch } from "../ui/history-switch.js";
import { drawFailure } from "../ui/job.js";
import type { Feature } from "../sidepanel/panel.js";
import { t } from "../ui/words.js";

/** The page that lists the history. */
export const HISTORY_PAGE = "/pages/history/index.html";

export const keepHistory: Feature = {
  id: "keep-history",
  init(panel, signal) {
    const link = h("a", { href: HISTORY_PAGE, target: "_blank", class: "link" }, t("historyOpen"));
    put(part("settings"), h("div", {}, createHistorySwitch(signal), link));
    const place = part("not-kept");
    const open = { label: t("historyOpen"), run: () => void chrome.tabs.create({ url: HISTORY_PAGE }) };
    panel.watch(({ state }) => drawFailure(place, state.notKept ?? null, [open]), signal);
  },
};

// Try it on: turn the history on in the settings, then summarize any page and open the history.
