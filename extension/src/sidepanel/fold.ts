import { h, say, show } from "../ui/dom.js";

/** Content that is open until something better stands above it. */
export interface Fold {
  element: HTMLElement;
  /** `folds`: it may be folded. It folds by itself once, unless somebody is in it. */
  draw(folds: boolean, words: string): void;
}

export function createFold(...content: HTMLElement[]): Fold {
  const line = h("summary", { hidden: true });
  const element = h("details", { class: "more fold", open: true }, line, ...content);
  let folded = false;
  return {
    element,
    draw(folds, words) {
      say(line, words);
      if (folds === folded) return;
      folded = folds;
      show(line, folds);
      const isUsed = element.contains(document.activeElement) || element.querySelector("[aria-current]") !== null;
      element.open = !folds || isUsed;
    },
  };
}
