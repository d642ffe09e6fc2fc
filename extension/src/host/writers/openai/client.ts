// A client of any OpenAI-compatible server: llama-server, vLLM, Ollama, LM Studio and their relatives.
import { type ChatHooks, type ChatResult, Collected } from "./collected.js";
import type { Connection, Dialect } from "./connection.js";
import type { ServerCode, ServerError } from "./errors.js";
import { LIMITS, type Limits } from "./limits.js";
import { findError, refusalError, toRefusal } from "./refusals.js";
import { ask, brokenBy, type Call, hostOf, problem, readText } from "./request.js";
import { readEvents } from "./stream.js";
import { Watch } from "./watch.js";

export interface Message {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface ChatRequest {
  messages: readonly Message[];
  maxTokens: number;
  /** 0 is the most probable text; another one comes with a higher number. */
  variant: number;
}

const CHAT = { path: "/chat/completions", accept: "text/event-stream" };

/**
 * Has the model write.
 *
 * # Errors
 * A `ServerError`, or the reason of the signal.
 */
export async function chat(
  connection: Connection,
  request: ChatRequest,
  hooks: ChatHooks,
  limits: Limits = LIMITS,
): Promise<ChatResult> {
  const call: Call = { ...CHAT, body: toBody(connection, request), within_ms: limits.first_ms };
  const fail = (code: ServerCode, said = ""): ServerError => problem(connection, call, code, said);
  const watch = new Watch(hooks.signal, limits.all_ms, () => fail("server_endless"));
  try {
    const begun_ms = performance.now();
    const response = await ask(connection, call, watch, limits, hooks.onLoading);
    const type = response.headers.get("content-type") ?? "";
    if (!/^\s*text\/event-stream\b/i.test(type)) throw await notAStream(response, connection, call, limits, type);
    const reader = response.body?.getReader();
    if (!reader) throw fail("server_garbage");
    const answer = new Collected(hooks, begun_ms);
    let failure: unknown = null;
    const events = readEvents(limits.line, (event) => (failure ??= answer.take(event, connection, call, limits)));
    const decoder = new TextDecoder();
    const measure = new Measure(limits);
    while (!answer.isOver && failure === null) {
      // Until the first token the server reads the prompt: what it sends to keep the connection is no sign of progress.
      if (answer.hasBegun) watch.expect(limits.silence_ms, () => fail("server_silent"));
      else if (answer.hasProgressed()) watch.expect(limits.first_ms, () => fail("server_slow"));
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw brokenBy(error, watch.signal, () => fail("server_broken_off", String(error)));
      });
      if (done) {
        events.end();
        break;
      }
      if (measure.isTooMuch(value, answer.pieces)) throw fail("server_too_much");
      events.feed(decoder.decode(value, { stream: true }));
    }
    if (failure !== null) throw failure;
    // A stream may end without [DONE], but not in the middle of an answer.
    if (!answer.isOver && answer.finish === null) throw fail(answer.hasBegun ? "server_broken_off" : "server_garbage");
    return answer.result(fail);
  } finally {
    watch.end();
  }
}

/** How much of a stream has come. */
class Measure {
  #bytes = 0;
  #lines = 0;
  #idle_bytes = 0;
  #pieces = 0;

  constructor(private readonly limits: Limits) {}

  /** Counts bytes that came behind so many pieces of text. */
  isTooMuch(bytes: Uint8Array, pieces: number): boolean {
    this.#idle_bytes = (pieces === this.#pieces ? this.#idle_bytes : 0) + bytes.length;
    this.#pieces = pieces;
    this.#bytes += bytes.length;
    for (const byte of bytes) if (byte === LINE_FEED || byte === CARRIAGE_RETURN) this.#lines += 1;
    const { streamBytes, lines, idleBytes } = this.limits;
    return this.#bytes > streamBytes || this.#lines > lines || this.#idle_bytes > idleBytes;
  }
}
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** What others than a stream mean: an error with status 200, or something else that answers at this address. */
async function notAStream(
  response: Response,
  connection: Connection,
  call: Call,
  limits: Limits,
  type: string,
): Promise<ServerError> {
  const body = await readText(response, limits.errorBytes).catch(() => "");
  try {
    const error = findError(JSON.parse(body));
    const names = { host: hostOf(connection), tried: `${connection.base}${call.path}`, retryAfter: null };
    if (error !== null) return refusalError(toRefusal(0, error), { ...names, hasKey: connection.key !== "" });
  } catch {
    // No JSON.
  }
  return problem(connection, call, "server_not_openai", `${type || "no content-type"}: ${body.slice(0, 200)}`);
}

/** What only some servers know goes to those alone: others may refuse a request with a field that is new to them. */
const EXTRA: Record<Dialect, object> = {
  "llama.cpp": { return_progress: true, cache_prompt: true, chat_template_kwargs: { enable_thinking: false } },
  vllm: { chat_template_kwargs: { enable_thinking: false } },
  other: {},
};

function toBody({ model, dialect }: Connection, { messages, maxTokens, variant }: ChatRequest): object {
  return {
    model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    ...(variant === 0 ? { temperature: 0 } : { temperature: 0.7, seed: variant }),
    ...EXTRA[dialect],
  };
}
