// What to do with a file that was just added: the choice, where the reader is.
import { chooseEncoder, chooseWriter } from "../../models/choose.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { asEncoder, asWriter, isEncoder, titleOfStored } from "../../models/names.js";
import { createVerdict } from "../../models/verdict-view.js";
import { h, say, show } from "../../ui/dom.js";
import { called, t } from "../../ui/words.js";

export interface NextStep {
  element: HTMLElement;
  /** A file was added under this name; null takes the step away. */
  offer(name: string | null): void;
}

export function createNextStep(link: ModelsLink): NextStep {
  const words = h("p", { class: "said good", role: "status" });
  const button = h("button", { type: "button", class: "primary" });
  const actions = h("div", { class: "actions" }, button);
  const verdict = createVerdict(link);
  const element = h("div", { class: "next-step" }, words, actions, verdict.element);
  let added: string | null = null;
  let choose = (): void => {};
  button.addEventListener("click", () => choose());

  const draw = (model: PageModel): void => {
    const stored = model.host.stock?.stored.find(({ name, whole }) => whole && name === added);
    show(element, stored !== undefined);
    if (!stored) return;
    const reads = isEncoder(stored, model);
    const { writer, encoder } = model.roles;
    const isWriter = writer?.type === "local" && writer.name === stored.name;
    const isReader = encoder?.name === stored.name;
    const title = titleOfStored(stored, model);
    say(words, wordsFor(title, reads, isWriter, isReader));
    say(button, t(reads ? "modelsLetRead" : "modelsLetWrite", called(title)));
    show(actions, reads !== null && !isWriter && !isReader);
    choose = () =>
      reads ? chooseEncoder(link, asEncoder(stored, model)) : chooseWriter(link, asWriter(stored, model));
    verdict.update(model);
    if (!isWriter) show(verdict.element, false);
  };
  link.watch(draw);
  return {
    element,
    offer(name) {
      added = name;
      draw(link.model);
    },
  };
}

function wordsFor(title: string, reads: boolean | null, isWriter: boolean, isReader: boolean): string {
  if (isWriter) return t("modelsFileIsWriter", called(title));
  if (isReader) return t("modelsFileIsReader", called(title));
  if (reads === null) return t("modelsFileStored", called(title));
  return t(reads ? "modelsFileCanRead" : "modelsFileCanWrite", called(title));
}
