import type { Passage } from "@pith/web";
import { passageWords } from "../export/passage-words.js";
import { h, keyed, put, set } from "../ui/dom.js";
import { sourceKey } from "./panel.js";
import { t } from "../ui/words.js";
import type { PageNames } from "./page-names.js";

export interface PassageOptions {
  /** Where passages are. */
  pages: PageNames;
  marked: string | null;
  /** The settings let a click change the page. */
  canShow: boolean;
  onShow: (passage: Passage) => void;
}

/** The list of passages, each a button that shows its place on the page. Keeps focus and place through changes. */
export function drawPassages(
  list: HTMLElement,
  passages: readonly Passage[],
  { pages, marked, canShow, onShow }: PassageOptions,
): void {
  keyed(
    list,
    passages,
    sourceKey,
    (passage) => {
      const button = h("button", { type: "button", class: "passage", dir: "auto" });
      const { speaker, heading } = passage;
      if (heading) put(button, h("span", { class: "heading" }, heading));
      if (speaker) put(button, h("span", { class: "speaker" }, h("bdi", {}, speaker), ":"), " ");
      put(button, passageWords(passage));
      if (passage.code) put(button, h("code", { dir: "ltr" }, passage.code));
      const mark = pages.mark(passage);
      const kind = pages.hasTitles ? "page-mark titled" : "page-mark";
      if (mark !== null) put(button, " ", h("span", { class: kind, lang: t("language"), dir: "auto" }, mark));
      button.addEventListener("click", () => onShow(passage));
      return h("li", {}, button);
    },
    (item, passage) => {
      const button = item.firstElementChild;
      if (!button) return;
      set(button, "lang", pages.language(passage));
      set(button, "disabled", !canShow);
      set(button, "title", canShow && t("showOnPage"));
      set(button, "aria-current", marked === sourceKey(passage) ? "location" : null);
      const note = item.querySelector(":scope > .gone");
      if (!pages.isGone(passage)) note?.remove();
      else if (!note) put(item, h("small", { class: "note gone", lang: t("language") }, t("passageGone")));
    },
  );
}
