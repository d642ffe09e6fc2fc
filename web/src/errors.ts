import type { ErrorCode as WorkerCode } from "./protocol.gen.js";

/** Codes of the client itself. */
export type ClientCode =
  "bad_argument" | "worker_start" | "worker_died" | "worker_stuck" | "worker_replaced" | "closed" | "unexpected_reply";

/** Stable error codes: the worker's, the client's, and an application's own. */
export type ErrorCode = WorkerCode | ClientCode | (string & {});

/** A `PithError` as plain data, for messages between contexts. */
export interface ErrorData {
  code: ErrorCode;
  /** A sentence for the user. */
  message: string;
  /** What the user can do. */
  help: string;
  /** Technical details for a report. */
  detail: string;
}

/** An error with a stable `code`, a sentence for the user and what they can do about it. */
export class PithError extends Error {
  readonly code: ErrorCode;
  /** What the user can do. */
  readonly help: string;
  /** Technical details for a report. */
  readonly detail: string;

  constructor(failure: Pick<ErrorData, "code" | "message"> & Partial<ErrorData>) {
    super(failure.message);
    this.name = "PithError";
    this.code = failure.code;
    this.help = failure.help ?? "";
    this.detail = failure.detail ?? "";
  }

  /** This error as plain data. */
  toData(): ErrorData {
    return { code: this.code, message: this.message, help: this.help, detail: this.detail };
  }
}

export const clientErrors = {
  argument: (detail: string) =>
    new PithError({
      code: "bad_argument",
      message: "An argument is not valid.",
      help: "Correct the call; the details name the argument.",
      detail,
    }),
  start: (detail: string) =>
    new PithError({
      code: "worker_start",
      message: "The AI worker could not be started.",
      help: "Reload the page. If that does not help, the browser may be too old or the site's content security policy may forbid WebAssembly.",
      detail,
    }),
  died: (detail: string) =>
    new PithError({
      code: "worker_died",
      message: "The AI worker has stopped.",
      help: "Try again. A new worker starts automatically or after reloading the page.",
      detail,
    }),
  stuck: () =>
    new PithError({
      code: "worker_stuck",
      message: "The AI worker took too long and was terminated.",
      help: "Try again, with less text if you can.",
      detail: "the worker did not answer while it was working on this request",
    }),
  replaced: () =>
    new PithError({
      code: "worker_replaced",
      message: "The AI worker had to be replaced.",
      help: "Try again. This request was not the cause.",
      detail: "the worker did not answer while it was working on another request",
    }),
  closed: () => new PithError({ code: "closed", message: "The AI worker was closed.", help: "Open it again." }),
  unexpected: (wanted: string, got: string) =>
    new PithError({
      code: "unexpected_reply",
      message: "The AI worker sent an unexpected reply.",
      help: "Reload the page so that page and worker have the same version.",
      detail: `wanted ${wanted}, got ${got}`,
    }),
};
