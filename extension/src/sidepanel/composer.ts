// What is sent about selected text: all of it can be edited before.
import {
  BUILT_IN,
  type BuiltIn,
  type OwnAction,
  PROMPT_CHARS_MAX,
  SELECTION_CHARS_MAX,
  type Selected,
} from "../actions.js";
import { ACTION_NAMES } from "../action-names.js";
import { actionsFor, mayActFreely, mayCompose } from "../allowed.js";
import type { Roles } from "../roles.js";
import { fillWith, h, put, say, set, show } from "../ui/dom.js";
import { openPage } from "../ui/open-page.js";
import { languageName, called, number, t } from "../ui/words.js";
import type { ActRequest } from "../acts-wire.js";

/** What is sent, but for what the panel knows. */
export type Composed = Omit<ActRequest, "act">;

export interface ComposerActions {
  send(request: Composed): void;
  closed(): void;
}

export interface Composer {
  /** The reader's own actions, and who writes. */
  know(own: readonly OwnAction[], writer: Roles["writer"]): void;
  open(action: string, selected: Selected): void;
  /** Turns to another action; false where the composer is closed. */
  choose(action: string): boolean;
  close(): void;
}

/** The instructions of the built-in actions. "$1" is a language. */
const PROMPTS: Record<BuiltIn, string> = {
  explain: "promptExplain",
  simplify: "promptSimplify",
  summarize: "promptSummarize",
  translate: "promptTranslate",
  define: "promptDefine",
};
/** Languages to translate into. */
const LANGUAGES = "en de fr es pt it nl pl ja zh ko ar hi".split(" ");

const isBuiltIn = (action: string): action is BuiltIn => BUILT_IN.some((one) => one === action);

export function createComposer(root: HTMLElement, { send, closed }: ComposerActions): Composer {
  const text = h("textarea", { id: "act-text", class: "quote", dir: "auto", rows: 4, maxlength: SELECTION_CHARS_MAX });
  const cut = h("p", { class: "note", role: "status" });
  const action = h("select", { id: "act-action" });
  const language = h("select", { id: "act-language" });
  const languageRow = h("div", { class: "setting" }, h("label", { for: language.id }, t("actLanguage")), language);
  const prompt = h("textarea", {
    id: "act-prompt",
    dir: "auto",
    rows: 3,
    maxlength: PROMPT_CHARS_MAX,
    "aria-describedby": "act-keys",
    enterkeyhint: "send",
  });
  const keys = h("p", { id: "act-keys", class: "note" }, t("actKeys"));
  const needs = h("p", { class: "note" });
  const models = h("button", { type: "button", class: "link" }, t("chooseModel"));
  const submit = h("button", { type: "submit", class: "primary" }, t("actSend"));
  const cancel = h("button", { type: "button", class: "quiet" }, t("cancel"));
  const edit = h("button", { type: "button", class: "quiet" }, t("ownActions"));
  const form = h(
    "form",
    { class: "composer", "aria-label": t("actTitle") },
    h("div", { class: "setting" }, h("label", { for: text.id }, t("actText")), text, cut),
    h("div", { class: "setting" }, h("label", { for: action.id }, t("actAction")), action),
    languageRow,
    h("div", { class: "setting" }, h("label", { for: prompt.id }, t("actPrompt")), prompt, keys),
    needs,
    h("div", { class: "row" }, h("div", { class: "actions" }, submit, cancel), edit),
  );
  fillWith(root, form);
  show(root, false);

  const own = new Map<string, OwnAction>();
  let writer: Roles["writer"] = null;
  let about: Pick<Selected, "title" | "language"> = { title: "", language: null };
  const here = new Intl.Locale(chrome.i18n.getUILanguage()).language;
  for (const tag of new Set([here, ...LANGUAGES])) put(language, h("option", { value: tag }, languageName(tag)));

  const draw = (): void => {
    show(languageRow, action.value === "translate");
    const isAlone = !writer && action.value !== "summarize";
    const words = needWords(writer, action.value);
    fillWith(needs, ...(words ? [words, " ", models] : []));
    submit.disabled = isAlone || text.value.trim() === "" || prompt.value.trim() === "";
  };
  const fill = (): void => {
    const chosen = action.value;
    prompt.value = isBuiltIn(chosen)
      ? t(PROMPTS[chosen], languageName(language.value))
      : (own.get(chosen)?.prompt ?? prompt.value);
    draw();
  };
  const close = (): void => {
    if (root.hidden) return;
    show(root, false);
    text.value = prompt.value = "";
  };
  const leave = (): void => {
    close();
    closed();
  };

  action.addEventListener("change", fill);
  language.addEventListener("change", fill);
  for (const field of [text, prompt]) field.addEventListener("input", draw);
  models.addEventListener("click", () => openPage("models"));
  edit.addEventListener("click", () => openPage("actions"));
  cancel.addEventListener("click", leave);
  form.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      leave();
    } else if (event.key === "Enter" && event.target === prompt && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    draw();
    if (submit.disabled) return;
    const name = action.selectedOptions[0]?.textContent ?? "";
    const isSummary = action.value === "summarize";
    send({ name, isSummary, text: text.value, instruction: prompt.value, ...about });
    leave();
  });

  const choose = (value: string): void => {
    action.value = value;
    // An own action may have been deleted since the menu was made.
    if (action.value === "") action.value = actionsFor(writer)[0] ?? "";
    fill();
  };
  return {
    know(actions, who) {
      const before = action.value;
      writer = who;
      own.clear();
      for (const one of mayActFreely(who) ? actions : []) own.set(one.id, one);
      fillWith(
        action,
        ...actionsFor(who).map((one) => h("option", { value: one }, t(ACTION_NAMES[one]))),
        ...[...own.values()].map(({ id, name }) => h("option", { value: id }, name)),
      );
      action.value = before;
      if (action.value === "") choose("");
      draw();
    },
    open(value, selected) {
      about = { title: selected.title, language: selected.language };
      text.value = selected.text;
      set(text, "lang", selected.language);
      const isCut = selected.chars > selected.text.length;
      say(cut, isCut ? t("actCut", number(selected.text.length), number(selected.chars)) : "");
      show(cut, isCut);
      show(root, true);
      choose(value);
      prompt.focus();
      root.scrollIntoView({ block: "nearest" });
    },
    choose(value) {
      if (root.hidden) return false;
      choose(value);
      prompt.focus();
      return true;
    },
    close,
  };
}

/** What cannot be done without a model, or with this one; null where all can. */
function needWords(writer: Roles["writer"], action: string): string | null {
  if (!writer) return t(action === "summarize" ? "actSentences" : "actNeedsModel");
  if (writer.type !== "local" || mayCompose(writer)) return null;
  return t(mayActFreely(writer) ? "actLimited" : "actLimitedMost", called(writer.title));
}
