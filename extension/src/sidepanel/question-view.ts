import type { AnswerReason, Passage } from "@pith/web";
import type { Question } from "../wire.js";
import { h, keyed, part, say, set, show } from "../ui/dom.js";
import { createProgress, drawFailure, type ProgressView } from "../ui/job.js";
import type { Model } from "./panel.js";
import { drawPassages } from "./passages.js";
import { languageName, seconds, t } from "../ui/words.js";

/** What the answers' buttons do. */
export interface QuestionActions {
  cancel(id: number): void;
  retry(id: number): void;
  show(passage: Passage): void;
}

interface Parts {
  progress: ProgressView;
  failure: HTMLElement;
  stopped: HTMLElement;
  nothing: HTMLElement;
  closest: HTMLElement;
  note: HTMLElement;
  /** That the model took no part. */
  keywords: HTMLElement;
  list: HTMLElement;
}

/** The sentence for an answer without passages. */
const WHY_NOTHING: Partial<Record<AnswerReason, string>> = { nothingToList: "nothingToList", tooVague: "tooVague" };
/** The line under passages that are no direct answer. */
const WHAT: Partial<Record<AnswerReason, string>> = {
  keySentences: "answerTime_keySentences",
  listed: "answerTime_listed",
};

/** Passages to offer where nothing answers: for who wants to judge that. */
const CLOSEST_MAX = 3;

/** Builds the list of questions; the returned function draws it. */
export function createQuestionView(actions: QuestionActions): (model: Model) => void {
  const section = part("questions");
  const list = part("question-list");
  const parts = new WeakMap<Element, Parts>();
  say(part("questions-title"), t("questions"));
  list.replaceChildren();

  const make = ({ id, text }: Question): HTMLElement => {
    const again = h("button", { type: "button", class: "secondary" }, t("retry"));
    again.addEventListener("click", () => actions.retry(id));
    const made: Parts = {
      progress: createProgress(() => actions.cancel(id)),
      failure: h("div"),
      stopped: h("p", { class: "stopped" }, t("cancelled"), " ", again),
      nothing: h("p", { class: "nothing" }),
      note: h("p", { class: "note" }),
      keywords: h("p", { class: "note" }),
      list: h("ul", { class: "passages" }),
      closest: h("details", { class: "more" }, h("summary", {}, t("closestPassages")), h("ul", { class: "passages" })),
    };
    const { progress, failure, stopped, nothing, note, keywords, closest } = made;
    const title = h("h3", { dir: "auto" }, text);
    const item = h(
      "article",
      { class: "question" },
      title,
      progress.element,
      failure,
      stopped,
      nothing,
      closest,
      made.list,
      note,
      keywords,
    );
    parts.set(item, made);
    return item;
  };

  const draw = (item: HTMLElement, { id, job }: Question, { state, marked, settings }: Model): void => {
    const found = parts.get(item);
    if (!found) return;
    const none = { passages: [], answered: true, reason: "answered" } as const;
    const { passages, answered, reason } = job.phase === "done" ? job.result : none;
    const best = answered ? passages : [];
    const near = answered ? [] : passages.slice(0, CLOSEST_MAX);
    show(found.progress.element, job.phase === "working");
    if (job.phase === "working") found.progress.draw(job.stage, job.done, job.total);
    drawFailure(found.failure, job.phase === "failed" ? job.error : null, [
      { label: t("retry"), run: () => actions.retry(id) },
    ]);
    show(found.stopped, job.phase === "cancelled");
    show(found.nothing, job.phase === "done" && best.length === 0);
    say(found.nothing, t(WHY_NOTHING[reason] ?? "nothingFound"));
    const options = {
      language: state.page?.language ?? null,
      marked,
      canShow: settings.marking !== "nothing",
      pageStarts: state.page?.pageStarts,
      onShow: actions.show,
    };
    drawPassages(found.list, best, options);
    if (found.closest.lastElementChild instanceof HTMLElement)
      drawPassages(found.closest.lastElementChild, near, options);
    show(found.closest, near.length > 0);
    show(found.list, best.length > 0);
    show(found.note, best.length > 0);
    if (job.phase === "done") say(found.note, t(WHAT[reason] ?? "answerTime", seconds(job.result.timeMs)));
    const unread = job.phase === "done" && job.result.withoutEncoder === "unknownLanguage";
    show(found.keywords, unread);
    if (unread) say(found.keywords, t("answerWithoutModel", languageName(job.result.language)));
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
