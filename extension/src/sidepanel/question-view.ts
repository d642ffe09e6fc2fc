import type { AnswerReason, Passage } from "@pith/web";
import type { Question } from "../wire.js";
import { fillWith, h, keyed, part, say, set, show } from "../ui/dom.js";
import { createProgress, drawFailure, type ProgressView, retryOf } from "../ui/job.js";
import type { Model } from "./panel.js";
import { createFold, type Fold } from "./fold.js";
import { namePages } from "./page-names.js";
import { drawPassages } from "./passages.js";
import { type AnswerFacts, createAnswerFacts } from "./ran-on.js";
import { createWrittenFacts, type WrittenFacts } from "./written-facts.js";
import { createWrittenLines, type WrittenLines } from "./written-lines.js";
import { reasonWords, writtenOf } from "./writing-view.js";
import { languageName, number, seconds, t } from "../ui/words.js";

/** What the answers' buttons do. */
export interface QuestionActions {
  cancel(id: number): void;
  retry(id: number): void;
  show(passage: Passage): void;
  openModels(): void;
}

interface Parts {
  progress: ProgressView;
  failure: HTMLElement;
  stopped: HTMLElement;
  lines: WrittenLines;
  facts: WrittenFacts;
  /** Why nothing was written. */
  reason: HTMLElement;
  another: HTMLElement;
  fold: Fold;
  nothing: HTMLElement;
  /** That the question is in another language than the page. */
  language: HTMLElement;
  closest: HTMLElement;
  note: HTMLElement;
  encoder: AnswerFacts;
  list: HTMLElement;
}

/** The sentence for an answer without passages. */
const WHY_NOTHING: Partial<Record<AnswerReason, string>> = { nothingToList: "nothingToList", tooVague: "tooVague" };
/** What is said of several pages in place of one. */
const OF_PAGES: Record<string, string> = {
  nothingFound: "nothingFoundPages",
  nothingToList: "nothingToListPages",
  answerTime_keySentences: "answerTime_keySentencesPages",
  answerTime_listed: "answerTime_listedPages",
};
/** The line under passages that are no direct answer. */
const WHAT: Partial<Record<AnswerReason, string>> = {
  keySentences: "answerTime_keySentences",
  listed: "answerTime_listed",
};

/** Passages to offer where nothing answers: for who wants to judge that. */
const CLOSEST_MAX = 3;

/** The message of a key, as it is said of the pages that were asked. */
const keyFor = (key: string, { pages }: Question): string => (pages ? (OF_PAGES[key] ?? key) : key);

/** That nothing answers a question. */
export const nothingWords = (question: Question, reason: AnswerReason = "notOnPage"): string =>
  t(keyFor(WHY_NOTHING[reason] ?? "nothingFound", question));

/** Before anything was found. */
const NONE = { passages: [], answered: true, reason: "answered", notWritten: null, askedIn: undefined } as const;

/** Builds the list of questions; the returned function draws it. */
export function createQuestionView(actions: QuestionActions): (model: Model) => void {
  const section = part("questions");
  const list = part("question-list");
  const parts = new WeakMap<Element, Parts>();
  say(part("questions-title"), t("questions"));
  fillWith(list);

  const again = (id: number, label: string): HTMLElement => {
    const button = h("button", { type: "button", class: "secondary" }, label);
    button.addEventListener("click", () => actions.retry(id));
    return button;
  };

  const make = ({ id, text }: Question): HTMLElement => {
    const list = h("ul", { class: "passages" });
    const note = h("p", { class: "note" });
    const made: Parts = {
      progress: createProgress(() => actions.cancel(id)),
      failure: h("div"),
      stopped: h("p", { class: "stopped" }, t("cancelled"), " ", again(id, t("retry"))),
      lines: createWrittenLines(actions.show),
      facts: createWrittenFacts(false),
      reason: h("p", { class: "reason" }),
      another: h("div", { class: "actions" }, again(id, t("anotherAnswer"))),
      fold: createFold(list, note),
      nothing: h("p", { class: "nothing" }),
      language: h("p", { class: "note" }),
      note,
      encoder: createAnswerFacts(),
      list,
      closest: h(
        "details",
        { class: "more", open: true },
        h("summary", {}, t("closestPassages")),
        h("ul", { class: "passages" }),
      ),
    };
    const { progress, failure, stopped, lines, facts, reason, another, fold, nothing, closest } = made;
    const item = h(
      "article",
      { class: "question" },
      h("h3", { dir: "auto" }, text),
      lines.element,
      progress.element,
      failure,
      stopped,
      reason,
      nothing,
      made.language,
      closest,
      fold.element,
      made.encoder.element,
      another,
      facts.element,
    );
    parts.set(item, made);
    return item;
  };

  const draw = (item: HTMLElement, question: Question, model: Model): void => {
    const [{ state, marked, settings }, { id, job, writer }] = [model, question];
    const found = parts.get(item);
    if (!found) return;
    const isDone = job.phase === "done";
    const result = isDone ? job.result : (job.draft ?? NONE);
    const { passages, answered, reason } = result;
    const best = answered ? passages : [];
    const near = isDone && !answered ? passages.slice(0, CLOSEST_MAX) : [];
    const text = writtenOf(job);
    const language = question.pages ? null : (state.page?.language ?? null);
    const canShow = settings.marking !== "nothing";
    const pages = namePages(model, question.pages !== undefined);
    const options = { pages, marked, canShow, onShow: actions.show };

    found.lines.draw(text, { language, pages, marked, canShow });
    show(found.lines.element, text !== null);
    found.facts.draw(isDone ? text : null);
    show(found.another, isDone && text !== null);
    show(found.progress.element, job.phase === "working");
    if (job.phase === "working") found.progress.draw(job.stage, job.done, job.total);
    const retry = job.phase === "failed" ? [retryOf(job.error, () => actions.retry(id))] : [];
    // What fails behind the passages is the language model.
    const models = job.phase === "failed" && job.draft ? [{ label: t("openModels"), run: actions.openModels }] : [];
    drawFailure(found.failure, job.phase === "failed" ? job.error : null, [...retry, ...models]);
    show(found.stopped, job.phase === "cancelled");
    const why = isDone && best.length > 0 ? reasonWords(result.notWritten, writer ?? "") : null;
    show(found.reason, why !== null);
    say(found.reason, why ?? "");
    show(found.nothing, isDone && best.length === 0);
    say(found.nothing, nothingWords(question, reason));

    const hasOther = isDone && result.askedIn !== undefined;
    show(found.language, hasOther);
    if (hasOther) say(found.language, t("askedInOther", languageName(job.result.language)));

    drawPassages(found.list, best, options);
    if (found.closest.lastElementChild instanceof HTMLElement)
      drawPassages(found.closest.lastElementChild, near, options);
    show(found.closest, near.length > 0);
    show(found.fold.element, best.length > 0);
    found.fold.draw(job.phase !== "working" && text !== null, t("passagesFold", number(best.length)));
    show(found.note, isDone || job.phase === "working");
    say(
      found.note,
      isDone ? t(keyFor(WHAT[reason] ?? "answerTime", question), seconds(job.result.timeMs)) : t("passagesSoFar"),
    );
    found.encoder.draw(isDone ? job.result : null, state.encoder);
    set(item, "aria-busy", job.phase === "working" ? "true" : null);
  };

  return (model) => {
    const { questions } = model.state;
    show(section, questions.length > 0);
    keyed(
      list,
      questions,
      ({ id }) => String(id),
      make,
      (item, question) => draw(item, question, model),
    );
  };
}
