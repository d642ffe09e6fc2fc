// The pages of a conversation, and the way to add more.
import { PAGE_TITLE_CHARS_MAX, PAGES_MAX } from "../pages-wire.js";
import { fillWith, h, keyed, part, say, set, show } from "../ui/dom.js";
import { number, quoted, shortcutKeys, t } from "../ui/words.js";
import type { TabState } from "../wire.js";
import type { Model } from "./panel.js";

export interface PagesActions {
  /** Pages are added from now on, or no more. */
  gather(isOn: boolean): void;
  goTo(tab: number): void;
  remove(id: number): void;
}

/** A page in the list; without an id the tab's own. */
interface Row {
  id: number | null;
  tab: number | null;
  title: string;
  language: string | null;
}

/** Builds the list; the returned function draws it. `tab`: the panel's own. */
export function createPagesView(tab: number, actions: PagesActions): (model: Model, before: Model) => void {
  const root = part("pages");
  const count = h("span", { class: "chip" });
  const heading = h("h2", { id: "pages-title" }, t("pagesTitle"), count);
  const list = h("ul", { class: "page-list" });
  const left = h("p", { class: "left", role: "status" });
  const add = h("button", { type: "button", class: "secondary" }, t("pageAdd"));
  const done = h("button", { type: "button", class: "secondary" }, t("pageAddDone"));
  const keys = shortcutKeys();
  const words = h("p", { id: "page-add-help" }, keys ? t("pageAddHelp_shortcut", keys) : t("pageAddHelp"));
  set(done, "aria-describedby", words.id);
  const help = h("div", { class: "adding" }, words, done);
  const full = h("p", { class: "note" }, t("pagesFull", number(PAGES_MAX)));
  const server = h("p", { class: "note" });
  fillWith(root, heading, list, left, help, add, full, server);
  set(root, "aria-labelledby", heading.id);

  /** A button that goes once it was pressed, and where its focus goes then. */
  let moving: { from: HTMLElement; to: HTMLElement } | null = null;
  add.addEventListener("click", () => {
    moving = { from: add, to: done };
    actions.gather(true);
  });
  done.addEventListener("click", () => {
    moving = { from: done, to: add };
    actions.gather(false);
  });

  const make = ({ id, tab, title, language }: Row): HTMLElement => {
    if (id === null || tab === null)
      return h("li", {}, h("span", { class: "name", dir: "auto", lang: language }, title));
    const go = h("button", { type: "button", class: "link name", dir: "auto", lang: language }, title);
    const label = t("pageRemove", quoted(title));
    const remove = h("button", { type: "button", class: "quiet remove", "aria-label": label, title: label }, "×");
    set(go, "title", t("pageGoToTab"));
    go.addEventListener("click", () => actions.goTo(tab));
    remove.addEventListener("click", () => {
      moving = { from: remove, to: help.hidden ? add : done };
      actions.remove(id);
      say(part("live"), t("pageRemoved", quoted(title)));
    });
    return h("li", {}, go, remove);
  };

  return ({ state, gathering, reading, settings }, before) => {
    const { page, pages } = state;
    const isOn = gathering?.tab === tab;
    const isFull = pages.length + 1 >= PAGES_MAX;
    const isSeveral = pages.length > 0;
    show(root, page !== null && !reading && (isSeveral || state.summary?.phase === "done" || state.left !== null));
    show(heading, isSeveral || isOn);
    say(count, `${number(pages.length + 1)} / ${number(PAGES_MAX)}`);
    show(list, isSeveral);
    const own: Row[] =
      page && isSeveral
        ? [{ id: null, tab: null, title: page.title.slice(0, PAGE_TITLE_CHARS_MAX), language: page.language }]
        : [];
    keyed(list, [...own, ...pages], ({ id, title }) => `${id} ${title}`, make);
    const lost = leftWords(state, before.state, left.textContent ?? "");
    say(left, lost);
    show(left, lost !== "");
    show(help, isOn);
    show(words, !isFull);
    show(add, !isOn && !isFull);
    show(full, isFull);
    const host = settings.writer?.type === "server" ? settings.writer.host : null;
    show(server, host !== null && (isSeveral || isOn));
    say(server, t("pagesServer", host ?? ""));
    const added = pages.filter(({ id }) => !before.state.pages.some((one) => one.id === id));
    const isSame = page !== null && page.key === before.state.page?.key;
    if (isSame) for (const { title } of added) say(part("live"), t("pageAdded", quoted(title)));
    if (!moving || moving.from.checkVisibility() || !moving.to.checkVisibility()) return;
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || activeElement === moving.from) moving.to.focus();
    moving = null;
  };
}

/** Which page was lost. The host keeps no title of it: only a panel that was open then can name it. */
function leftWords({ left, pages }: TabState, before: TabState, said: string): string {
  if (!left) return "";
  if (left.id === before.left?.id && said !== "") return said;
  const gone = before.pages.find(({ id }) => id === left.id && !pages.some((one) => one.id === id));
  if (!gone) return t("pageLeft");
  return t(left.why === "closed" ? "pageClosed" : "pageChangedTo", quoted(gone.title));
}
