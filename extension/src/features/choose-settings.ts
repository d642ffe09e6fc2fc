// Where models run, how long a summary is, what becomes of unsupported lines, and what a click does to the page.
import { allowedSummary } from "../allowed.js";
import { BACKENDS, type Choices, LENGTHS, MARKINGS, readSettings, UNSUPPORTED, writeSettings } from "../settings.js";
import { watchStored } from "../storage.js";
import { fillWith, h, part, put, say, set, show } from "../ui/dom.js";
import { openPage } from "../ui/open-page.js";
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
    const offer = h("input", { id: "settings-offer", type: "checkbox", "aria-describedby": "settings-offer-note" });
    const offerRow = h("div", { class: "choice" }, offer, h("label", { for: offer.id }, t("settingsOffer")));
    const offerNote = h("p", { id: "settings-offer-note", class: "note" }, t("settingsOfferNote"));
    const own = h("button", { type: "button", class: "link" }, t("ownActions"));
    own.addEventListener("click", () => openPage("actions"), { signal });
    const unsupported = select("settings-unsupported", "settingsUnsupported", UNSUPPORTED);
    set(toggle, "aria-label", t("settings"));
    set(toggle, "title", t("settings"));
    set(form, "aria-label", t("settings"));
    const models = h("button", { type: "button", class: "link" }, t("modelsLink"));
    models.addEventListener("click", () => void chrome.runtime.openOptionsPage(), { signal });
    const server = h("button", { type: "button", class: "link" }, t("server"));
    server.addEventListener("click", () => openPage("server"), { signal });
    const privacy = h("p", { class: "note" });
    const markingNote = h("p", { id: "settings-marking-note", class: "note" }, t("settingsMarkingNote"));
    set(marking.input, "aria-describedby", markingNote.id);
    put(marking.row, markingNote);
    const offering = h("div", {}, offerRow, offerNote);
    const selects = [backend.row, length.row, unsupported.row, marking.row];
    const links = h("div", { class: "links" }, models, server, own);
    fillWith(form, ...selects, offering, links, h("p", { class: "note" }, shortcutWords()), privacy);

    const open = (shown: boolean): void => {
      show(form, shown);
      set(toggle, "aria-expanded", String(shown));
    };
    toggle.addEventListener("click", () => open(form.hidden === true), { signal });
    form.addEventListener("submit", (event) => event.preventDefault(), { signal });
    const close = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || form.hidden === true) return;
      open(false);
      toggle.focus();
    };
    for (const element of [form, toggle] as HTMLElement[]) element.addEventListener("keydown", close, { signal });
    form.addEventListener(
      "change",
      () => {
        const chosen = {
          ...panel.model.settings,
          backend: backend.input.value,
          length: length.input.value,
          marking: marking.input.value,
          unsupported: unsupported.input.value,
          offer: offer.checked,
        };
        void writeSettings(chosen as Choices);
      },
      { signal },
    );

    // All panels follow, whoever changed them; a summary that is on the screen is made anew.
    const onChanged = async (): Promise<void> => {
      const settings = await readSettings();
      const before = panel.model.settings;
      panel.update({ settings });
      if (!panel.model.state.summary || document.visibilityState !== "visible") return;
      if (differs(settings, before, ["length"])) await panel.host.send({ type: "summarizeAgain", settings });
      else if (
        settings.writer &&
        (isOtherSummary(settings, before) || differs(settings, before, ["backend", "unsupported"]))
      )
        await panel.host.send({ type: "write", settings, variant: 0 });
    };
    watchStored(() => void onChanged(), signal);

    panel.watch(({ settings }) => {
      backend.input.value = settings.backend;
      length.input.value = settings.length;
      marking.input.value = settings.marking;
      offer.checked = settings.offer;
      unsupported.input.value = settings.unsupported;
      show(unsupported.row, settings.writer !== null);
      const { writer } = settings;
      say(privacy, writer?.type === "server" ? t("settingsPrivacyServer", writer.host) : t("settingsPrivacy"));
    }, signal);
    panel.update({});
  },
};

/** Whether another summary is written: another one was chosen, or the model may not write the one that was. */
function isOtherSummary(settings: Choices, before: Choices): boolean {
  const [now, then] = [allowedSummary(settings), allowedSummary(before)];
  return now?.kind !== then?.kind || now?.targetLanguage !== then?.targetLanguage;
}

const differs = (a: Choices, b: Choices, keys: readonly (keyof Choices)[]): boolean =>
  keys.some((key) => a[key] !== b[key]);

function select(id: string, label: string, values: readonly string[]): { row: HTMLElement; input: HTMLSelectElement } {
  const input = h("select", { id }, ...values.map((value) => h("option", { value }, t(`${label}_${value}`))));
  return { row: h("div", { class: "setting" }, h("label", { for: id }, t(label)), input), input };
}

// Try it on: any summarized page; change the length while it is on the screen.
