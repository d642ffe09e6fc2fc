// Which encoder reads pages, and those that can be downloaded.
import type { StoredModel } from "@pith/web";
import { knownEncoders } from "@pith/web/models";
import { chooseEncoder } from "../../models/choose.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { asEncoder, isEncoder, knownOf, languages, titleOfStored } from "../../models/names.js";
import type { Roles } from "../../roles.js";
import { bytes } from "../../ui/amounts.js";
import { h, keyed, part, put, say, sayName, show } from "../../ui/dom.js";
import { called, t } from "../../ui/words.js";
import { createKnownRow } from "./known-row.js";

interface Choice {
  id: string;
  label: string;
  note: string;
  encoder: Roles["encoder"];
}

const BUILT_IN = "built-in";

const idOf = (encoder: Roles["encoder"]): string => (encoder ? `local ${encoder.name}` : BUILT_IN);

export function initEncoder(link: ModelsLink): void {
  say(part("encoder-title"), t("modelsReader"));
  const list = h("div", { class: "choices", role: "radiogroup", "aria-labelledby": "encoder-title" });
  const problem = h("p", { class: "said bad", role: "status" });
  const rows = knownEncoders.map((known) => createKnownRow(known, link));
  const known = h("ul", { class: "models", id: "encoder-list" }, ...rows.map(({ element }) => element));
  put(part("encoder"), h("p", { class: "note" }, t("modelsReaderNote")), list, problem, known);
  let choices: Choice[] = [];
  list.addEventListener("change", ({ target }) => {
    const chosen = choices.find(({ id }) => id === (target as HTMLInputElement).value);
    if (chosen) chooseEncoder(link, chosen.encoder);
  });
  link.watch((model) => {
    for (const { update } of rows) update(model, false);
    choices = choicesOf(model);
    const current = idOf(model.roles.encoder);
    keyed(
      list,
      choices,
      ({ id }) => id,
      ({ id }) => {
        const input = h("input", { type: "radio", name: "encoder", value: id });
        return h("label", { class: "choice" }, input, h("span", {}, h("strong", {}), h("span", { class: "note" })));
      },
      (element, { id, label, note }) => {
        (element.querySelector("input") as HTMLInputElement).checked = id === current;
        sayName(element.querySelector("strong") ?? element, label);
        say(element.querySelector(".note") ?? element, note);
      },
    );
    const words = problemOf(model);
    show(problem, words !== null);
    say(problem, words ?? "");
  });
}

function choicesOf(model: PageModel): Choice[] {
  const builtIn: Choice = { id: BUILT_IN, label: t("modelsEncoder"), note: t("modelsEncoderNote"), encoder: null };
  const local = (stored: StoredModel): Choice => {
    const encoder = asEncoder(stored, model);
    const known = knownOf(stored, model.hub);
    const facts = [bytes(stored.bytes), known && languages(known.languages)].filter(Boolean);
    return { id: idOf(encoder), label: titleOfStored(stored, model), note: facts.join(" · "), encoder };
  };
  const chosen = model.roles.encoder?.name;
  const mayRead = (stored: StoredModel): boolean =>
    stored.whole && (stored.name === chosen || isEncoder(stored, model) === true);
  return [builtIn, ...(model.host.stock?.stored ?? []).filter(mayRead).map(local)];
}

/** Why the chosen encoder does not read. */
function problemOf(model: PageModel): string | null {
  const { encoder } = model.roles;
  if (!encoder || !model.host.stock) return null;
  const stored = model.host.stock.stored.find(({ name, whole }) => whole && name === encoder.name);
  if (!stored) return t("modelsReaderGone", called(encoder.title));
  return isEncoder(stored, model) === false ? t("modelsReaderNotEncoder", called(encoder.title)) : null;
}
