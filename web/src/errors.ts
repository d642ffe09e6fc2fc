import type { ErrorCode as WorkerCode } from "./protocol.gen.js";

/** Codes of the client itself. */
export type ClientCode =
  | "bad_argument"
  | "worker_start"
  | "worker_died"
  | "worker_stuck"
  | "worker_replaced"
  | "replay_differs"
  | "closed"
  | "unexpected_reply";

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
  /** The HTTP status of a server's answer, if that answer is the error. */
  status?: number;
}

/** An error with a stable `code`, a sentence for the user and what they can do about it. */
export class PithError extends Error {
  readonly code: ErrorCode;
  /** What the user can do. */
  readonly help: string;
  /** Technical details for a report. */
  readonly detail: string;
  /** The HTTP status of a server's answer, if that answer is the error (`http_status`). */
  readonly status: number | undefined;

  constructor(failure: Pick<ErrorData, "code" | "message"> & Partial<ErrorData>) {
    super(failure.message);
    this.name = "PithError";
    this.code = failure.code;
    this.help = failure.help ?? "";
    this.detail = failure.detail ?? "";
    this.status = failure.status;
  }

  /** This error as plain data. */
  toData(): ErrorData {
    const { code, message, help, detail, status } = this;
    return { code, message, help, detail, ...(status && { status }) };
  }
}

const make = (code: ClientCode, message: string, help: string, detail: string): PithError =>
  new PithError({ code, message, help, detail });

export const clientErrors = {
  argument: (detail: string) =>
    make("bad_argument", "An argument is not valid.", "Correct the argument that the details name.", detail),
  start: (detail: string) =>
    make("worker_start", "The AI worker could not be started.", "Reload the page, or update the browser.", detail),
  died: (detail: string) => make("worker_died", "The AI worker has stopped.", "Try again, or reload the page.", detail),
  stuck: () =>
    make(
      "worker_stuck",
      "The AI worker took too long and was terminated.",
      "Try again, with less text if you can.",
      "no answer to this request",
    ),
  replaced: () =>
    make(
      "worker_replaced",
      "The AI worker had to be replaced.",
      "Try again. This request was not the cause.",
      "no answer to another request",
    ),
  closed: () => make("closed", "The AI worker was closed.", "Open it again.", ""),
  unexpected: (wanted: string, got: string) =>
    make(
      "unexpected_reply",
      "The AI worker sent an unexpected reply.",
      "Reload the page: its version is not the worker's.",
      `wanted ${wanted}, got ${got}`,
    ),
};
