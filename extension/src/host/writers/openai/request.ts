// One request to the server: headers, redirects, what a refusal means, waiting until its model is loaded.
import type { Connection } from "./connection.js";
import { type ServerCode, serverError, type ServerError } from "./errors.js";
import type { Limits } from "./limits.js";
import { isLoading, readRefusal, refusalError, waitSeconds } from "./refusals.js";
import { pause, type Watch } from "./watch.js";

/** A path below the base, and what is sent. */
export interface Call {
  path: string;
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: unknown;
  accept: string;
  /** Until the answer begins. */
  within_ms: number;
}

export const hostOf = ({ base }: Pick<Connection, "base">): string => new URL(base).host;

/**
 * Asks until the server's model is loaded, and gives an answer with status 200. `onLoading` is called before each wait.
 *
 * # Errors
 * A `ServerError`, or the reason of the watch's signal.
 */
export async function ask(
  connection: Connection,
  call: Call,
  watch: Watch,
  limits: Limits,
  onLoading: () => void = () => {},
): Promise<Response> {
  const end_ms = Date.now() + limits.loading_ms;
  for (;;) {
    watch.expect(call.within_ms, () => problem(connection, call, "server_slow"));
    const response = await send(connection, call, watch);
    if (response.status === 200) return response;
    const refusal = readRefusal(response.status, await readText(response, limits.errorBytes).catch(() => ""));
    const retryAfter = response.headers.get("retry-after");
    if (!isLoading(refusal) || Date.now() >= end_ms) {
      const tried = `${connection.base}${call.path}`;
      throw refusalError(refusal, { host: hostOf(connection), tried, hasKey: connection.key !== "", retryAfter });
    }
    onLoading();
    const wait_ms = Math.max(limits.poll_ms, Math.min((waitSeconds(retryAfter) ?? 0) * 1000, 30_000));
    watch.expect(wait_ms + call.within_ms, () => problem(connection, call, "server_slow"));
    await pause(wait_ms, watch.signal);
  }
}

/** A redirect is refused: it would take the page and the key to an address that nobody agreed to. */
async function send(connection: Connection, { path, body, accept }: Call, { signal }: Watch): Promise<Response> {
  const headers: Record<string, string> = { accept };
  if (connection.key !== "") headers["authorization"] = `Bearer ${connection.key}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const init: RequestInit = {
    method: body === undefined ? "GET" : "POST",
    headers,
    signal,
    redirect: "manual",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const response = await fetch(`${connection.base}${path}`, init).catch((error: unknown) => {
    throw brokenBy(error, signal, () => unreachable(connection, path, error));
  });
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    throw serverError(
      "server_redirect",
      hostOf(connection),
      `${connection.base}${path}`,
      String(response.status || ""),
    );
  }
  return response;
}

/** What ended a request: the signal's reason where it was the signal. */
export function brokenBy(_error: unknown, signal: AbortSignal, otherwise: () => unknown): unknown {
  return signal.aborted ? signal.reason : otherwise();
}

/** Browsers do not tell a script why there is no connection. */
function unreachable(connection: Connection, path: string, error: unknown): ServerError {
  const { protocol, host } = new URL(connection.base);
  const isOffline = typeof navigator !== "undefined" && navigator.onLine === false;
  const code = protocol === "https:" ? "server_unreachable_tls" : "server_unreachable";
  return serverError(isOffline ? "server_offline" : code, host, `${connection.base}${path}`, String(error));
}

export const problem = (
  connection: Connection,
  { path }: Pick<Call, "path">,
  code: ServerCode,
  said = "",
): ServerError => serverError(code, hostOf(connection), `${connection.base}${path}`, said);

/** A body as text; what is longer than `max_bytes` is cut. */
export async function readText(response: Response, max_bytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let read_bytes = 0;
  const reader = response.body?.getReader();
  while (reader && read_bytes < max_bytes) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, max_bytes - read_bytes), { stream: true });
    read_bytes += value.length;
  }
  await reader?.cancel().catch(() => {});
  return text;
}
