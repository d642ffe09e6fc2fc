// What the model that was chosen may write: its test while it runs, and a sentence that says what it found.
import { h, say, show } from "../ui/dom.js";
import { called, t } from "../ui/words.js";
import { type LocalWriter, noteTier } from "../roles.js";
import { judge, roleKey } from "./choose.js";
import type { ModelsLink, PageModel } from "./link.js";
import { fileOf } from "./names.js";
import { createWorkView, TIERS } from "./work-view.js";

/** Draws the verdict on whichever model writes. */
export function createVerdict(link: ModelsLink): { element: HTMLElement; update(model: PageModel): void } {
  let shown: LocalWriter | null = null;
  const work = createWorkView({
    pause: () => {},
    resume: () => {},
    cancel: () => shown && link.send({ type: "cancel", key: roleKey(shown) }),
    retry: () => shown && judge(link, shown),
    repair: () => {},
  });
  const why = h("p", { class: "note" }, t("verdictWhy"));
  const words = h("p", { class: "said", role: "status" });
  const begin = h("button", { type: "button", class: "secondary" }, t("verdictBegin"));
  begin.addEventListener("click", () => shown && judge(link, shown));
  const actions = h("div", { class: "actions" }, begin);
  const element = h("div", { class: "verdict" }, why, work.element, words, actions);
  return {
    element,
    update(model) {
      const { writer } = model.roles;
      shown = writer?.type === "local" ? writer : null;
      show(element, shown !== null);
      if (!shown) return;
      const { tier, title, name } = shown;
      const found = model.host.work[roleKey(shown)];
      const judging = found?.kind === "judge" ? found : null;
      const isWorking = judging?.phase === "working";
      work.draw(judging, title);
      show(why, isWorking);
      show(words, tier !== null && !isWorking);
      say(words, tier === null ? "" : t("verdictOf", called(title), t(TIERS[tier])));
      show(actions, tier === null && !isWorking && judging?.phase !== "failed");
      const result = found?.phase === "done" ? found.result : null;
      const stored = model.host.stock?.stored.find((one) => one.name === name);
      const known = (stored && fileOf(stored)?.verdict?.tier) ?? null;
      const told = result?.type === "judged" ? result.tier : result?.type === "tested" ? result.test.tier : known;
      if (told !== null && told !== tier) void noteTier(name, told);
    },
  };
}
