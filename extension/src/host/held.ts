// What a tab's state says about its work and its text.
import type { ReadPage, TabState } from "../wire.js";

export const isWorking = ({ summary, writing, questions, acts }: TabState): boolean =>
  [summary, writing?.job, ...[...questions, ...acts.flatMap(({ turns }) => turns)].map(({ job }) => job)].some(
    (job) => job?.phase === "working",
  );

/** Text of a page is held. */
export const holdsText = ({ page, acts }: TabState): boolean => page !== null || acts.length > 0;

/** What panels show of a page. */
export function shownOf({ key, page, coverage, part = null, pageStarts, times }: ReadPage): TabState["page"] {
  const { title, description = null, language = null } = page;
  const places = { ...(pageStarts && { pageStarts }), ...(times && { times }) };
  return { key, title, description, language, coverage, part, ...places };
}
