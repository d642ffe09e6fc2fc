// What the panel of a tab says when its page belongs to another tab's conversation, or can be added to it.
import { PAGES_MAX } from "../pages-wire.js";
import { fillWith, h, part, say, show } from "../ui/dom.js";
import { number, quoted, shortcutKeys, t } from "../ui/words.js";
import type { Model } from "./panel.js";

export interface JoinedActions {
  goTo(tab: number): void;
  summarize(): void;
  endGathering(tab: number): void;
}

/** Builds the notice; the returned function draws it. `tab`: the panel's own. */
export function createJoinedView(tab: number, actions: JoinedActions): (model: Model) => void {
  const root = part("joined");
  const words = h("p", { role: "status" });
  const button = (label: string, run: () => void): HTMLButtonElement => {
    const made = h("button", { type: "button", class: "secondary" }, label);
    made.addEventListener("click", run);
    return made;
  };
  let conversation: number | null = null;
  const go = button(t("pageGoTo"), () => {
    if (conversation !== null) actions.goTo(conversation);
  });
  const summarize = button(t("summarizePage"), actions.summarize);
  const end = button(t("pageAddEnd"), () => {
    if (conversation !== null) actions.endGathering(conversation);
  });
  fillWith(root, words, h("div", { class: "actions" }, go, summarize, end));

  return ({ state: { joined, page }, gathering, reading }) => {
    const other = gathering && gathering.tab !== tab ? gathering.tab : null;
    conversation = other ?? joined?.tab ?? null;
    const keys = shortcutKeys();
    const hint = keys ? t("pageJoinHelp_shortcut", keys) : t("pageJoinHelp");
    show(root, !reading && conversation !== null);
    if (root.hidden) return say(words, "");
    say(words, joined ? t("pageJoined", quoted(joined.title), number(joined.count), number(PAGES_MAX)) : hint);
    show(go, true);
    show(summarize, joined !== null && page === null);
    show(end, other !== null);
  };
}
