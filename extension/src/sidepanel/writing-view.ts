import type { Passage, Summary, SummaryLength, WrittenText } from "@pith/web";
import { allowedSummary, kindsFor, mayCompose } from "../allowed.js";
import { KINDS, LANGUAGES, LENGTHS } from "../settings.js";
import type { Job } from "../wire.js";
import type { Unwritten, Writing } from "../writing-wire.js";
import { fillWith, h, put, say, set, show } from "../ui/dom.js";
import { createProgress, drawFailure, retryOf } from "../ui/job.js";
import { type AnyStage, languageName, t } from "../ui/words.js";
import { namePages } from "./page-names.js";
import type { Model } from "./panel.js";
import { createLimits } from "./writer-limits.js";
import { createWrittenFacts } from "./written-facts.js";
import { createWrittenLines } from "./written-lines.js";

/** Kinds of which `length` says how many lines they have. */
const COUNTED: readonly string[] = ["keyPoints", "simple"];

/** What the buttons of the written summary do. */
export interface WritingActions {
  /** Writes anew: another variant, or another length. */
  write(change: { variant?: number; length?: SummaryLength }): void;
  /** Keeps the choice, and writes. */
  choose(change: { kind?: string; targetLanguage?: string | null }): void;
  cancel(): void;
  show(passage: Passage): void;
  openModels(): void;
}

/** Builds the summary in a language model's words; the returned function draws it. */
export function createWritingView(root: HTMLElement, actions: WritingActions): (model: Model) => void {
  const chip = h("span", { class: "chip" });
  const kinds = KINDS.map((kind) => h("option", { value: kind }, t(`kind_${kind}`)));
  const kind = h("select", { "aria-label": t("kind"), class: "small" }, ...kinds);
  kind.addEventListener("change", () => actions.choose({ kind: kind.value }));
  const names = LANGUAGES.map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) => a.name.localeCompare(b.name));
  const tags = names.map(({ tag, name }) => h("option", { value: tag }, name));
  const language = h("select", { "aria-label": t("targetLanguage"), class: "small" });
  put(language, h("option", { value: "" }, t("targetLanguage_page")), ...tags);
  language.addEventListener("change", () => actions.choose({ targetLanguage: language.value || null }));
  const heading = h("h2", {}, t("writtenSummary"), chip);
  const bar = h("div", { class: "writing-bar" }, kind, language);
  const limits = createLimits(actions.openModels);

  const lines = createWrittenLines(actions.show);
  const progress = createProgress(actions.cancel);
  const failure = h("div");
  const reason = h("p", { class: "reason" });
  const models = button(t("openModels"), actions.openModels);
  const begin = button(t("write"), () => actions.write({}));
  const again = button(t("writeAgain"), () => actions.write({ variant: (drawn?.variant ?? 0) + 1 }));
  const shorter = button(t("shorter"), () => step(-1));
  const longer = button(t("longer"), () => step(1));
  const buttons = h("div", { class: "actions" }, begin, again, shorter, longer, models);
  const facts = createWrittenFacts(true);
  fillWith(
    root,
    heading,
    bar,
    lines.element,
    reason,
    limits.element,
    progress.element,
    failure,
    buttons,
    facts.element,
  );
  set(root, "aria-label", t("writtenSummary"));

  let drawn: Writing | null = null;
  const step = (by: number): void => {
    const length = LENGTHS[LENGTHS.indexOf(drawn?.length ?? "medium") + by];
    if (length && drawn) actions.write({ length, variant: drawn.variant });
  };

  return ({ state, settings, marked, reading, gone }) => {
    const { writing, page } = state;
    drawn = writing;
    const job = writing?.job ?? null;
    const text = writtenOf(job);
    const isWorking = job?.phase === "working";
    const isDone = job?.phase === "done";
    const allowed = allowedSummary(settings);
    const offered = kindsFor(settings.writer);
    const canBegin = settings.writer !== null && state.summary?.phase === "done";
    show(root, !reading && (writing !== null || canBegin));
    for (const option of kinds) option.hidden = option.disabled = !offered.some((one) => one === option.value);
    kind.value = allowed?.kind ?? "";
    language.value = allowed?.targetLanguage ?? "";
    show(kind, offered.length > 1);
    show(language, mayCompose(settings.writer));
    limits.draw(settings.writer);
    // Without any kind there is one sentence, and no summary that it would stand in.
    for (const one of [heading, bar]) show(one, offered.length > 0 || writing !== null);
    show(chip, isWorking || job?.phase === "cancelled");
    say(chip, isWorking ? t("writing") : t("stoppedChip"));
    lines.draw(text, {
      language: writing?.targetLanguage ?? page?.language ?? null,
      pages: namePages({ state, gone }),
      marked,
      canShow: settings.marking !== "nothing",
    });
    set(lines.element, "data-kind", writing?.kind ?? null);
    show(lines.element, text !== null);
    show(progress.element, isWorking);
    if (job?.phase === "working") progress.draw(stageOf(job), job.done, job.total);
    const why = job?.phase === "done" ? reasonWords(job.result.notWritten, writing?.writer ?? "", writing) : null;
    show(reason, why !== null);
    say(reason, why ?? "");
    drawFailure(failure, job?.phase === "failed" ? job.error : null, [
      ...(job?.phase === "failed" ? [retryOf(job.error, () => actions.write({ variant: writing?.variant ?? 0 }))] : []),
      { label: t("openModels"), run: actions.openModels },
    ]);
    const isCounted = writing !== null && COUNTED.includes(writing.kind);
    const hasEnded = isDone || job?.phase === "cancelled";
    show(begin, writing === null && allowed !== null);
    show(again, hasEnded && (text !== null || job?.phase === "cancelled"));
    show(shorter, isDone && text !== null && isCounted && writing.length !== "short");
    show(longer, isDone && text !== null && isCounted && writing.length !== "long");
    // Beside the sentence on its limits there is a link.
    show(models, why !== null && (allowed === null || mayCompose(settings.writer)));
    show(
      buttons,
      [begin, again, models].some((one) => !one.hidden),
    );
    facts.draw(isDone ? text : null);
    set(root, "aria-busy", isWorking ? "true" : null);
  };
}

