// A mirror of the model hub, for networks that do not reach the public one.
import { hub as publicHub } from "@pith/web/models";
import { readHub, writeHub } from "../../models/hub.js";
import type { ModelsLink } from "../../models/link.js";
import { isAllowed } from "../../models/permission.js";
import { h, say, set } from "../../ui/dom.js";
import { t } from "../../ui/words.js";

export function createHubChoice(link: ModelsLink): HTMLElement {
  const input = h("input", { type: "text", id: "hub", dir: "ltr", autocomplete: "off", spellcheck: "false" });
  set(input, "placeholder", publicHub);
  input.maxLength = 200;
  const wrong = h("p", { class: "said bad", id: "hub-wrong", role: "alert" });
  const details = h(
    "details",
    { class: "more" },
    h("summary", {}, t("modelsHub")),
    h("p", { class: "note" }, t("modelsHubNote")),
    h("label", { for: "hub" }, t("modelsHubAddress")),
    input,
    wrong,
  );
  input.addEventListener("change", () => {
    const address = input.value.trim();
    const isGood = address === "" || isAllowed(address);
    say(wrong, isGood ? "" : t("modelsHubWrong"));
    if (isGood) void writeHub(address).then(async () => link.update({ hub: await readHub() }));
  });
  link.watch(({ hub }) => {
    if (document.activeElement !== input) input.value = hub === publicHub ? "" : hub;
  });
  return details;
}
