// Where the model runs, how long a summary is, and what a click on a sentence does to the page.
import { BACKENDS, type Choices, LENGTHS, MARKINGS, readSettings, writeSettings } from "../settings.js";
import { h, part, set, show } from "../ui/dom.js";
import type { Feature } from "../sidepanel/panel.js";
import { shortcutWords, t } from "../ui/words.js";

export const chooseSettings: Feature = {
  id: "choose-settings",
  init(panel, signal) {
    const form = part<HTMLFormElement>("settings");
    const toggle = part<HTMLButtonElement>("settings-toggle");
    const backend = select("settings-backend", "settingsBackend", BACKENDS);
    const length = select("settings-length", "settingsLength", LENGTHS);
    const marking = select("settings-marking", "settingsMarking", MARKINGS);
    set(toggle, "aria-label", t("settings"));
    set(toggle, "title", t("settings"));
    set(form, "aria-label", t("settings"));
    const notes = [shortcutWords(), t("settingsMarkingNote"), t("settingsPrivacy")].map((text) =>
      h("p", { class: "note" }, text),
    );
    const models = h("button", { type: "button", class: "link" }, t("modelsLink"));
    models.addEventListener("click", () => void chrome.runtime.openOptionsPage(), { signal });
    form.replaceChildren(backend.row, length.row, marking.row, h("p", {}, models), ...notes);

    const open = (shown: boolean): void => {
      show(form, shown);
      set(toggle, "aria-expanded", String(shown));
    };
    toggle.addEventListener("click", () => open(form.hidden === true), { signal });
    form.addEventListener("submit", (event) => event.preventDefault(), { signal });
    form.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        open(false);
        toggle.focus();
      },
      { signal },
    );
    form.addEventListener(
      "change",
      () => {
        const chosen = { backend: backend.input.value, length: length.input.value, marking: marking.input.value };
        void writeSettings(chosen as Choices);
      },
      { signal },
    );

    // All panels follow, whoever changed them; a summary that is on the screen is made anew.
    const onChanged = async (): Promise<void> => {
      const settings = await readSettings();
      const { backend, length } = panel.model.settings;
      panel.update({ settings });
      if (settings.backend === backend && settings.length === length) return;
      if (panel.model.state.summary && document.visibilityState === "visible") {
        await panel.host.send({ type: "summarizeAgain", settings });
      }
    };
    chrome.storage.local.onChanged.addListener(onChanged);
    signal.addEventListener("abort", () => chrome.storage.local.onChanged.removeListener(onChanged));

    panel.watch(({ settings }) => {
      backend.input.value = settings.backend;
      length.input.value = settings.length;
      marking.input.value = settings.marking;
    }, signal);
    panel.update({});
  },
};

function select(id: string, label: string, values: readonly string[]): { row: HTMLElement; input: HTMLSelectElement } {
  const input = h("select", { id }, ...values.map((value) => h("option", { value }, t(`${label}_${value}`))));
  return { row: h("div", { class: "setting" }, h("label", { for: id }, t(label)), input), input };
}

// Try it on: any summarized page; change the length while it is on the screen.
