// What the model that writes may not write, said where the reader would look for it.
import { kindsFor, mayCompose } from "../allowed.js";
import type { Roles } from "../roles.js";
import { h, say, show } from "../ui/dom.js";
import { called, t } from "../ui/words.js";

export interface WriterLimits {
  element: HTMLElement;
  draw(writer: Roles["writer"]): void;
}

export function createLimits(openModels: () => void): WriterLimits {
  const words = h("span");
  const models = h("button", { type: "button", class: "link" }, t("openModels"));
  models.addEventListener("click", openModels);
  const element = h("p", { class: "note limits" }, words, " ", models);
  return {
    element,
    draw(writer) {
      const isLimited = writer?.type === "local" && !mayCompose(writer);
      show(element, isLimited);
      if (isLimited)
        say(words, t(kindsFor(writer).length > 0 ? "limits_shorten" : "limits_none", called(writer.title)));
    },
  };
}
