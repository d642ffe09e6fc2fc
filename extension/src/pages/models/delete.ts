// The question before a model is deleted.
import type { ModelsLink } from "../../models/link.js";
import { forget } from "../../models/origins.js";
import { changeRoles, readRoles } from "../../roles.js";
import { fillWith, h, put, show } from "../../ui/dom.js";
import { called, t } from "../../ui/words.js";

/** Asks in the place of the buttons. Escape keeps the model. */
export function askToDelete(
  link: ModelsLink,
  name: string,
  key: string,
  title: string,
  actions: HTMLElement,
  place: HTMLElement,
): void {
  const from = document.activeElement as HTMLElement | null;
  const end = (): void => {
    fillWith(place);
    show(actions, true);
    from?.focus();
  };
  const yes = h("button", { type: "button", class: "primary" }, t("modelsDelete"));
  const no = h("button", { type: "button", class: "secondary" }, t("modelsKeep"));
  yes.addEventListener("click", () => {
    end();
    link.send({ type: "delete", key, name });
    void forgetWriter(name);
    void forget(key);
  });
  no.addEventListener("click", end);
  const words = t("modelsDeleteAsk", called(title));
  const group = h("div", { class: "ask", role: "group", "aria-label": words }, h("p", {}, words));
  put(group, h("div", { class: "actions" }, yes, no));
  group.addEventListener("keydown", ({ key }) => key === "Escape" && end());
  show(actions, false);
  fillWith(place, group);
  no.focus();
}

/**
 * A model that is gone does not write any more. An encoder stays chosen: the panel says that the built-in one reads in its
 * place, and it reads again once it was downloaded again.
 */
async function forgetWriter(name: string): Promise<void> {
  const { writer } = await readRoles();
  if (writer?.type === "local" && writer.name === name) await changeRoles({ writer: null });
}
