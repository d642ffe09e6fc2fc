import { fillWith, h, keyed, set, show } from "../ui/dom.js";
import { t } from "../ui/words.js";
import type { Model } from "./panel.js";

/** Builds the questions to begin with; the returned function draws those that were not asked yet, while their page is on the screen. */
export function createSuggestions(root: HTMLElement, onAsk: (text: string) => void): (model: Model) => void {
  const list = h("ul", { class: "suggestions" });
  fillWith(root, h("h2", { id: "suggestions-title" }, t("suggestions")), list);
  set(root, "aria-labelledby", "suggestions-title");
  return ({ state, reading, changed }) => {
    const asked = new Set(state.questions.map(({ text }) => text));
    const left = state.suggestions.filter((text) => !asked.has(text));
    show(root, left.length > 0 && state.summary?.phase === "done" && !reading && !changed);
    keyed(
      list,
      left,
      (text) => text,
      (text) => {
        const button = h("button", { type: "button", class: "suggestion", dir: "auto" }, text);
        button.addEventListener("click", () => onAsk(text));
        return h("li", {}, button);
      },
      (item) => set(item, "lang", state.page?.language ?? null),
    );
  };
}
