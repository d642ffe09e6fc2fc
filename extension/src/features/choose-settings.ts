// Where the model runs, and how long a summary is.
import { BACKENDS, LENGTHS, readSettings, writeSettings } from "../settings.js";
import { h, part, set, show } from "../sidepanel/dom.js";
import type { Feature } from "../sidepanel/panel.js";
import { t } from "../sidepanel/words.js";
import type { Settings } from "../wire.js";

export const chooseSettings: Feature = {
  id: "choose-settings",
  init(panel, signal) {
    const form = part<HTMLFormElement>("settings");
    const toggle = part<HTMLButtonElement>("settings-toggle");
    const backend = select("settings-backend", "settingsBackend", BACKENDS);
    const length = select("settings-length", "settingsLength", LENGTHS);
    set(toggle, "aria-label", t("settings"));
    set(toggle, "title", t("settings"));
    set(form, "aria-label", t("settings"));
    form.replaceChildren(backend.row, length.row, h("p", { class: "note" }, t("settingsPrivacy")));

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
        const chosen = { backend: backend.input.value, length: length.input.value } as Settings;
        void writeSettings(chosen);
      },
      { signal },
    );

    // All panels follow, whoever changed them; a summary that is on the screen is made anew.
    const onChanged = async (): Promise<void> => {
      const settings = await readSettings();
      panel.update({ settings });
      if (panel.model.state.summary && document.visibilityState === "visible") {
        await panel.host.send({ type: "summarizeAgain", settings });
      }
    };
    chrome.storage.local.onChanged.addListener(onChanged);
    signal.addEventListener("abort", () => chrome.storage.local.onChanged.removeListener(onChanged));

    panel.watch(({ settings }) => {
      backend.input.value = settings.backend;
      length.input.value = settings.length;
    }, signal);
    panel.update({});
  },
};

function select(id: string, label: string, values: readonly string[]): { row: HTMLElement; input: HTMLSelectElement } {
  const input = h("select", { id }, ...values.map((value) => h("option", { value }, t(`${label}_${value}`))));
  return { row: h("div", { class: "setting" }, h("label", { for: id }, t(label)), input), input };
}

// Try it on: any summarised page; change the length while it is on the screen.
