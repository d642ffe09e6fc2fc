// Which model writes.
import type { StoredModel } from "@pith/web";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { asWriter, isEncoder, titleOfStored } from "../../models/names.js";
import { changeRoles, type Roles } from "../../roles.js";
import { bytes } from "../../ui/amounts.js";
import { h, keyed, part, say, show } from "../../ui/dom.js";
import { openPage } from "../../ui/open-page.js";
import { t } from "../../ui/words.js";

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
  part("writer").append(h("p", { class: "note" }, t("modelsWriterNote")), list, gone, h("p", {}, server));
  let choices: Choice[] = [];
  list.addEventListener("change", ({ target }) => {
    const chosen = choices.find(({ id }) => id === (target as HTMLInputElement).value);
    if (!chosen) return;
    link.update({ roles: { ...link.model.roles, writer: chosen.writer } });
    void changeRoles({ writer: chosen.writer });
    if (chosen.writer?.type !== "local") return;
    const { name, source } = chosen.writer;
    const { backend } = link.model;
    link.send({ type: "check", key: source?.url ?? name, model: { stored: name }, backend });
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
        say(element.querySelector("strong") ?? element, label);
        say(element.querySelector(".note") ?? element, note);
      },
    );
    const key = writer?.type === "local" ? (writer.source?.url ?? writer.name) : "";
    const work = model.host.work[key];
    // Its row says why.
    if (work?.phase === "done" && work.result.type === "fit" && work.result.fit.encoder)
      void changeRoles({ writer: null });
    const isGone = model.host.stock !== null && !choices.some(({ id }) => id === current);
    show(gone, isGone);
    say(gone, isGone && writer?.type === "local" ? t("modelsWriterGone", writer.title) : "");
  });
}

const idOf = (writer: Roles["writer"]): string =>
  writer === null ? "none" : writer.type === "server" ? "server" : `local ${writer.name}`;

function choicesOf(model: PageModel): Choice[] {
  const none: Choice = { id: "none", label: t("modelsWriterNone"), note: t("modelsWriterNoneNote"), writer: null };
  const local = (stored: StoredModel): Choice => {
    const writer = asWriter(stored, model);
    return { id: idOf(writer), label: titleOfStored(stored, model), note: bytes(stored.bytes), writer };
  };
  const { writer } = model.roles;
  const server: Choice[] =
    writer?.type === "server"
      ? [{ id: "server", label: writer.model, note: t("modelsWriterServer", writer.host), writer }]
      : [];
  const mayWrite = (stored: StoredModel): boolean => stored.whole && isEncoder(stored, model) !== true;
  return [none, ...(model.host.stock?.stored ?? []).filter(mayWrite).map(local), ...server];
}
