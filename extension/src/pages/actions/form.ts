import {
  type ActionProblem,
  DIGITS,
  NAME_CHARS_MAX,
  type OwnAction,
  OWN_MAX,
  problemOf,
  PROMPT_CHARS_MAX,
} from "../../actions.js";
import { fillWith, h, say, set, show } from "../../ui/dom.js";
import { number, t } from "../../ui/words.js";

export interface FormActions {
  others(id: string): OwnAction[];
  save(action: OwnAction): Promise<void>;
}

/** What is wrong, in words. */
function sentence(problem: ActionProblem, { name, prompt }: OwnAction): string {
  switch (problem) {
    case "nameMissing":
      return t("own_nameMissing");
    case "nameTooLong":
      return t("own_nameTooLong", number(name.length), number(NAME_CHARS_MAX));
    case "promptMissing":
      return t("own_promptMissing");
    case "promptTooLong":
      return t("own_promptTooLong", number(prompt.length), number(PROMPT_CHARS_MAX));
    case "tooMany":
      return t("own_tooMany", number(OWN_MAX));
    case "digitTaken":
      return t("own_digitTaken");
  }
}

/** The form for one action: a new one, or one that is edited. */
export function createForm(
  form: HTMLFormElement,
  { others, save }: FormActions,
): { edit(action: OwnAction): void; forget(id: string): void; focus(): void } {
  const title = h("h2", { id: "form-title" });
  const name = h("input", { id: "name", type: "text", dir: "auto", autocomplete: "off", "aria-describedby": "wrong" });
  const prompt = h("textarea", { id: "prompt", dir: "auto", "aria-describedby": "prompt-note wrong" });
  const digit = h(
    "select",
    { id: "digit" },
    h("option", { value: "" }, t("ownNoShortcut")),
    ...DIGITS.map((one) => h("option", { value: one }, `Alt+Shift+${one}`)),
  );
  const wrong = h("p", { id: "wrong", class: "wrong", role: "alert" });
  const submit = h("button", { type: "submit", class: "primary" });
  const cancel = h("button", { type: "button", class: "quiet" }, t("cancel"));
  const field = (label: string, input: HTMLElement, ...notes: HTMLElement[]): HTMLElement =>
    h("div", { class: "field" }, h("label", { for: input.id }, label), input, ...notes);
  fillWith(
    form,
    title,
    field(t("ownName"), name),
    field(t("ownPrompt"), prompt, h("p", { id: "prompt-note", class: "note" }, t("ownPromptNote"))),
    field(t("ownShortcut"), digit),
    wrong,
    h("div", { class: "actions" }, submit, cancel),
  );
  set(form, "aria-labelledby", title.id);

  let id = "";
  const open = (action: OwnAction | null): void => {
    id = action?.id ?? crypto.randomUUID();
    name.value = action?.name ?? "";
    prompt.value = action?.prompt ?? "";
    digit.value = action?.digit ?? "";
    say(title, action ? t("ownEditTitle") : t("ownNewTitle"));
    say(submit, action ? t("ownSave") : t("ownAdd"));
    show(cancel, action !== null);
    complain(null);
  };
  const complain = (words: string | null, field?: HTMLElement): void => {
    say(wrong, words ?? "");
    show(wrong, words !== null);
    for (const one of [name, prompt, digit]) set(one, "aria-invalid", one === field ? "true" : null);
    field?.focus();
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const action = { id, name: name.value.trim(), prompt: prompt.value.trim(), digit: digit.value || null };
    const problem = problemOf(action, others(id));
    if (problem) {
      const place = problem.startsWith("name") ? name : problem.startsWith("prompt") ? prompt : digit;
      return complain(sentence(problem, action), problem === "tooMany" ? name : place);
    }
    open(null);
    void save(action).catch((error: unknown) => complain(t("own_notSaved", String(error))));
    name.focus();
  });
  cancel.addEventListener("click", () => open(null));
  open(null);
  return {
    edit(action) {
      open(action);
      name.focus();
      form.scrollIntoView({ block: "nearest" });
    },
    forget(gone) {
      if (gone === id) open(null);
    },
    focus: () => name.focus(),
  };
}
