// A summary in a language model's words, above the key sentences.
import { type Choices, writeSettings } from "../settings.js";
import type { Feature } from "../sidepanel/panel.js";
import { createWritingView } from "../sidepanel/writing-view.js";
import { part } from "../ui/dom.js";
import { noteTier } from "../roles.js";
import { showSource } from "./show-source.js";

export const writeText: Feature = {
  id: "write-text",
  init(panel, signal) {
    const draw = createWritingView(part("writing"), {
      write: ({ variant = 0, length }) => {
        const { settings } = panel.model;
        void panel.host.send({ type: "write", settings: { ...settings, ...(length && { length }) }, variant });
      },
      // The settings tell all panels; the one in front writes.
      choose: (change) => void writeSettings({ ...panel.model.settings, ...change } as Choices),
      cancel: () => void panel.host.send({ type: "cancelWriting" }),
      show: (passage) => void showSource(panel, passage),
      openModels: () => void chrome.runtime.openOptionsPage(),
    });
    panel.watch(draw, signal);
    panel.watch(({ state, settings: { writer } }) => {
      const { writing } = state;
      if (
        writing &&
        writing.tier !== null &&
        writer?.type === "local" &&
        writing.writer === writer.title &&
        writer.tier !== writing.tier
      )
        void noteTier(writer.name, writing.tier);
    }, signal);
    panel.update({});
  },
};

// Try it on: an article with a language model chosen; "tl;dr", then "Longer"; cancel in the middle of a line.
