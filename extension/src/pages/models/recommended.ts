// Known models, with what can be told of them before a download.
import { type KnownModel, knownModels } from "@pith/web/models";
import { type Estimate, estimate, recommend, suiting } from "../../models/estimate.js";
import { onHub } from "../../models/hub.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { languages } from "../../models/names.js";
import { hostOf } from "../../models/permission.js";
import { createDownload } from "../../models/download-view.js";
import { bytes } from "../../ui/amounts.js";
import { h, keyed, part, say, set, show } from "../../ui/dom.js";
import { number, t } from "../../ui/words.js";

/** So many are shown before the reader asks for more. */
const FIRST = 4;

export function drawRecommended(link: ModelsLink): void {
  say(part("recommended-title"), t("modelsRecommended"));
  say(part("recommended-note"), t("modelsRecommendedNote"));
  const list = part("recommended-list");
  const more = h("button", { type: "button", class: "secondary" }, t("modelsMore", number(knownModels.length)));
  const updates = new Map<string, (model: PageModel, isBest: boolean) => void>();
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
        const { element, update } = row(known, link);
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

function row(
  known: KnownModel,
  link: ModelsLink,
): { element: HTMLElement; update: (model: PageModel, isBest: boolean) => void } {
  const chip = h("span", { class: "chip" }, t("modelsBest"));
  const from = h("span", {});
  const facts = h("p", { class: "facts" });
  const verdict = h("p", { class: "said" });
  const download = createDownload(link);
  const card = h("a", { href: known.page, target: "_blank", rel: "noreferrer" }, t("modelsCard"));
  const element = h(
    "li",
    { class: "model" },
    h("div", { class: "model-head" }, h("h3", {}, known.name), chip),
    facts,
    h("p", { class: "note", lang: "en", dir: "ltr" }, known.goodAt),
    verdict,
    download.element,
    h("p", { class: "note" }, from, " · ", card),
  );
  set(card, "aria-label", t("modelsCardOf", known.name));
  const size = known.bytes ?? 0;
  const parts = [bytes(size), known.maker, known.format, known.licence, languages(known.languages)];
  say(facts, parts.join(" · "));
  return {
    element,
    update(model, isBest) {
      const { host, hub } = model;
      const url = onHub(known.source, hub);
      const isStored = host.stock?.stored.some((one) => one.url === url && one.whole) ?? false;
      say(from, t("modelsFrom", hostOf(url)));
      show(chip, isBest);
      set(element, "data-best", isBest);
      set(download.button, "class", isBest ? "primary" : "secondary");
      const guess = host.machine && estimate(size, host.machine, host.stock?.store.freeBytes ?? null);
      say(verdict, isStored ? t("modelsIsInstalled") : guess ? estimateWords(guess, size, model) : t("modelsLooking"));
      set(verdict, "data-verdict", isStored ? "likely" : (guess?.verdict ?? null));
      const remote = { url, ...(known.sha256 && { sha256: [known.sha256] }) };
      download.update(isStored ? null : { remote, title: known.name, bytes: size }, model);
    },
  };
}

/** What the size of a model tells of it, and why. */
export function estimateWords({ verdict, needBytes, haveBytes }: Estimate, size: number, { host }: PageModel): string {
  const need = bytes(needBytes);
  if (verdict === "noRoom") return t("modelsNoRoom", bytes(size), bytes(host.stock?.store.freeBytes ?? 0));
  if (haveBytes === null) return t("modelsGuessUnknown", need);
  const have = bytes(haveBytes);
  if (verdict === "likely") return t("modelsGuessLikely", need, have);
  return verdict === "tight" ? t("modelsGuessTight", need, have) : t("modelsGuessUnlikely", need, have);
}
