// Which encoder reads pages, and those that can be downloaded.
import type { StoredModel } from "@pith/web";
import { knownEncoders } from "@pith/web/models";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { asEncoder, isEncoder, knownAt, languages, titleOfStored } from "../../models/names.js";
import { noteKind } from "../../models/origins.js";
import { workKey } from "../../models-wire.js";
import { changeRoles, type Roles } from "../../roles.js";
import { bytes } from "../../ui/amounts.js";
import { h, keyed, part, say, show } from "../../ui/dom.js";
import { t } from "../../ui/words.js";
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
  part("encoder").append(h("p", { class: "note" }, t("modelsReaderNote")), list, problem, known);
  const noted = new Set<string>();
  let choices: Choice[] = [];
  list.addEventListener("change", ({ target }) => {
    const chosen = choices.find(({ id }) => id === (target as HTMLInputElement).value);
    if (chosen) choose(link, chosen.encoder);
  });
  link.watch((model) => {
    for (const { update } of rows) update(model, false);
    noteKinds(model, noted);
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
        say(element.querySelector("strong") ?? element, label);
        say(element.querySelector(".note") ?? element, note);
      },
    );
    const words = problemOf(model);
    show(problem, words !== null);
    say(problem, words ?? "");
  });
}

function choose(link: ModelsLink, encoder: Roles["encoder"]): void {
  link.update({ roles: { ...link.model.roles, encoder } });
  void changeRoles({ encoder });
  if (!encoder) return;
  const { backend } = link.model;
  link.send({ type: "check", key: encoder.source?.url ?? encoder.name, model: { stored: encoder.name }, backend });
}

function choicesOf(model: PageModel): Choice[] {
  const builtIn: Choice = { id: BUILT_IN, label: t("modelsEncoder"), note: t("modelsEncoderNote"), encoder: null };
  const local = (stored: StoredModel): Choice => {
    const encoder = asEncoder(stored, model);
    const known = knownAt(stored.url, model.hub);
    const facts = [bytes(stored.bytes), known && languages(known.languages)].filter(Boolean);
    return { id: idOf(encoder), label: titleOfStored(stored, model), note: facts.join(" · "), encoder };
  };
  const mayRead = (stored: StoredModel): boolean => stored.whole && isEncoder(stored, model) !== false;
  return [builtIn, ...(model.host.stock?.stored ?? []).filter(mayRead).map(local)];
}

/** Why the chosen encoder does not read. */
function problemOf(model: PageModel): string | null {
  const { encoder } = model.roles;
  if (!encoder || !model.host.stock) return null;
  const stored = model.host.stock.stored.find(({ name, whole }) => whole && name === encoder.name);
  if (!stored) return t("modelsReaderGone", encoder.title);
  return isEncoder(stored, model) === false ? t("modelsReaderNotEncoder", encoder.title) : null;
}

/** What a check has found out about a stored model is remembered. */
function noteKinds({ host, hub, origins }: PageModel, noted: Set<string>): void {
  for (const stored of host.stock?.stored ?? []) {
    const key = workKey(stored);
    const work = host.work[key];
    if (noted.has(key) || work?.phase !== "done" || work.result.type !== "fit" || knownAt(stored.url, hub)) continue;
    noted.add(key);
    const { encoder } = work.result.fit;
    if (origins[key]?.encoder !== encoder) void noteKind(key, stored.title ?? stored.name, encoder);
  }
}
