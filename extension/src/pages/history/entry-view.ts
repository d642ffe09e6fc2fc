import type { Entry, ReadEntry } from "../../history/entry.js";
import { createDocumentBody, createLink } from "../../ui/document-view.js";
import { fillWith, h, set } from "../../ui/dom.js";
import { aboutWords } from "../../ui/export-words.js";
import { createButton, createCopy, createGroup, createSaves } from "../../ui/keep-actions.js";
import { t, time } from "../../ui/words.js";

/** What an entry's buttons do. */
export interface EntryActions {
  remove(id: string): void;
  say(words: string): void;
}

/** An entry that unfolds. `match`: the text for which a search found it. */
export function createEntry(read: ReadEntry, match: string | null, actions: EntryActions): HTMLElement {
  if (read.kind !== "entry") return createUnreadable(read, actions);
  const { entry } = read;
  const { title, language, address } = entry.document;
  const body = h("div", { class: "entry-body" });
  const isFound = match !== null && match !== title;
  const found = isFound ? h("span", { class: "match", dir: "auto", lang: language }, match) : null;
  const details = h(
    "details",
    { class: "entry" },
    h(
      "summary",
      {},
      h("h3", { dir: "auto", lang: language }, title),
      h("span", { class: "meta" }, h("bdi", {}, siteOf(address)), ` · ${time(entry.updatedMs)}`),
      found,
    ),
    body,
  );
  // A long list is drawn at once; what is in its entries, when somebody looks.
  details.addEventListener("toggle", () => fillWith(body, ...(details.open ? parts(entry, actions) : [])));
  return details;
}

/** The site of an address; of what is no web address, all of it. */
function siteOf(address: string): string {
  try {
    return new URL(address).host || address;
  } catch {
    return address;
  }
}

function parts({ id, document }: Entry, actions: EntryActions): HTMLElement[] {
  const target = { document: async () => document, say: actions.say };
  return [
    h("p", { class: "about" }, aboutWords(document)),
    h("p", {}, createLink(document.address, document.address, { dir: "ltr", title: t("historyVisit") })),
    createDocumentBody(document, true),
    createGroup(t("copy"), [
      createCopy(t("copyAll"), "text", target),
      createCopy(t("copyAllMarkdown"), "markdown", target),
    ]),
    createGroup(t("saveAs"), createSaves(target)),
    h("div", {}, createRemove(id, document.title, actions)),
  ];
}

/** A record that cannot be shown: it can be deleted, and nothing else. */
function createUnreadable({ id, kind }: ReadEntry, actions: EntryActions): HTMLElement {
  const [title, help] =
    kind === "newer" ? [t("historyNewer"), t("historyNewerHelp")] : [t("historyDamaged"), t("historyDamagedHelp")];
  const body = h("div", { class: "entry-body" }, h("p", {}, help), h("div", {}, createRemove(id, title, actions)));
  return h("details", { class: "entry" }, h("summary", {}, h("h3", {}, title)), body);
}

function createRemove(id: string, title: string, { remove }: EntryActions): HTMLElement {
  const button = createButton(t("historyDelete"), () => remove(id), "danger");
  set(button, "aria-label", t("historyDeleteNamed", title));
  return button;
}
