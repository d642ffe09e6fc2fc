// The reader's own actions: made, changed, ordered and deleted here.
import { type OwnAction, OWN_MAX, readActions, watchActions, writeActions } from "../../actions.js";
import { fillWith, h, part, say, show } from "../../ui/dom.js";
import { number, setLanguage, t } from "../../ui/words.js";
import { createForm } from "./form.js";

let actions: OwnAction[] = [];
const list = part("list");
const live = part("live");

async function save(next: OwnAction[], said: string): Promise<void> {
  actions = next;
  draw();
  await writeActions(next);
  say(live, said);
}

const form = createForm(part<HTMLFormElement>("form"), {
  others: (id) => actions.filter((one) => one.id !== id),
  async save(action) {
    const isKnown = actions.some(({ id }) => id === action.id);
    const next = isKnown ? actions.map((one) => (one.id === action.id ? action : one)) : [...actions, action];
    await save(next, t("ownSaved", action.name));
  },
});

async function remove(action: OwnAction): Promise<void> {
  if (!confirm(t("ownDeleteSure", action.name))) return;
  form.forget(action.id);
  await save(
    actions.filter(({ id }) => id !== action.id),
    t("ownDeleted", action.name),
  );
  form.focus();
}

async function move(action: OwnAction, by: number): Promise<void> {
  const at = actions.indexOf(action);
  const next = actions.toSpliced(at, 1).toSpliced(at + by, 0, action);
  await save(next, t("ownMoved", action.name, number(at + by + 1)));
  const row = list.children[at + by];
  const buttons = [...(row?.querySelectorAll<HTMLButtonElement>("[data-move]") ?? [])];
  const same = buttons.find(({ dataset, disabled }) => dataset["move"] === String(by) && !disabled);
  (same ?? buttons.find(({ disabled }) => !disabled))?.focus();
}

function rowOf(action: OwnAction, at: number): HTMLElement {
  const button = (label: string, run: () => void): HTMLButtonElement => {
    const made = h("button", { type: "button", class: "quiet", "aria-label": `${label}: ${action.name}` }, label);
    made.addEventListener("click", run);
    return made;
  };
  const mover = (label: string, by: number, isEnd: boolean): HTMLButtonElement => {
    const made = button(label, () => void move(action, by));
    made.dataset["move"] = String(by);
    made.disabled = isEnd;
    return made;
  };
  const keys = action.digit === null ? null : h("kbd", {}, `Alt+Shift+${action.digit}`);
  return h(
    "li",
    {},
    h("div", { class: "row" }, h("h2", { dir: "auto" }, action.name), keys),
    h("p", { class: "prompt", dir: "auto" }, action.prompt),
    h(
      "div",
      { class: "actions" },
      button(t("ownEdit"), () => form.edit(action)),
      mover(t("ownUp"), -1, at === 0),
      mover(t("ownDown"), 1, at === actions.length - 1),
      button(t("ownDelete"), () => void remove(action)),
    ),
  );
}

function draw(): void {
  fillWith(list, ...actions.map(rowOf));
  show(list, actions.length > 0);
  const empty = part("empty");
  show(empty, actions.length === 0 || actions.length >= OWN_MAX);
  say(empty, actions.length === 0 ? t("ownNone") : t("own_tooMany", number(OWN_MAX)));
}

setLanguage(t("ownActions"));
say(part("title"), t("ownActions"));
say(part("intro"), t("ownIntro"));
watchActions((next) => {
  // Another tab of this page changed them.
  if (JSON.stringify(next) === JSON.stringify(actions)) return;
  actions = next;
  draw();
});
void readActions().then((found) => {
  actions = found;
  draw();
});
