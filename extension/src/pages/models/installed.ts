// What is stored, and what can be done with it.
import type { StoredModel, UnknownFile } from "@pith/web";
import { createDownload } from "../../models/download-view.js";
import type { ModelsLink, PageModel } from "../../models/link.js";
import { isEncoder, knownAt, titleOfStored, whereFrom } from "../../models/names.js";
import { createWorkView } from "../../models/work-view.js";
import { workKey } from "../../models-wire.js";
import { toFailure } from "../../failure.js";
import { ago, bytes } from "../../ui/amounts.js";
import { h, keyed, nameOf, part, say, sayName, set, show } from "../../ui/dom.js";
import { drawFailure } from "../../ui/job.js";
import { called, t } from "../../ui/words.js";
import { askToDelete } from "./delete.js";
import { exportModel } from "./files.js";

export function drawInstalled(link: ModelsLink): void {
  say(part("installed-title"), t("modelsInstalled"));
  say(part("installed-none"), t("modelsInstalledNone"));
  const list = part("installed-list");
  const updates = new Map<string, (one: StoredModel, model: PageModel) => void>();
  link.watch((model) => {
    const { stored = [], unknown = [] } = model.host.stock ?? {};
    show(part("installed-none"), model.host.stock !== null && stored.length + unknown.length === 0);
    const items = [...stored.filter(({ whole, bytes }) => whole || bytes > 0), ...unknown];
    keyed(
      list,
      items,
      ({ name }) => name,
      (item) => {
        if ("why" in item) return unknownRow(item, link);
        const { element, update } = row(item.name, link);
        updates.set(item.name, update);
        return element;
      },
      (_, item) => {
        if (!("why" in item)) updates.get(item.name)?.(item, model);
      },
    );
  });
}

function row(
  name: string,
  link: ModelsLink,
): { element: HTMLElement; update: (one: StoredModel, model: PageModel) => void } {
  let key = name;
  const title = h("h3", {});
  const writes = h("span", { class: "chip" }, t("modelsWrites"));
  const reads = h("span", { class: "chip" }, t("modelsReads"));
  const pinned = h("span", { class: "chip" }, t("modelsPinned"));
  const facts = h("p", { class: "facts" });
  const failure = h("div", {});
  const act = (run: () => void): HTMLButtonElement => {
    const made = h("button", { type: "button", class: "secondary" });
    made.addEventListener("click", run);
    return made;
  };
  const verify = (type: "verify" | "repair") => link.send({ type, key, name });
  const work = createWorkView({
    pause: () => link.send({ type: "pause", key }),
    resume: () => link.send({ type: "resume", key }),
    cancel: () => link.send({ type: "cancel", key }),
    retry: ({ kind }) => (kind === "test" ? test() : kind === "delete" ? remove() : verify("verify")),
    repair: () => verify("repair"),
  });
  const test = (): void => {
    const { backend } = link.model;
    link.send({ type: "test", key, name, prompt: t("modelsTestPrompt"), backend });
  };
  const remove = (): void => askToDelete(link, name, key, title.textContent ?? name, actions, question);
  const save = (): void => {
    exportModel(name).then(
      () => drawFailure(failure, null, []),
      (error: unknown) => drawFailure(failure, toFailure(error), [{ label: t("retry"), run: save }]),
    );
  };
  // A test writes a sentence.
  const testing = act(test);
  const buttons = [
    { button: testing, label: t("modelsTest"), whole: true },
    { button: act(() => verify("verify")), label: t("modelsVerify"), whole: true },
    { button: act(() => link.send({ type: "pin", name, pinned: !isPinned })), label: "", whole: true },
    { button: act(save), label: t("modelsExport"), whole: true },
    { button: act(remove), label: t("modelsDelete"), whole: false },
  ];
  let isPinned = false;
  const resume = createDownload(link, "secondary");
  const question = h("div", {});
  const actions = h("div", { class: "actions" }, ...buttons.map(({ button }) => button));
  const head = h("div", { class: "model-head" }, title, writes, reads, pinned);
  const element = h("li", { class: "model" }, head, facts, work.element, resume.element, failure, question, actions);
  return {
    element,
    update(one, model) {
      key = workKey(one);
      isPinned = one.pinned;
      const state = model.host.work[key] ?? model.host.work[name] ?? null;
      const isWorking = state?.phase === "working";
      const shown = titleOfStored(one, model);
      sayName(title, shown);
      const { writer, encoder } = model.roles;
      show(writes, writer?.type === "local" && writer.name === name);
      show(reads, encoder?.name === name);
      show(pinned, one.pinned);
      say(facts, factsOf(one, isWorking));
      // Of a download the view below shows the progress.
      const isShown = one.whole && state !== null && state.kind !== "download" && state.kind !== "judge";
      work.draw(isShown || state?.kind === "delete" ? state : null, shown);
      for (const { button, label, whole } of buttons) {
        const words = label || (isPinned ? t("modelsUnpin") : t("modelsPin"));
        say(button, words);
        set(button, "aria-label", t("modelsActionOf", words, called(shown)));
        show(button, (one.whole || !whole) && (button !== testing || isEncoder(one, model) !== true));
        button.disabled = isWorking;
      }
      const { url, totalBytes } = one;
      const sha256 = (url !== null && model.origins[url]?.sha256) || hashesOf(url, model);
      const remote = url === null ? null : { url, ...(sha256 && { sha256 }) };
      const offer = remote && !one.whole ? { remote, title: shown, bytes: totalBytes ?? one.bytes } : null;
      resume.update(offer, model);
      show(resume.element, offer !== null);
    },
  };
}

const hashesOf = (url: string | null, { hub }: PageModel): string[] | null => {
  const sha256 = knownAt(url, hub)?.sha256;
  return sha256 ? [sha256] : null;
};

function factsOf({ whole, bytes: there, totalBytes, url, lastUsedMs, files }: StoredModel, isWorking: boolean): string {
  const interrupted = isWorking ? null : t("modelsInterrupted", bytes(there), bytes(totalBytes ?? there));
  const state = whole ? t("modelsComplete") : interrupted;
  const used = lastUsedMs > 0 ? t("modelsLastUsed", ago(lastUsedMs)) : null;
  const parts = [whole ? bytes(there) : null, state, files > 1 ? t("modelsFiles", files) : null, used, whereFrom(url)];
  return parts.filter((one) => one !== null).join(" · ");
}

function unknownRow({ name, bytes: size, why }: UnknownFile, link: ModelsLink): HTMLElement {
  const question = h("div", {});
  const button = h("button", { type: "button", class: "secondary" }, t("modelsDelete"));
  const actions = h("div", { class: "actions" }, button);
  set(button, "aria-label", t("modelsActionOf", t("modelsDelete"), called(name)));
  button.addEventListener("click", () => askToDelete(link, name, name, name, actions, question));
  const note = h("p", { class: "said bad" }, t("modelsUnknown"));
  const detail = h("p", { class: "note", lang: "en", dir: "ltr" }, why);
  return h(
    "li",
    { class: "model" },
    h("h3", {}, nameOf(name)),
    h("p", { class: "facts" }, bytes(size)),
    note,
    detail,
    question,
    actions,
  );
}
