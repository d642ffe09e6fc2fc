// What was asked of selected texts: the text, the instructions, the answers, and a way to ask on.
import { PROMPT_CHARS_MAX } from "../actions.js";
import { h, keyed, part, say, set, show } from "../ui/dom.js";
import { createProgress, drawFailure, type ProgressView } from "../ui/job.js";
import { openPage } from "../ui/open-page.js";
import { seconds, t } from "../ui/words.js";
import type { Act, ActTurn, Written } from "../acts-wire.js";
import type { Job } from "../wire.js";

export interface ActActions {
  cancel(id: number): void;
  close(id: number): void;
  askOn(id: number, instruction: string): void;
}

interface TurnParts {
  progress: ProgressView;
  failure: HTMLElement;
  stopped: HTMLElement;
  text: HTMLElement;
  sentences: HTMLElement;
  note: HTMLElement;
  copy: HTMLButtonElement;
}

/** Characters of a selection that are shown before it is unfolded. */
const SHOWN_CHARS = 240;

/** Builds the list; the returned function draws it. */
export function createActView(list: HTMLElement, actions: ActActions): (acts: readonly Act[]) => void {
  const turnParts = new WeakMap<Element, TurnParts>();

  const makeTurn = (id: number, turn: ActTurn, at: number): HTMLElement => {
    const copy = h("button", { type: "button", class: "quiet" }, t("copy"));
    const made: TurnParts = {
      progress: createProgress(() => actions.cancel(id)),
      failure: h("div"),
      stopped: h("p", { class: "stopped" }, t("cancelled")),
      text: h("div", { class: "answer", dir: "auto" }),
      sentences: h("ul", { class: "answer" }),
      note: h("p", { class: "note" }),
      copy,
    };
    copy.addEventListener("click", () => void copyText(made));
    const { progress, failure, stopped, text, sentences, note } = made;
    const asked = h("p", { class: at === 0 ? "asked first" : "asked", dir: "auto" }, turn.instruction);
    const foot = h("div", { class: "row" }, note, copy);
    const item = h("div", { class: "turn" }, asked, progress.element, failure, text, sentences, stopped, foot);
    turnParts.set(item, made);
    return item;
  };

  const drawTurn = (item: HTMLElement, { job }: ActTurn): void => {
    const found = turnParts.get(item);
    if (!found) return;
    const written = writtenOf(job);
    show(found.progress.element, job.phase === "working");
    if (job.phase === "working") found.progress.draw(job.stage, job.done, job.total);
    const isLost = job.phase === "failed" && ["no_writer", "writer_gone"].includes(job.error.code);
    const choose = { label: t("chooseModel"), run: () => openPage("models") };
    drawFailure(found.failure, job.phase === "failed" ? job.error : null, isLost ? [choose] : []);
    show(found.stopped, job.phase === "cancelled");
    say(found.text, written?.text ?? "");
    show(found.text, Boolean(written?.text));
    const sentences = written?.sentences ?? [];
    keyed(
      found.sentences,
      sentences,
      (one) => one,
      (one) => h("li", { dir: "auto" }, one),
    );
    show(found.sentences, sentences.length > 0);
    show(found.copy, job.phase !== "working" && written !== null);
    say(found.note, job.phase === "done" ? noteOf(job.result) : "");
    set(item, "aria-busy", job.phase === "working" ? "true" : null);
  };

  const make = (act: Act): HTMLElement => {
    const close = h("button", { type: "button", class: "quiet" }, t("actClose"));
    close.addEventListener("click", () => {
      actions.close(act.id);
      part("reading").focus();
    });
    const title = h("h2", { id: `act-${act.id}` }, act.name);
    const isLong = act.text.length > SHOWN_CHARS;
    const start = h("blockquote", { class: "selected", dir: "auto" }, isLong ? firstOf(act.text) : act.text);
    const all = h("blockquote", { class: "selected", dir: "auto" }, act.text);
    const quote = isLong ? h("details", { class: "more" }, h("summary", {}, start), all) : start;
    const input = h("input", {
      type: "text",
      dir: "auto",
      autocomplete: "off",
      maxlength: PROMPT_CHARS_MAX,
      "aria-label": t("actAskOn"),
      placeholder: t("actAskOn"),
      enterkeyhint: "send",
    });
    const ask = h("button", { type: "submit", class: "primary" }, t("askSubmit"));
    const form = h("form", { class: "ask-row" }, input, ask);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const instruction = input.value.trim();
      if (!instruction) return;
      input.value = "";
      actions.askOn(act.id, instruction);
    });
    const head = h("div", { class: "row" }, title, close);
    return h("article", { class: "act", "aria-labelledby": title.id }, head, quote, h("div", { class: "turns" }), form);
  };

  const draw = (item: HTMLElement, { id, turns }: Act): void => {
    const place = item.querySelector(".turns");
    const form = item.querySelector("form");
    if (!place || !form) return;
    const numbered = turns.map((turn, at) => ({ turn, at }));
    keyed(
      place,
      numbered,
      ({ at }) => String(at),
      ({ turn, at }) => makeTurn(id, turn, at),
      (element, { turn }) => drawTurn(element, turn),
    );
    // Key sentences have no author who could be asked on.
    const isWritten = turns.some(({ job }) => job.phase === "done" && job.result.text !== "");
    show(form, isWritten && turns.at(-1)?.job.phase !== "working");
  };

  return (acts) => {
    show(part("acts"), acts.length > 0);
    keyed(list, acts, ({ id }) => String(id), make, draw);
  };
}

const firstOf = (text: string): string => `${text.slice(0, SHOWN_CHARS).trimEnd()}…`;

function writtenOf(job: Job<Written>): Written | null {
  return job.phase === "done" ? job.result : (job.draft ?? null);
}

function noteOf({ ending, sentences, timeMs }: Written): string {
  const time = seconds(timeMs);
  if (sentences.length > 0) return t("actSentencesDone", time);
  return t({ whole: "actDone", length: "actCutOff", loop: "actLoop" }[ending], time);
}

async function copyText({ text, sentences, copy }: TurnParts): Promise<void> {
  const lines = [...sentences.children].map((one) => one.textContent ?? "");
  const said = await navigator.clipboard.writeText(text.textContent || lines.join("\n")).then(
    () => t("copied"),
    () => t("copyFailed"),
  );
  say(copy, said);
  say(part("live"), said);
}
