// Several pages in one conversation: a press of the button on another tab adds its page.
import { endGathering, gatheringFor, startGathering, watchGathering } from "../gathering.js";
import { createJoinedView } from "../sidepanel/joined-view.js";
import { createPagesView } from "../sidepanel/pages-view.js";
import type { Feature } from "../sidepanel/panel.js";
import { part } from "../ui/dom.js";
import { goToTab } from "../ui/go-to-tab.js";

export const gatherPages: Feature = {
  id: "gather-pages",
  async init(panel, signal) {
    const know = async (): Promise<void> => {
      const gathering = await gatheringFor(panel.tab);
      if (!signal.aborted) panel.update({ gathering });
    };
    const drawPages = createPagesView(panel.tab, {
      gather: (isOn) => void (isOn ? startGathering(panel.tab) : endGathering(panel.tab)),
      goTo: (tab) => void goToTab(tab),
      remove: (id) => void panel.host.send({ type: "removePage", id, why: "removed" }),
    });
    const drawJoined = createJoinedView(panel.tab, {
      goTo: (tab) => void goToTab(tab),
      summarize: () => part("again").click(),
      endGathering: (tab) => void endGathering(tab),
    });
    panel.watch((model, before) => {
      drawPages(model, before);
      drawJoined(model);
      const known = before.state.page?.key;
      // The conversation that pages were added to has ended.
      if (known && known !== model.state.page?.key) void endGathering(panel.tab);
    }, signal);
    watchGathering(() => void know(), signal);
    await know();
  },
};

// Try it on: two articles about the same thing: summarize one, "Add another page", press the button on the other, ask.
