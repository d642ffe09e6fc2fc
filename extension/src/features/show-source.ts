// A click on a sentence shows its passage on the page.
import type { Feature, Panel } from "../sidepanel/panel.js";
import { sourceKey } from "../sidepanel/panel.js";
import type { Source } from "../wire.js";

/** Scrolls the page to the passage and marks it, as far as the settings let it. */
export async function showSource(panel: Panel, { block, start, end, text }: Source): Promise<void> {
  const { marking } = panel.model.settings;
  const key = panel.model.state.page?.key;
  if (marking === "nothing" || key === undefined) return;
  const found = await panel.page.show(key, { block, start, end, text }, marking === "mark");
  const changed = !found && key !== (await panel.page.key());
  panel.update({ marked: found ? sourceKey({ block, start, end, text }) : null, lost: !found && !changed, changed });
}

export const showSourceFeature: Feature = {
  id: "show-source",
  init(panel, signal) {
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || panel.model.marked === null) return;
        void panel.page.clear();
        panel.update({ marked: null });
      },
      { signal },
    );
    signal.addEventListener("abort", () => void panel.page.clear());
  },
};

// Try it on: a long article (the last sentence of the summary), a page that has drawn itself anew since.
