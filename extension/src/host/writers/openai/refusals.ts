// What a server's refusal means: its status, and its body in the dialects of llama-server, vLLM, Ollama and LM Studio.
import { type Room, serverError, type ServerCode, type ServerError } from "./errors.js";

/** What a refusal says. */
export interface Refusal {
  status: number;
  message: string;
  /** Names of the kind of error: `type` and `code`. */
  kinds: string[];
  room: Room;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** The error in a body or in an event of a stream; null where there is none. */
export function findError(value: unknown): Record<string, unknown> | string | null {
  if (!isRecord(value)) return null;
  const { error, object, detail } = value;
  if (isRecord(error) || (typeof error === "string" && error !== "")) return error;
  // vLLM before 0.10 sends the error itself; FastAPI sends `detail`.
  if (object === "error") return value;
  return typeof detail === "string" ? detail : null;
}

/** Reads the body of a refusal. A body that is no JSON is the message. */
export function readRefusal(status: number, body: string): Refusal {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(body);
  } catch {
    // A proxy's page, or plain text.
  }
  return toRefusal(status, findError(parsed) ?? (isRecord(parsed) ? "" : body));
}

/** `status` is 0 where the error came inside a stream: then the error's own code counts. */
export function toRefusal(status: number, error: Record<string, unknown> | string): Refusal {
  const said = typeof error === "string" ? {} : error;
  const message = typeof error === "string" ? error : text(said["message"]);
  const codes = [said["type"], said["code"]].map((one) => (typeof one === "number" ? String(one) : text(one)));
  const own = count(said["code"]) ?? count(Number(text(said["code"]) || Number.NaN));
  return {
    status: status || own || 500,
    message,
    kinds: codes.filter((one) => one !== ""),
    room: readRoom(said, message),
  };
}

const TOO_LONG =
  /context (?:length|size|window)|maximum (?:context|input) length|exceeds? the (?:available|model'?s?) context|too many tokens|context the overflows/i;

/** llama-server tells both figures as fields, vLLM in its sentence. */
function readRoom(said: Record<string, unknown>, message: string): Room {
  const figure = (pattern: RegExp): number | null => count(Number(pattern.exec(message)?.[1] ?? Number.NaN));
  return {
    promptTokens:
      count(said["n_prompt_tokens"]) ??
      figure(/(?:passed|requested|contains?(?: at least)?|input of|request \() ?(\d{1,9}) (?:input )?tokens/i),
    contextTokens: count(said["n_ctx"]) ?? figure(/(?:context|input) length (?:is|of)(?: only)? (\d{1,9})/i),
  };
}

const isTooLong = ({ kinds, message }: Refusal): boolean =>
  kinds.some((kind) => /exceed_context|context_length/.test(kind)) || TOO_LONG.test(message);

/** The model is not there yet: the server can be asked again. */
export const isLoading = ({ status, message }: Refusal): boolean => status === 503 && /loading/i.test(message);

/** What a refusal means. `tried` is the address of the request, `hasKey` whether a key went with it. */
export function refusalError(
  refusal: Refusal,
  { host, tried, hasKey, retryAfter }: { host: string; tried: string; hasKey: boolean; retryAfter: string | null },
): ServerError {
  const { status, message, room } = refusal;
  const fail = (code: ServerCode, second = tried): ServerError =>
    serverError(code, host, second, `${status} ${message}`.trim(), code === "server_too_long" ? room : null);
  if (status === 401) return fail(hasKey ? "server_key_refused" : "server_key_missing");
  if (status === 403) return fail("server_forbidden");
  if (status === 413 || ((status === 400 || status === 422 || status === 500) && isTooLong(refusal)))
    return fail("server_too_long");
  // A path that is missing and a model that is missing have the same status.
  if (status === 404) return fail(/\bmodel\b/i.test(message) ? "server_model" : "server_path");
  if (status === 405) return fail("server_path");
  if (status === 429) {
    const wait_s = waitSeconds(retryAfter);
    return wait_s === null ? fail("server_busy") : fail("server_busy_wait", String(wait_s));
  }
  if (isLoading(refusal)) return fail("server_loading");
  return fail(status >= 500 ? "server_failed" : "server_refused");
}

/** `retry-after` is a number of seconds or a date; null where it is neither, or nonsense. */
export function waitSeconds(header: string | null, now_ms = Date.now()): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = /^\s*\d{1,6}\s*$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now_ms) / 1000);
  return Number.isFinite(seconds) && seconds >= 0 && seconds <= 86_400 ? seconds : null;
}
