// The model that suits this machine, and a choice between downloading it and not.
import { onHub } from "@pith/web/hub";
import { knownModels, type KnownModel } from "@pith/web/models";
import { chooseWriter } from "../../models/choose.js";
import { createDownload } from "../../models/download-view.js";
import { estimate, fitting } from "../../models/estimate.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { asWriter, languages } from "../../models/names.js";
import { hostOf } from "../../models/permission.js";
import { recommend, writeSeconds } from "../../models/speed.js";
import { createVerdict } from "../../models/verdict-view.js";
import { bytes, roughly } from "../../ui/amounts.js";
import { h, part, put, say, show } from "../../ui/dom.js";
import { t } from "../../ui/words.js";

export function offerModel(link: ModelsLink): void {
  const place = part("pick");
  const looking = h("p", { class: "note", role: "status" }, t("welcomeLooking"));
  put(place, looking);
  let draw: ((model: PageModel) => void) | null = null;
  link.watch((model) => {
    const { machine, stock } = model.host;
    if (!draw && machine && stock && model.speed !== null) {
      // What has begun stays, also where less room is left for it now.
      const isBegun = ({ source }: KnownModel) => stock.stored.some(({ url }) => url === onHub(source, model.hub));
      const begun = knownModels.find(isBegun);
      const best = recommend(fitting(machine, stock.store.freeBytes), model.speed, chrome.i18n.getUILanguage());
      const picked = begun ?? best;
      if (!picked) return say(looking, t("welcomePickNone"));
      looking.remove();
      draw = createOffer(picked, picked === best, link, place);
    }
    draw?.(model);
  });
}

function createOffer(
  known: KnownModel,
  isBest: boolean,
  link: ModelsLink,
  place: HTMLElement,
): (model: PageModel) => void {
  const size = known.bytes ?? 0;
  const why = h("p", {});
  const from = h("dd", {});
  const rows: [string, HTMLElement | string][] = [
    [t("welcomeSize"), bytes(size)],
    [t("welcomeFrom"), from],
    [t("welcomeLicense"), known.licence],
    [t("welcomeMaker"), known.maker],
    [t("welcomeLanguages"), languages(known.languages)],
  ];
  const facts = h(
    "dl",
    { class: "facts-list" },
    ...rows.flatMap(([term, value]) => [h("dt", {}, term), typeof value === "string" ? h("dd", {}, value) : value]),
  );
  const download = createDownload(link);
  const notNow = h("button", { type: "button", class: "primary" }, t("welcomeNotNow"));
  const promise = h("p", { class: "note" }, t("welcomePromise"));
  download.button.after(notNow);
  put(
    place,
    h("h3", {}, t("welcomePick", known.name)),
    why,
    facts,
    h("p", { class: "note" }, t("welcomeSmallNote")),
    download.element,
    promise,
  );
  let isDone = false;
  notNow.addEventListener("click", () => {
    say(part("after"), t("welcomeLater", t("modelsLink")));
    show(place, false);
    part("all").focus();
  });
  const verdict = createVerdict(link);
  part("after").after(verdict.element);
  return (model) => {
    const { host, hub } = model;
    const url = onHub(known.source, hub);
    say(from, hostOf(url));
    if (host.machine && isBest) {
      const need = bytes(estimate(size, host.machine, null).needBytes);
      const time = writeSeconds(known, model.speed ?? Number.POSITIVE_INFINITY);
      const words = host.machine.backend.kind === "cpu" ? "welcomeWhyCpu" : "welcomeWhyGpu";
      say(why, t(words, need, roughly(1000 * (time ?? 0))));
    }
    const stored = host.stock?.stored.find((one) => one.url === url && one.whole);
    const { writer } = model.roles;
    verdict.update(model);
    // Another model's verdict stands on the models page.
    if (!stored || writer?.type !== "local" || writer.name !== stored.name) show(verdict.element, false);
    const remote = { url, ...(known.sha256 && { sha256: [known.sha256] }) };
    download.update(stored ? null : { remote, title: known.name, bytes: size }, model);
    show(notNow, !stored && !download.button.hidden);
    show(promise, !stored && !download.button.hidden);
    if (!stored || isDone) return;
    isDone = true;
    say(part("after"), t("welcomeReady"));
    // Nobody who downloads a model here wants to choose it once more.
    if (model.roles.writer === null) chooseWriter(link, asWriter(stored, model));
  };
}
