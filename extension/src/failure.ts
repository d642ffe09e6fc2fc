import { type ErrorData, PithError } from "@pith/web";

/** Any error as plain data, for messages between contexts. */
export function toFailure(error: unknown): ErrorData {
  if (error instanceof PithError) return error.toData();
  return { code: "unexpected", message: "", help: "", detail: String(error) };
}

/** An error whose sentences are in messages/. */
export function problem(code: string, detail = ""): PithError {
  return new PithError({ code, message: "", detail });
}
