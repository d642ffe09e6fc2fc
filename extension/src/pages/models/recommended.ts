// Known language models to download.
import { onHub } from "@pith/web/hub";
import { type KnownModel, knownModels } from "@pith/web/models";
import { fitting } from "../../models/estimate.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { byQuality, isFast, recommend } from "../../models/speed.js";
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
    const sorted = sort(model);
    const first = best(model);
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
        updates.get(known.id)?.(model, known === first);
      },
    );
    show(more, !isOpen);
  });
}

const inReach = ({ host: { machine, stock } }: PageModel): readonly KnownModel[] =>
  machine ? fitting(machine, stock?.store.freeBytes ?? null) : [];

const best = (model: PageModel): KnownModel | null =>
  recommend(inReach(model), model.speed, chrome.i18n.getUILanguage());

/** The one to begin with, then the others that are fast enough here, the best first, then the rest, smallest first. */
function sort(model: PageModel): readonly KnownModel[] {
  const { speed } = model;
  if (speed === null) return knownModels;
  const first = best(model);
  const good = byQuality(inReach(model).filter((one) => isFast(one, speed) && one !== first));
  const rest = knownModels.filter((one) => one !== first && !good.includes(one));
  return [...(first ? [first] : []), ...good, ...rest];
}