/** A page that does not fit into the context is read in parts. */
const stageOf = ({ stage, total }: Extract<Writing["job"], { phase: "working" }>): AnyStage =>
  stage === "prefill" && total > 1 ? "part" : stage;

/** What was written so far, by a job that is under way or has ended in any way; null before the first line. */
export function writtenOf(job: Job<Pick<Summary, "written" | "timeMs">> | null): WrittenText | null {
  const written = (job?.phase === "done" ? job.result : job?.draft)?.written ?? null;
  return written && written.lines.length > 0 ? written : null;
}

/** Sentences for the reasons why nothing was written. */
const REASONS: Record<Unwritten, string> = {
  modelTooWeak: "notWritten_modelTooWeak",
  noTemplate: "notWritten_noTemplate",
  languageNotKnown: "notWritten_languageNotKnown",
  contextTooSmall: "notWritten_contextTooSmall",
  nothingSupported: "notWritten_nothingSupported",
  notOnPage: "notWritten_notOnPage",
  nothingAdded: "notWritten_nothingAdded",
};

/** Why nothing was written. A model that may not write one kind may be able to shorten key sentences. */
export function reasonWords(why: Unwritten | null, writer: string, writing: Writing | null = null): string | null {
  if (why === null) return null;
  const isPlain = writing?.kind === "keyPoints" && writing.targetLanguage === null;
  if (why === "modelTooWeak" && writing && !isPlain) return t("notWritten_kindTooHard", writer);
  return t(REASONS[why], writer);
}

function button(label: string, run: () => void): HTMLButtonElement {
  const made = h("button", { type: "button", class: "secondary" }, label);
  made.addEventListener("click", run);
  return made;
}
