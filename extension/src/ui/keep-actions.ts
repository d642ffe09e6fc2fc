// Buttons that copy a document and save it as a file.
import { FORMATS } from "../export/formats.js";
import type { PageDocument } from "../export/document.js";
import { h } from "./dom.js";
import { type CopyKind, copyDocument, saveDocument } from "./transfer.js";
import { t } from "./words.js";

/** What the buttons work on, and where they say what became of it. */
export interface KeepTarget {
  /** Rejects where there is nothing any more. */
  document(): Promise<PageDocument>;
  say(words: string): void;
}

export function createButton(label: string, run: () => void, kind = "secondary"): HTMLButtonElement {
  const button = h("button", { type: "button", class: kind }, label);
  button.addEventListener("click", run);
  return button;
}

/** A button that copies. `narrow`: the part of the document that is copied. */
export function createCopy(
  label: string,
  kind: CopyKind,
  { document, say }: KeepTarget,
  narrow: (document: PageDocument) => PageDocument = (whole) => whole,
  look = "secondary",
): HTMLButtonElement {
  const run = (): void => {
    // The same words again would not be announced.
    say("");
    void copyDocument(document().then(narrow), kind).then(
      () => say(t("copied")),
      () => say(t("copyFailed")),
    );
  };
  return createButton(label, run, look);
}

/** A button for each kind of file. */
export function createSaves({ document, say }: KeepTarget): HTMLButtonElement[] {
  const labels = {
    markdown: t("saveAs_markdown"),
    html: t("saveAs_html"),
    text: t("saveAs_text"),
    json: t("saveAs_json"),
  };
  return (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).map((name) =>
    createButton(labels[name], () => {
      say("");
      void document().then(
        (page) => say(t("saved", saveDocument(page, FORMATS[name]))),
        () => say(t("saveFailed")),
      );
    }),
  );
}

/** Buttons under a name. */
export function createGroup(label: string, buttons: readonly HTMLElement[]): HTMLElement {
  return h(
    "div",
    { class: "keep-group", role: "group", "aria-label": label },
    h("span", { class: "keep-label", "aria-hidden": "true" }, label),
    ...buttons,
  );
}
