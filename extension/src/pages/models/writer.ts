// Which model writes.
import type { StoredModel } from "@pith/web";
import { browserTitle, createBrowserOffer } from "../../models/browser-offer.js";
import { chooseWriter } from "../../models/choose.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { asWriter, isEncoder, titleOfStored } from "../../models/names.js";
import { changeRoles, type Roles } from "../../roles.js";
import { createVerdict } from "../../models/verdict-view.js";
import { bytes } from "../../ui/amounts.js";
import { h, keyed, part, put, say, sayName, show } from "../../ui/dom.js";
import { openPage } from "../../ui/open-page.js";
import { called, t } from "../../ui/words.js";

interface Choice {
  id: string;
  label: string;
  note: string;
  writer: Roles["writer"];
}

export function initWriter(link: ModelsLink): void {
  say(part("writer-title"), t("modelsWriter"));
  const list = h("div", { class: "choices", role: "radiogroup", "aria-labelledby": "writer-title" });
  const gone = h("p", { class: "said bad" });
  const server = h("button", { type: "button", class: "link" }, t("server"));
  server.addEventListener("click", () => openPage("server"));
  const verdict = createVerdict(link);
  put(
    part("writer"),
    h("p", { class: "note" }, t("modelsWriterNote")),
    list,
    verdict.element,
    createBrowserOffer(link),
    gone,
    h("p", {}, server),
  );
  let choices: Choice[] = [];
  list.addEventListener("change", ({ target }) => {
    const chosen = choices.find(({ id }) => id === (target as HTMLInputElement).value);
    if (chosen) chooseWriter(link, chosen.writer);
  });
  link.watch((model) => {
    choices = choicesOf(model);
    const { writer } = model.roles;
    const current = idOf(writer);
    keyed(
      list,
      choices,
      ({ id }) => id,
      ({ id }) => {
        const input = h("input", { type: "radio", name: "writer", value: id });
        return h("label", { class: "choice" }, input, h("span", {}, h("strong", {}), h("span", { class: "note" })));
      },
      (element, { id, label, note }) => {
        (element.querySelector("input") as HTMLInputElement).checked = id === current;
        sayName(element.querySelector("strong") ?? element, label);
        say(element.querySelector(".note") ?? element, note);
      },
    );
    verdict.update(model);
    renew(link, choices.find(({ id }) => id === current)?.writer ?? null);
    const isKnown = model.host.stock !== null && (writer?.type !== "browser" || model.browser !== null);
    const isGone = isKnown && !choices.some(({ id }) => id === current);
    show(gone, isGone);
    say(gone, isGone && writer ? goneWords(writer) : "");
  });
}

/** A model that was chosen under another name is called by the one that it has now. */
function renew(link: ModelsLink, now: Roles["writer"]): void {
  const { roles } = link.model;
  const { writer } = roles;
  if (writer?.type !== "local" || now?.type !== "local" || writer.title === now.title) return;
  const renamed = { ...writer, title: now.title };
  link.update({ roles: { ...roles, writer: renamed } });
  void changeRoles({ writer: renamed });
}

const idOf = (writer: Roles["writer"]): string =>
  writer === null ? "none" : writer.type === "local" ? `local ${writer.name}` : writer.type;

function choicesOf(model: PageModel): Choice[] {
  const none: Choice = { id: "none", label: t("modelsWriterNone"), note: t("modelsWriterNoneNote"), writer: null };
  const local = (stored: StoredModel): Choice => {
    const writer = asWriter(stored, model);
    return { id: idOf(writer), label: titleOfStored(stored, model), note: bytes(stored.bytes), writer };
  };
  const { writer } = model.roles;
  const server: Choice[] =
    writer?.type === "server"
      ? [{ id: "server", label: writer.model, note: t("modelsWriterServer", called(writer.host)), writer }]
      : [];
  const ofBrowser: Choice[] =
    model.browser === "available"
      ? [
          {
            id: "browser",
            label: browserTitle(),
            note: t("browserModelNote"),
            writer: { type: "browser", title: browserTitle() },
          },
        ]
      : [];
  const chosen = writer?.type === "local" ? writer.name : null;
  const mayWrite = (stored: StoredModel): boolean => {
    const kind = isEncoder(stored, model);
    return stored.whole && (kind === false || (kind === null && stored.name === chosen));
  };
  return [none, ...(model.host.stock?.stored ?? []).filter(mayWrite).map(local), ...ofBrowser, ...server];
}

const goneWords = (writer: NonNullable<Roles["writer"]>): string =>
  writer.type === "local" ? t("modelsWriterGone", called(writer.title)) : t("error_browser_model_gone");
