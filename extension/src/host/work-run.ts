// A piece of work on a model, with its progress and its end.
import type { FetchOptions, Pauser, Progress } from "@pith/web";
import { toFailure } from "../failure.js";
import type { Work, WorkKind, WorkResult } from "../models-wire.js";

export interface Run {
  kind: WorkKind;
  stop: AbortController;
  pauser: Pauser;
  ended: Promise<void>;
}

/** What work is given to tell its progress, and to be ended. */
export interface WorkOptions extends FetchOptions {
  signal: AbortSignal;
  pauser: Pauser;
  onProgress(progress: Progress): void;
}

/** Runs work, shows its progress, and gives what became of it. */
export function watch(
  { kind, stop: { signal }, pauser }: Run,
  work: (options: WorkOptions) => Promise<WorkResult>,
  show: (work: Work) => void,
): Promise<Work> {
  let progress: Progress = { stage: "queue", done: 0, total: 0 };
  const working = (): void => {
    if (!signal.aborted) show({ kind, phase: "working", progress, paused: pauser.paused });
  };
  const onProgress = (next: Progress): void => {
    progress = next;
    working();
  };
  working();
  pauser.follow(working);
  return work({ signal, pauser, onProgress }).then(
    (result) => ({ kind, phase: "done", result }),
    (error: unknown) =>
      signal.aborted ? { kind, phase: "stopped" } : { kind, phase: "failed", error: toFailure(error) },
  );
}
