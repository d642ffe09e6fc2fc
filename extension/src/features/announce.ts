// Announces results to screen readers: once each, not every step on the way.
import { part, say } from "../ui/dom.js";
import type { Feature, Model } from "../sidepanel/panel.js";
import { nothingWords } from "../sidepanel/question-view.js";
import { reasonWords, writtenOf } from "../sidepanel/writing-view.js";
import { progressWords, t } from "../ui/words.js";

export const announce: Feature = {
  id: "announce",
  init(panel, signal) {
    const live = part("live");
    const news = new News(panel.model);
    panel.watch((model, before) => {
      // A problem has an alert of its own, and what was announced before is no longer true.
      if (model.problem && !before.problem) return say(live, "");
      const words = news.of(model, before);
      if (words) say(live, words);
    }, signal);
  },
};

/** What has to be announced. A quick job can be done before the panel hears that it began. */
class News {
  /** The summary that is shown was announced, or was there when the panel opened. */
  #isSummaryKnown: boolean;
  /** The same for answers, by the ids of their questions. */
  readonly #knownAnswers: Set<number>;

  constructor({ state }: Model) {
    this.#isSummaryKnown = state.summary?.phase === "done";
    this.#knownAnswers = new Set(state.questions.filter(({ job }) => job.phase === "done").map(({ id }) => id));
  }

  of(now: Model, before: Model): string | null {
    return this.#summary(now, before) ?? writing(now, before) ?? this.#answer(now, before) ?? mark(now, before);
  }

  #summary(now: Model, before: Model): string | null {
    if (now.reading) {
      this.#isSummaryKnown = false;
      return before.reading ? null : progressWords("read", 0, 0);
    }
    if (now.stopped && !before.stopped) return t("cancelled");
    const job = now.state.summary;
    const old = before.state.summary;
    if (job?.phase === "working") this.#isSummaryKnown = false;
    if (!job || (job === old && !before.reading)) return null;
    if (job.phase === "done") {
      if (this.#isSummaryKnown) return null;
      this.#isSummaryKnown = true;
      return t("summaryReady", job.result.lines.length);
    }
    if (job.phase === "cancelled" && old?.phase === "working") return t("cancelled");
    if (job.phase !== "working") return null;
    return old?.phase === "working" && old.stage === job.stage ? null : progressWords(job.stage, 0, 0);
  }

  #answer(now: Model, before: Model): string | null {
    let words = null;
    for (const question of now.state.questions) {
      const { id, job } = question;
      if (job.phase !== "done") {
        this.#knownAnswers.delete(id);
        const old = before.state.questions.find((one) => one.id === id)?.job ?? null;
        if (job.phase === "working" && writtenOf(job) && !writtenOf(old)) words = t("firstLine");
        if (job.phase === "cancelled" && old?.phase === "working") words = t("cancelled");
      } else if (!this.#knownAnswers.has(id)) {
        this.#knownAnswers.add(id);
        const { answered, passages } = job.result;
        const text = writtenOf(job);
        if (text) words = t("answerWritten", text.lines.length);
        else words = answered && passages.length > 0 ? t("answerReady", passages.length) : nothingWords(question);
      }
    }
    return words;
  }
}

/** The text of a language model: when its first line is there, and when it is done. */
function writing({ state: { writing: now } }: Model, { state: { writing: old } }: Model): string | null {
  if (!now || now.job === old?.job) return null;
  const { job } = now;
  const text = writtenOf(job);
  if (job.phase === "done")
    return text ? t("writingReady", text.lines.length) : reasonWords(job.result.notWritten, now.writer, now);
  if (job.phase === "cancelled") return old?.job.phase === "working" ? t("cancelled") : null;
  if (job.phase !== "working") return null;
  if (old?.job.phase !== "working") return t("writingBegins", now.writer);
  return text && !writtenOf(old.job) ? t("firstLine") : null;
}

function mark(now: Model, before: Model): string | null {
  return now.marked !== null && now.marked !== before.marked ? t("passageShown") : null;
}

// Try it on: any page, with a screen reader running.
