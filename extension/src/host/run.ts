import { type ErrorCode, PithError, type Progress } from "@pith/web";
import { toFailure } from "../failure.js";
import type { Job } from "../wire.js";

/** The progress of work that has not begun. */
export const WAITING: Progress = { stage: "queue", done: 0, total: 0 };

/** How much of a text there is. */
function extent(draft: object): number {
  const { text = "", written = null } = draft as { text?: string; written?: { lines: unknown[] } | null };
  return written?.lines.length ?? text.length;
}

/**
 * Runs one piece of work, and shows its job until it ends. The time of its result is the user's: `before_ms`, what loading
 * took, and the work. `kept`: what it came to before the host ended. The work is given what there is of it already. Null where the
 * work failed or was cancelled.
 */
export async function run<T extends { timeMs: number }>(
  signal: AbortSignal,
  show: (job: Job<T>) => void,
  work: (onProgress: (progress: Progress) => void, onDraft: (draft: T) => void, begun: T | null) => Promise<T>,
  { before_ms = 0, kept = null }: { before_ms?: number; kept?: T | null } = {},
): Promise<T | null> {
  const start_ms = performance.now() - before_ms;
  let drafted: { draft?: T } = kept ? { draft: kept } : {};
  let progress = WAITING;
  let isOver = false;
  // What the work has started may go on to tell when the work itself has failed.
  const working = (): void => {
    if (!signal.aborted && !isOver) show({ phase: "working", ...progress, ...drafted });
  };
  working();
  // Cancelling shows at once, whatever the work still does.
  const onAbort = (): void => show({ phase: "cancelled", ...drafted });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const attempt = (): Promise<T> =>
      work(
        (next) => {
          progress = next;
          working();
        },
        (draft) => {
          if (kept === null || extent(draft) >= extent(kept)) drafted = { draft };
          working();
        },
        drafted.draft ?? null,
      );
    const result = await attempt()
      .catch((error: unknown) => {
        // Another tab's page kept the worker from answering: on a new one this work is done once more.
        if (signal.aborted || !hasCode(error, "worker_replaced")) throw error;
        return attempt();
      })
      .finally(() => (isOver = true));
    if (signal.aborted) return null;
    const timed = { ...result, timeMs: performance.now() - start_ms };
    show({ phase: "done", result: timed });
    return timed;
  } catch (error) {
    if (!signal.aborted) show({ phase: "failed", error: toFailure(error), ...drafted });
    return null;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

export const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof PithError && error.code === code;
