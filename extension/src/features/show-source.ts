// A click on a sentence shows its passage on the page.
import { PageLink } from "../sidepanel/page-link.js";
import type { Feature, Panel } from "../sidepanel/panel.js";
import { sourceKey } from "../sidepanel/panel.js";
import { goToTab } from "../ui/go-to-tab.js";
import type { Source } from "../wire.js";

/** Scrolls the page to the passage and marks it, as far as the settings let it. */
export async function showSource(panel: Panel, { page, block, start, end, text, parts }: Source): Promise<void> {
  const place = { block, start, end, text, ...(parts && { parts }) };
  if (page !== undefined) return showInTab(panel, { page, ...place });
  const { marking } = panel.model.settings;
  const key = panel.model.state.page?.key;
  if (marking === "nothing" || key === undefined) return;
  const found = await panel.page.show(key, place, marking === "mark");
  const changed = !found && key !== (await panel.page.key());
  panel.update({ marked: found ? sourceKey(place) : null, lost: !found && !changed, changed });
}

/** The same in the page of another tab, which comes to the front. */
async function showInTab(panel: Panel, { page, ...place }: Source): Promise<void> {
  const { marking } = panel.model.settings;
  const other = panel.model.state.pages.find(({ id }) => id === page);
  if (marking === "nothing" || !other) return;
  const link = new PageLink(other.tab);
  // First: a panel that follows its window to the other tab ends what this one has begun.
  const found = await link.show(other.key, place, marking === "mark");
  if (!found && (await link.isOther(other.key)))
    return panel.host.send({ type: "removePage", id: other.id, why: "changed" });
  panel.update({ marked: found ? sourceKey({ page: other.id, ...place }) : null, lost: !found, changed: false });
  if (found) await goToTab(other.tab);
}

export const showSourceFeature: Feature = {
  id: "show-source",
  init(panel, signal) {
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || panel.model.marked === null) return;
        void panel.page.clear();
        for (const { tab } of panel.model.state.pages) void new PageLink(tab).clear();
        panel.update({ marked: null });
      },
      { signal },
    );
    signal.addEventListener("abort", () => void panel.page.clear());
  },
};

// Try it on: a long article (the last sentence of the summary), a page that has drawn itself anew since.
