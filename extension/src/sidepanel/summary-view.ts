import type { Comments, ErrorData, Passage, Summary } from "@pith/web";
import type { Job } from "../wire.js";
import { createCoverage } from "./coverage.js";
import { fillWith, h, put, say, set, show } from "../ui/dom.js";
import { createProgress, drawFailure, retryOf } from "../ui/job.js";
import type { Model } from "./panel.js";
import { createEncoderNote } from "./encoder-note.js";
import { createFold } from "./fold.js";
import { namePages } from "./page-names.js";
import { drawPassages } from "./passages.js";
import { kindOf } from "./kinds.js";
import { writtenOf } from "./writing-view.js";
import { list, number, seconds, shortcutWords, t } from "../ui/words.js";

/** What the summary's buttons do. */
export interface SummaryActions {
  summarize(): void;
  cancel(): void;
  retry(): void;
  chooseAutomatic(): void;
  show(passage: Passage): void;
  readPdf(): void;
  openModels(): void;
  /** Opens what is closed on the page and reads again. */
  unfold(): void;
}

/** Only a press in the toolbar opens a page, the browser's own stay closed, and a full conversation stays full: a button could not help. */
const NO_RETRY = ["page_needs_permission", "page_restricted", "pages_full", "pages_private"];

/** Builds the upper part of the panel; the returned function draws it. */
export function createSummaryView(root: HTMLElement, actions: SummaryActions): (model: Model) => void {
  const problem = h("div");
  const invite = createInvite(actions);
  const title = h("h1", { id: "page-title", dir: "auto" });
  const kind = h("p", { class: "kind" });
  const description = h("p", { dir: "auto" });
  const author = h("figure", { class: "author" }, h("figcaption", {}, t("fromAuthor")), description);
  const progress = createProgress(actions.cancel);
  const lines = h("ol", { class: "passages" });
  const failure = h("div");
  const stopped = h("p", { class: "stopped" }, t("cancelled"), " ");
  const facts = createFacts(actions);
  const again = h("button", { type: "button", class: "secondary" }, t("retry"));
  again.addEventListener("click", actions.retry);
  put(stopped, again);
  const comments = h("p", { class: "note", dir: "auto" });
  const heading = h("h2", {}, t("keySentences"));
  const fold = createFold(lines);
  const result = h("section", { class: "result" }, heading, fold.element, comments);
  // Filled by features/write-text.ts.
  const writing = h("section", { id: "writing", class: "writing", hidden: true });
  const article = h(
    "article",
    { "aria-labelledby": "page-title" },
    title,
    kind,
    author,
    progress.element,
    failure,
    stopped,
    writing,
    result,
    facts.element,
  );
  fillWith(root, problem, invite, article);

  const retries = (problem: ErrorData | null) => {
    if (problem && NO_RETRY.includes(problem.code)) return [];
    if (problem?.code === "page_pdf") return [{ label: t("pdfRead"), run: actions.readPdf }];
    return [{ label: t("retry"), run: actions.summarize }];
  };

  return (model) => {
    const { state, reading, settings, stopped: stoppedReading } = model;
    const job = state.summary;
    drawFailure(problem, reading ? null : model.problem, retries(model.problem), !state.page);
    const isElsewhere = model.gathering !== null || state.joined !== null;
    show(invite, !state.page && !model.problem && !reading && !stoppedReading && !isElsewhere);
    show(article, Boolean(state.page) || reading || stoppedReading);
    show(title, Boolean(state.page) && !reading);
    say(title, state.page?.title ?? "");
    set(title, "lang", state.page?.language ?? null);
    say(description, state.page?.description ?? "");
    set(description, "lang", state.page?.language ?? null);

    const working = reading || job?.phase === "working";
    show(progress.element, working);
    if (reading) progress.draw("read", model.pagesRead?.done ?? 0, model.pagesRead?.total ?? 0);
    else if (job?.phase === "working") progress.draw(job.stage, job.done, job.total);

    const failed = !reading && job?.phase === "failed" ? job.error : null;
    const automatic = settings.backend === "auto" ? [] : [{ label: t("useAutomatic"), run: actions.chooseAutomatic }];
    drawFailure(failure, failed, failed ? [retryOf(failed, actions.retry), ...automatic] : []);
    show(stopped, !reading && (stoppedReading || job?.phase === "cancelled"));

    const summary = reading ? null : summaryOf(job);
    // The first line says the same, with its place.
    show(author, Boolean(state.page?.description) && !reading && !summary?.isDescribed);
    const kindWords = summary && kindOf(summary);
    show(kind, Boolean(kindWords));
    say(kind, kindWords ?? "");
    show(result, Boolean(summary));
    drawPassages(lines, summary?.lines ?? [], {
      pages: namePages(model),
      marked: model.marked,
      canShow: settings.marking !== "nothing",
      onShow: actions.show,
    });
    const isWritten = state.writing?.job.phase === "done" && writtenOf(state.writing.job) !== null;
    show(heading, !isWritten);
    fold.draw(isWritten, t("keySentencesFold", number(summary?.lines.length ?? 0)));
    show(comments, Boolean(summary?.comments));
    say(comments, summary?.comments ? commentsLine(summary.comments) : "");
    facts.draw(summary, model);
  };
}

/** How many comments there are, and what they are about. */
const commentsLine = ({ count, about }: Comments): string =>
  about.length > 0 ? t("commentsAbout", number(count), list(about)) : t("comments", number(count));

/** The summary to show. */
export const summaryOf = (job: Job<Summary> | null): Summary | null => (job?.phase === "done" ? job.result : null);

function createInvite(actions: SummaryActions): HTMLElement {
  const button = h("button", { type: "button", class: "primary" }, t("summarizePage"));
  button.addEventListener("click", actions.summarize);
  return h(
    "div",
    { class: "invite" },
    h("h1", {}, t("invite")),
    h("p", {}, t("inviteHelp")),
    button,
    h("p", { class: "note" }, shortcutWords()),
  );
}

/** The small print: how much of the page, how long, and who finds the answers to questions where that is not plain. */
function createFacts({ openModels, unfold }: SummaryActions): {
  element: HTMLElement;
  draw(summary: Summary | null, model: Model): void;
} {
  const line = h("p");
  const coverage = createCoverage(unfold);
  const note = createEncoderNote(openModels);
  const element = h("footer", { class: "facts" }, line, coverage.element, note.element);
  return {
    element,
    draw(summary, { state: { page, encoder }, settings }) {
      coverage.draw(page?.coverage ?? null, page?.language ?? null);
      show(element, Boolean(summary));
      if (!summary) return;
      const { lines, sentences, leftOut, timeMs, language } = summary;
      note.draw(settings.encoder, encoder, language);
      const facts = t("facts", number(lines.length), number(sentences), seconds(timeMs));
      const isPart = leftOut.chars + leftOut.blocks + leftOut.sentences > 0;
      say(line, isPart ? `${facts} · ${t("factsPart")}` : facts);
    },
  };
}
