// When a summary or an answer is there, what it cites is looked at again: it is on the page still, and it is drawn there.
import type { Feature, Panel } from "../sidepanel/panel.js";
import { sourceKey } from "../sidepanel/panel.js";
import type { Question, Source, TabState } from "../wire.js";
import { summaryOf } from "../sidepanel/summary-view.js";

/** How often a result is made again without what is not drawn: what is cited then is looked at as well. */
const ROUNDS_MAX = 3;
/** More than this is not looked at for one result. */
const SOURCES_MAX = 40;

/** What a summary cites of the tab's own page, with what was written about it. */
function citedBySummary({ summary, writing }: TabState): Source[] {
  const written = writing?.job.phase === "done" ? (writing.job.result.written?.passages ?? []) : [];
  return [...(summaryOf(summary)?.lines ?? []), ...written];
}

function citedByAnswer({ job }: Question): Source[] {
  return job.phase === "done" && job.result.answered
    ? [...job.result.passages, ...(job.result.written?.passages ?? [])]
    : [];
}

/** Looks at what is cited, tells what is gone, and has the result made again without what is not drawn. */
async function compare(panel: Panel, key: string, sources: readonly Source[], mayLeaveOut: boolean): Promise<number[]> {
  const own = sources.filter(({ page }) => page === undefined).slice(0, SOURCES_MAX);
  const places = own.flatMap((whole) =>
    (whole.parts ?? [whole]).map(({ block, start, end, text }) => ({ whole, part: { block, start, end, text } })),
  );
  const { gone, blank } = await panel.page.compare(
    key,
    places.map(({ part }) => part),
  );
  if (panel.model.state.page?.key !== key) return [];
  const isGone = new Set(gone.map((at) => sourceKey(places[at]!.whole)));
  const looked = new Set(own.map(sourceKey));
  const others = [...panel.model.gone].filter((one) => !looked.has(one));
  if (isGone.size > 0 || others.length < panel.model.gone.size) panel.update({ gone: new Set([...others, ...isGone]) });
  return mayLeaveOut ? [...new Set(blank.map((at) => places[at]!.part.block))] : [];
}

export const lookAgain: Feature = {
  id: "look-again",
  init(panel, signal) {
    /** What was looked at last of a result, and how often it was made again. */
    const known = new Map<string, { cited: string; rounds: number }>();
    let last = Promise.resolve();
    const lookAt = (question: number | null, sources: readonly Source[]): void => {
      const { page, joined } = panel.model.state;
      if (!page || joined || sources.length === 0) return;
      const id = `${question ?? ""} ${page.key}`;
      const cited = sources.map(sourceKey).join(" ");
      const before = known.get(id);
      if (before?.cited === cited) return;
      const rounds = (before?.rounds ?? 0) + 1;
      known.set(id, { cited, rounds });
      last = last.then(async () => {
        const blocks = await compare(panel, page.key, sources, rounds <= ROUNDS_MAX);
        if (blocks.length === 0 || signal.aborted) return;
        await panel.host.send({ type: "leaveOut", blocks, question, settings: panel.model.settings });
      });
      last = last.catch(() => {});
    };
    panel.watch(({ state }) => {
      const { summary, writing, questions } = state;
      if (summary?.phase === "done" && writing?.job.phase !== "working") lookAt(null, citedBySummary(state));
      for (const question of questions) lookAt(question.id, citedByAnswer(question));
    }, signal);
  },
};

// Try it on: a page whose text has the color of its picture, a page that takes a sentence away after it was read.
