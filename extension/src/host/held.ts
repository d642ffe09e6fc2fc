// What a tab's state says about its work and its text.
import type { TabState } from "../wire.js";

export const isWorking = ({ summary, writing, questions, acts }: TabState): boolean =>
  [summary, writing?.job, ...[...questions, ...acts.flatMap(({ turns }) => turns)].map(({ job }) => job)].some(
    (job) => job?.phase === "working",
  );

/** Text of a page is held. */
export const holdsText = ({ page, acts }: TabState): boolean => page !== null || acts.length > 0;
