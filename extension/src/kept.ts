// What a panel keeps when the host ends: all that it shows. The next host takes it over with the first message that needs it.
import { problem } from "./failure.js";
import type { Job, TabState } from "./wire.js";
import type { Writing, WrittenSummary } from "./writing-wire.js";

/** The state with everything that was under way ended, and left as far as it came. */
export function interrupted(state: TabState): TabState {
  const end = <T>(job: Job<T>): Job<T> =>
    job.phase === "working"
      ? { phase: "failed", error: problem("host_lost").toData(), ...(job.draft && { draft: job.draft }) }
      : job;
  const { summary, writing, questions, acts } = state;
  return {
    ...state,
    summary: summary && end(summary),
    writing: writing && { ...writing, job: end(writing.job) },
    questions: questions.map((one) => ({ ...one, job: end(one.job) })),
    acts: acts.map((act) => ({ ...act, turns: act.turns.map((turn) => ({ ...turn, job: end(turn.job) })) })),
    joined: null,
  };
}

/** What a job that the host lost had come to; it stays in sight until there is as much again. */
export const keptOf = <T>(job: Job<T> | null | undefined): T | null =>
  job?.phase === "failed" && job.error.code === "host_lost" ? (job.draft ?? null) : null;

/** The same of a written summary, if the same is wished for. */
export function keptWriting(
  writing: Writing | null,
  wish: Omit<Writing, "writer" | "tier" | "job">,
): WrittenSummary | null {
  const keys = ["kind", "length", "targetLanguage", "variant"] as const;
  return writing && keys.every((key) => writing[key] === wish[key]) ? keptOf(writing.job) : null;
}
