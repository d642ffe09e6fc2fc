// Where models run and why, and what is left of the store.
import type { StoreInfo } from "@pith/web";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { backendName } from "../../models/work-view.js";
import { bytes } from "../../ui/amounts.js";
import { fillWith, h, part, say } from "../../ui/dom.js";
import { t } from "../../ui/words.js";

/** The order in which backends are tried. */
const WAY = ["webgpu", "webgl2", "cpu"];

export function drawMachine(link: ModelsLink): void {
  say(part("machine-title"), t("modelsMachine"));
  const list = part("machine-facts");
  let shown = "";
  link.watch((model) => {
    const facts = factsOf(model);
    const key = JSON.stringify(facts);
    if (key === shown) return;
    shown = key;
    fillWith(
      list,
      ...facts.flatMap(([term, value, english]) => [
        h("dt", {}, term),
        h("dd", {}, value, english ? h("p", { class: "note", lang: "en", dir: "ltr" }, english) : null),
      ]),
    );
  });
}

function factsOf({ host: { machine, stock }, backend }: PageModel): [string, string, string?][] {
  const facts: [string, string, string?][] = [];
  if (machine) {
    const { kind, reason, device } = machine.backend;
    const chosen =
      backend === "auto" ? t("modelsRunsAuto", backendName(kind)) : t("modelsRunsChosen", backendName(kind));
    facts.push([t("modelsRuns"), chosen, [reason, device].filter(Boolean).join(" ")]);
    if (backend === "auto") facts.push([t("modelsWay"), WAY.map(backendName).join(" → "), ""]);
  }
  if (stock) facts.push([t("modelsStorage"), storeWords(stock.store)]);
  return facts;
}

/** With the permission `unlimitedStorage` browsers delete nothing by themselves. In a private window nothing stays. */
function storeWords({ usedBytes, freeBytes }: StoreInfo): string {
  const amounts = [
    usedBytes === null ? null : t("modelsUsed", bytes(usedBytes)),
    freeBytes === null ? null : t("modelsFree", bytes(freeBytes)),
  ].filter((one) => one !== null);
  const kept = chrome.extension.inIncognitoContext ? t("modelsPrivate") : t("modelsPersisted");
  return `${amounts.join(" · ")}${amounts.length > 0 ? ". " : ""}${kept}`;
}
