// Known models, with what can be told of them before a download.
import { type KnownModel, knownModels } from "@pith/web/models";
import { type Estimate, estimate, recommend } from "../../models/estimate.js";
import { onHub } from "../../models/hub.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { languages } from "../../models/names.js";
import { hostOf } from "../../models/permission.js";
import { createDownload } from "../../models/download-view.js";
import { bytes } from "../../ui/amounts.js";
import { h, keyed, part, say, set, show } from "../../ui/dom.js";
import { t } from "../../ui/words.js";

export function drawRecommended(link: ModelsLink): void {
  say(part("recommended-title"), t("modelsRecommended"));
  say(part("recommended-note"), t("modelsRecommendedNote"));
  const list = part("recommended-list");
  const updates = new Map<string, (model: PageModel) => void>();
  link.watch((model) => {
    const { stock, machine } = model.host;
    const best = machine && recommend(machine, stock?.store.freeBytes ?? null, chrome.i18n.getUILanguage());
    // The one that suits this machine comes first; the others stay in order.
    const sorted = best ? [best, ...knownModels.filter(({ id }) => id !== best.id)] : knownModels;
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
        set(element, "data-best", known.id === best?.id);
        updates.get(known.id)?.(model);
      },
    );
  });
}

function row(known: KnownModel, link: ModelsLink): { element: HTMLElement; update: (model: PageModel) => void } {
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
    update(model) {
      const { host, hub } = model;
      const url = onHub(known.source, hub);
      const isStored = host.stock?.stored.some((one) => one.url === url && one.whole) ?? false;
      say(from, t("modelsFrom", hostOf(url)));
      show(chip, element.dataset["best"] !== undefined);
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
