import { type ErrorData, PithError } from "../errors.js";

/** OpenAI's classes of errors. */
export type ErrorType = "invalid_request_error" | "not_found_error" | "server_error" | "insufficient_quota";

/** An error with OpenAI's fields beside those of `PithError`. */
export class OpenAIError extends PithError {
  /** The HTTP status that OpenAI's API would answer with. */
  override readonly status: number;
  readonly type: ErrorType;
  /** The parameter that is wrong. */
  readonly param: string | null;

  constructor(
    status: number,
    type: ErrorType,
    param: string | null,
    failure: Omit<ErrorData, "detail"> & Partial<ErrorData>,
  ) {
    super(failure);
    this.name = "OpenAIError";
    this.status = status;
    this.type = type;
    this.param = param;
  }
}

/** A parameter that this API does not have, or a value that it does not take. */
export const invalid = (param: string, message: string, code = "invalid_value"): OpenAIError =>
  new OpenAIError(400, "invalid_request_error", param, { code, message, help: "Change or leave out this parameter." });

export const unsupported = (param: string): OpenAIError =>
  invalid(param, `The parameter "${param}" is not supported.`, "unsupported_parameter");

export const noModel = (model: string): OpenAIError =>
  new OpenAIError(404, "not_found_error", "model", {
    code: "model_not_found",
    message: `There is no model "${model}".`,
    help: "Load a model under this name, or use the id of a known model.",
  });

/** Codes of the worker that are the request's fault, and OpenAI's codes for them. */
const REQUESTS: Readonly<Record<string, string>> = {
  context_full: "context_length_exceeded",
  bad_message: "invalid_value",
  bad_template: "invalid_value",
  bad_format: "invalid_value",
  format_too_complex: "invalid_value",
  no_chat_template: "unsupported_value",
  wrong_model: "unsupported_value",
};

/** The worker's errors with OpenAI's fields. Anything else, such as an abort, stays as it is. */
export function toOpenAI(error: unknown): unknown {
  if (!(error instanceof PithError) || error instanceof OpenAIError) return error;
  const data = error.toData();
  const code = REQUESTS[data.code];
  if (code)
    return new OpenAIError(400, "invalid_request_error", code === "context_length_exceeded" ? "messages" : null, {
      ...data,
      code,
    });
  if (data.code === "model_not_loaded")
    return new OpenAIError(404, "not_found_error", "model", { ...data, code: "model_not_found" });
  return new OpenAIError(500, data.code === "disk_full" ? "insufficient_quota" : "server_error", null, data);
}
