// A button at selections, where the reader asked for one: on pages that were read, and in no others.
import type { Feature } from "../sidepanel/panel.js";
import { t } from "../ui/words.js";

export const offerAtSelection: Feature = {
  id: "offer-at-selection",
  init(panel, signal) {
    /** Of which page the button is there. */
    let offered: string | null = null;
    const draw = (): void => {
      const { state, settings, reading } = panel.model;
      const wanted = settings.offer && !reading ? (state.page?.key ?? null) : null;
      if (wanted === offered || reading) return;
      offered = wanted;
      void panel.page.offer(wanted === null ? null : t("offerLabel"));
    };
    panel.watch(draw, signal);
    draw();
  },
};

// Try it on: a page that was summarized, with "Show a button at selected text" in the settings.
