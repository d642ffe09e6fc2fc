// Says aloud, for those who do not see the panel, what has come: once each, not every step of the way.
import type { Job } from "../wire.js";
import { part, say } from "../sidepanel/dom.js";
import type { Feature, Model } from "../sidepanel/panel.js";
import { progressWords, t } from "../sidepanel/words.js";

export const announce: Feature = {
  id: "announce",
  init(panel, signal) {
    const live = part("live");
    panel.watch((model, before) => {
      // A problem is said by its own alert: what was said before is true no more.
      if (model.problem && !before.problem) return say(live, "");
      const news = summaryNews(model, before) ?? answerNews(model, before) ?? markNews(model, before);
      if (news) say(live, news);
    }, signal);
  },
};

function summaryNews(now: Model, before: Model): string | null {
  if (now.reading && !before.reading) return progressWords("read", 0, 0);
  if (now.stopped && !before.stopped) return t("cancelled");
  const job = now.state.summary;
  const old = before.state.summary;
  if (!job || job === old) return null;
  if (job.phase === "done" && old?.phase === "working") return t("summaryReady", job.result.lines.length);
  if (job.phase === "cancelled" && old?.phase === "working") return t("cancelled");
  if (job.phase !== "working") return null;
  if (job.draft && !draftOf(old)) return t("summaryDraft", job.draft.lines.length);
  return old?.phase === "working" && old.stage === job.stage ? null : progressWords(job.stage, 0, 0);
}

function draftOf<T>(job: Job<T> | null): T | undefined {
  return job && job.phase !== "done" ? job.draft : undefined;
}

function answerNews(now: Model, before: Model): string | null {
  for (const { id, job } of now.state.questions) {
    const old = before.state.questions.find((one) => one.id === id)?.job;
    if (job.phase !== "done" || old?.phase !== "working") continue;
    const { answered, passages } = job.result;
    return answered && passages.length > 0 ? t("answerReady", passages.length) : t("nothingFound");
  }
  return null;
}

function markNews(now: Model, before: Model): string | null {
  return now.marked !== null && now.marked !== before.marked ? t("passageShown") : null;
}

// Try it on: any page, with a screen reader running.
