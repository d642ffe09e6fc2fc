import type { Passage } from "@pith/web";
import { passageWords } from "../export/passage-words.js";
import { h, keyed, set } from "../ui/dom.js";
import { sourceKey } from "./panel.js";
import { number, t } from "../ui/words.js";
import { clockTime, type Origins, secondOf, speakerOf } from "../origins.js";
import { pageOf, type PageStarts } from "../page-starts.js";

export interface PassageOptions {
  language: string | null;
  marked: string | null;
  /** The settings let a click change the page. */
  canShow: boolean;
  /** Of a PDF: every passage names its page. */
  pageStarts?: PageStarts | undefined;
  /** Of threads and captions: who says it, and when. */
  origins?: Origins | undefined;
  onShow: (passage: Passage) => void;
}

/** The list of passages, each a button that shows its place on the page. Keeps focus and place through changes. */
export function drawPassages(
  list: HTMLElement,
  passages: readonly Passage[],
  { language, marked, canShow, pageStarts, origins, onShow }: PassageOptions,
): void {
  keyed(
    list,
    passages,
    sourceKey,
    (passage) => {
      const button = h("button", { type: "button", class: "passage", dir: "auto" });
      const speaker = speakerOfPassage(passage, origins);
      if (speaker) button.append(h("span", { class: "speaker" }, h("bdi", {}, speaker), ":"), " ");
      button.append(passageWords(passage));
      if (passage.code) button.append(h("code", { dir: "ltr" }, passage.code));
      if (pageStarts) button.append(pageMark(pageStarts, passage));
      const second = origins ? secondOf(origins, passage.block, passage.start) : null;
      if (second !== null) button.append(" ", h("span", { class: "page-mark" }, clockTime(second)));
      button.addEventListener("click", () => onShow(passage));
      return h("li", {}, button);
    },
    (item, passage) => {
      const button = item.firstElementChild;
      if (!button) return;
      set(button, "lang", language);
      set(button, "disabled", !canShow);
      set(button, "title", canShow && t("showOnPage"));
      set(button, "aria-current", marked === sourceKey(passage) ? "location" : null);
    },
  );
}

/** On which page of a PDF a passage begins. */
const pageMark = (starts: PageStarts, { block, start }: Passage): HTMLElement =>
  h("span", { class: "page-mark", lang: t("language") }, t("pdfPageShort", number(pageOf(starts, block, start))));

/** Who says a passage; null where nobody is known, and where its text begins with the name, as in an interview. */
export function speakerOfPassage({ block, text }: Passage, origins: Origins | undefined): string | null {
  const speaker = origins ? speakerOf(origins, block) : null;
  return speaker && !text.startsWith(speaker) ? speaker : null;
}
