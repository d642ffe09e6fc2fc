// The elements of the form.
import type { ModelList } from "../../host/writers/openai/models.js";
import { fillWith, h, put, say, set, show } from "../../ui/dom.js";
import { called, number, t } from "../../ui/words.js";

/** A labelled control with a note that belongs to it. */
function field(id: string, label: string, note: string | null, ...controls: HTMLElement[]): HTMLElement {
  const [input] = controls;
  if (note !== null) input?.setAttribute("aria-describedby", `${id}-note`);
  const row = controls.length > 1 ? h("div", { class: "beside" }, ...controls) : (input ?? null);
  const said = note === null ? null : h("p", { id: `${id}-note`, class: "note" }, note);
  return h("div", { class: "field" }, h("label", { for: id }, label), row, said);
}

export interface ServerForm {
  address: HTMLInputElement;
  key: HTMLInputElement;
  test: HTMLButtonElement;
  model: HTMLSelectElement;
  agree: HTMLInputElement;
  turnOn: HTMLButtonElement;
  /** Progress or a failure of the test. */
  outcome: HTMLElement;
  result: HTMLElement;
  /** Fills the list of models. */
  drawModels(list: ModelList, chosen: string): void;
  /** Shows what is agreed to, for this host. */
  drawConsent(host: string, isPlain: boolean): void;
}

/** Fills the form of the page. */
export function createForm(form: HTMLFormElement): ServerForm {
  const plain = { autocomplete: "off", autocapitalize: "none", spellcheck: "false", dir: "ltr" };
  const address = h("input", {
    id: "address",
    type: "text",
    inputmode: "url",
    placeholder: "localhost:8080",
    maxlength: 2048,
    ...plain,
  });
  const key = h("input", { id: "key", type: "password", maxlength: 4096, ...plain });
  const reveal = h("button", { type: "button", class: "secondary", "aria-controls": "key" }, t("serverKeyShow"));
  const test = h("button", { id: "test", type: "submit", class: "primary" }, t("serverTest"));
  const model = h("select", { id: "model", dir: "ltr" });
  const modelNote = h("p", { class: "note", hidden: true });
  const outcome = h("div", { id: "outcome" });
  const result = h("div", { id: "result", class: "result", hidden: true });
  const agree = h("input", { id: "agree", type: "checkbox", "aria-describedby": "unencrypted" });
  const agreeWords = h("label", { for: "agree" });
  const unencrypted = h("p", { id: "unencrypted", class: "notice", hidden: true });
  const turnOn = h("button", { id: "turn-on", type: "button", class: "primary", disabled: true }, t("serverTurnOn"));
  const modelField = h("div", { id: "models", hidden: true }, field("model", t("serverModel"), null, model), modelNote);
  const consent = h("div", { id: "consent", class: "step", hidden: true });

  reveal.addEventListener("click", () => {
    const isShown = key.type === "text";
    key.type = isShown ? "password" : "text";
    say(reveal, t(isShown ? "serverKeyShow" : "serverKeyHide"));
  });
  put(
    consent,
    modelField,
    h("div", { class: "consent" }, agree, agreeWords),
    unencrypted,
    h("p", { id: "first", class: "note" }, t("serverTestFirst")),
    h("div", { class: "actions" }, turnOn),
  );
  set(turnOn, "aria-describedby", "first");
  fillWith(
    form,
    h(
      "div",
      { class: "step" },
      field("address", t("serverAddress"), t("serverAddressNote"), address),
      field("key", t("serverKey"), t("serverKeyNote"), key, reveal),
      h(
        "div",
        { class: "field" },
        h("div", { class: "actions" }, test),
        h("p", { class: "note" }, t("serverTestNote")),
      ),
      outcome,
      result,
    ),
    consent,
  );
  return {
    address,
    key,
    test,
    model,
    agree,
    turnOn,
    outcome,
    result,
    drawModels({ models, isCut }, chosen) {
      const options = models.map(({ id, contextTokens }) => {
        const name = called(id);
        const words = contextTokens === null ? name : t("serverModelContext", name, number(contextTokens));
        return h("option", { value: id, title: id, selected: id === chosen }, words);
      });
      fillWith(model, ...options);
      model.value = chosen;
      show(modelField, models.length > 0);
      show(modelNote, isCut);
      if (isCut) say(modelNote, t("serverModelsCut", number(models.length)));
    },
    drawConsent(host, isPlain) {
      show(consent, host !== "");
      say(agreeWords, t("serverConsent", host));
      show(unencrypted, isPlain);
      say(unencrypted, t("serverUnencrypted", host));
    },
  };
}
