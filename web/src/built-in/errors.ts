import { PithError } from "../errors.js";

export const aborted = (): DOMException => new DOMException("The session was destroyed.", "AbortError");
export const unsupported = (what: string): DOMException =>
  new DOMException(`${what} is not supported.`, "NotSupportedError");
export const syntax = (why: string): DOMException => new DOMException(why, "SyntaxError");
export const badData = (why: string, cause?: unknown): DOMException =>
  Object.assign(new DOMException(why, "DataError"), { cause });
export const notAllowed = (): DOMException =>
  new DOMException("A model has to be downloaded, which needs a click or a key press.", "NotAllowedError");

/** An input that needs more tokens than there are; in browsers without the class `QuotaExceededError`. */
export class QuotaExceeded extends DOMException {
  readonly requested: number;
  readonly quota: number;

  constructor(requested: number, quota: number) {
    super("The input is too large.", "QuotaExceededError");
    this.requested = requested;
    this.quota = quota;
  }
}

type QuotaError = DOMException & { readonly requested: number; readonly quota: number };

/** The browser's `QuotaExceededError` where it has the class, else one of the same shape. */
export function quotaExceeded(requested: number, quota: number): QuotaError {
  const { QuotaExceededError: Native } = globalThis as {
    QuotaExceededError?: new (message: string, options: { requested: number; quota: number }) => QuotaError;
  };
  return Native ? new Native("The input is too large.", { requested, quota }) : new QuotaExceeded(requested, quota);
}

const NAMES: Readonly<Record<string, string>> = {
  network_error: "NetworkError",
  download_incomplete: "NetworkError",
  http_status: "NetworkError",
  wrong_hash: "NetworkError",
  too_large: "NotSupportedError",
  out_of_memory: "OperationError",
  no_chat_template: "NotSupportedError",
  bad_format: "NotSupportedError",
  format_too_complex: "NotSupportedError",
  grammar_unavailable: "NetworkError",
  storage_unavailable: "NotReadableError",
  storage_failed: "NotReadableError",
  disk_full: "NotReadableError",
};

/** The worker's errors as the specification names them; anything else, such as a signal's reason, stays as it is. */
export function toDomException(error: unknown): unknown {
  if (!(error instanceof PithError)) return error;
  const exception = new DOMException(error.message, NAMES[error.code] ?? "OperationError");
  return Object.assign(exception, { cause: error });
}
