// A known model, with what can be told of it before a download.
import { onHub } from "@pith/web/hub";
import type { KnownModel } from "@pith/web/models";
import { type Estimate, estimate } from "../../models/estimate.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { languages } from "../../models/names.js";
import { writeSeconds } from "../../models/speed.js";
import { hostOf } from "../../models/permission.js";
import { createDownload } from "../../models/download-view.js";
import { bytes, roughly } from "../../ui/amounts.js";
import { h, say, set, show } from "../../ui/dom.js";
import { t } from "../../ui/words.js";

export interface KnownRow {
  element: HTMLElement;
  update(model: PageModel, isBest: boolean): void;
}

export function createKnownRow(known: KnownModel, link: ModelsLink): KnownRow {
  const chip = h("span", { class: "chip" }, t("modelsBest"));
  const from = h("span", {});
  const facts = h("p", { class: "facts" });
  const verdict = h("p", { class: "said" });
  const time = h("p", { class: "note" });
  const download = createDownload(link);
  const card = h("a", { href: known.page, target: "_blank", rel: "noreferrer" }, t("modelsCard"));
  const element = h(
    "li",
    { class: "model" },
    h("div", { class: "model-head" }, h("h3", {}, known.name), chip),
    facts,
    h("p", { class: "note" }, t(`use_${known.use}`)),
    verdict,
    time,
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
      const pageS = model.speed === null ? null : writeSeconds(known, model.speed);
      show(time, pageS !== null);
      say(time, pageS === null ? "" : t("modelsPageTime", roughly(1000 * pageS)));
      const remote = { url, ...(known.sha256 && { sha256: [known.sha256] }) };
      download.update(isStored ? null : { remote, title: known.name, bytes: size }, model);
    },
  };
}

/** What the size of a model tells of it, and why. */
function estimateWords({ verdict, needBytes, haveBytes }: Estimate, size: number, { host }: PageModel): string {
  const need = bytes(needBytes);
  if (verdict === "noRoom") return t("modelsNoRoom", bytes(size), bytes(host.stock?.store.freeBytes ?? 0));
  if (haveBytes === null) return t("modelsGuessUnknown", need);
  const have = bytes(haveBytes);
  if (verdict === "likely") return t("modelsGuessLikely", need, have);
  return verdict === "tight" ? t("modelsGuessTight", need, have) : t("modelsGuessUnlikely", need, have);
}
