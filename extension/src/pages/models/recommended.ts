// Known language models to download.
import { onHub } from "@pith/web/hub";
import { type KnownModel, knownModels } from "@pith/web/models";
import { recommend, suiting } from "../../models/estimate.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { h, keyed, part, say, show } from "../../ui/dom.js";
import { number, t } from "../../ui/words.js";
import { createKnownRow, type KnownRow } from "./known-row.js";

/** So many are shown before the reader asks for more. */
const FIRST = 4;

export function drawRecommended(link: ModelsLink): void {
  say(part("recommended-title"), t("modelsRecommended"));
  say(part("recommended-note"), t("modelsRecommendedNote"));
  const list = part("recommended-list");
  const more = h("button", { type: "button", class: "secondary" }, t("modelsMore", number(knownModels.length)));
  const updates = new Map<string, KnownRow["update"]>();
  let isOpen = false;
  list.after(h("p", { class: "more-models" }, more));
  more.addEventListener("click", () => {
    isOpen = true;
    link.update({});
    (list.children[FIRST]?.querySelector("button, a") as HTMLElement | null)?.focus();
  });
  link.watch((model) => {
    const sorted = sort(model.host);
    keyed(
      list,
      sorted,
      ({ id }) => id,
      (known) => {
        const { element, update } = createKnownRow(known, link);
        updates.set(known.id, update);
        return element;
      },
      (element, known) => {
        const isBusy = model.host.work[onHub(known.source, model.hub)] !== undefined;
        show(element, isOpen || isBusy || sorted.indexOf(known) < FIRST);
        updates.get(known.id)?.(model, model.host.machine !== null && known === sorted[0]);
      },
    );
    show(more, !isOpen);
  });
}

/** The one that suits this machine best, then the others that do, largest first, then the rest, smallest first. */
function sort({ machine, stock }: PageModel["host"]): readonly KnownModel[] {
  if (!machine) return knownModels;
  const good = suiting(machine, stock?.store.freeBytes ?? null);
  const best = recommend(good, chrome.i18n.getUILanguage());
  const rest = knownModels.filter((one) => !good.includes(one));
  return [...(best ? [best] : []), ...good.filter((one) => one !== best).reverse(), ...rest];
}
