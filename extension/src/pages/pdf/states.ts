// What the page shows while it shows no document.
import { h } from "../../ui/dom.js";
import { called, t } from "../../ui/words.js";

/** The place for a file. */
export function createStart(openFile: () => void): HTMLElement {
  const button = h("button", { type: "button", class: "primary" }, t("pdfOpenFile"));
  button.addEventListener("click", openFile);
  return h("div", { class: "start" }, h("h2", {}, t("pdfStart")), h("p", {}, t("pdfStartHelp")), button);
}

/** Asks for a document's password; null gives up. */
export function createPassword(
  name: string,
  isWrong: boolean,
  done: (password: string | null) => void,
): { element: HTMLElement; focus(): void } {
  const input = h("input", { type: "password", id: "password", autocomplete: "off", required: true });
  const cancel = h("button", { type: "button", class: "secondary" }, t("cancel"));
  cancel.addEventListener("click", () => done(null));
  const form = h(
    "form",
    { class: "password" },
    h("h2", {}, t("pdfPassword")),
    h("p", { dir: "auto" }, t("pdfPasswordHelp", called(name))),
    isWrong ? h("p", { class: "wrong", role: "alert" }, t("pdfPasswordWrong")) : null,
    h("label", { for: "password" }, t("pdfPasswordLabel")),
    input,
    h("div", { class: "actions" }, h("button", { type: "submit", class: "primary" }, t("pdfPasswordOpen")), cancel),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    done(input.value);
  });
  return { element: form, focus: () => input.focus() };
}
