// What requests for text share.
import type { Pith } from "../client.js";
import type { GenerationPiece, GenerationResult } from "../generation.js";
import type { GenerateOptions, PromptInput } from "../options.js";
import type { FinishReason, GenerationStats, Logprob } from "../protocol.gen.js";
import { toOpenAI } from "./errors.js";
import type { ChatFinishReason, TopLogprob, Usage } from "./types.js";

/** Options of a request, beside its parameters. */
export interface RequestOptions {
  signal?: AbortSignal | null;
}

export const now = (): number => Math.floor(Date.now() / 1000);

/** "chatcmpl-" and 24 letters and digits drawn at random. */
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return prefix + [...bytes].map((byte) => (byte % 36).toString(36)).join("");
}

/** A full context ends an answer as its length does. */
export const reason = (finish: FinishReason): "stop" | "length" => (finish === "stop" ? "stop" : "length");

/** Of a chat: it may end with tool calls. */
export const chatReason = (finish: FinishReason): ChatFinishReason =>
  finish === "toolCalls" ? "tool_calls" : reason(finish);

/** The usage of several answers to one prompt, which counts once. */
export function usageOf(stats: readonly GenerationStats[]): Usage {
  const prompt = stats[0]?.promptTokens ?? 0;
  const written = stats.reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: written,
    total_tokens: prompt + written,
    prompt_tokens_details: { cached_tokens: stats[0]?.reusedTokens ?? 0 },
  };
}

/** A token's log probability; what has none is -9999, as in OpenAI's API. */
export const topLogprob = ({ token, bytes, logprob }: Logprob): TopLogprob => ({
  token,
  bytes: [...bytes],
  logprob: Number.isFinite(logprob) ? logprob : -9999,
});

/** Writes an answer: each piece goes to `onPiece`. Errors have OpenAI's fields. */
export async function write(
  pith: Pith,
  model: string,
  prompt: PromptInput,
  options: GenerateOptions,
  onPiece: (piece: GenerationPiece) => void = () => {},
): Promise<GenerationResult> {
  try {
    const generation = pith.generate(model, prompt, options);
    for await (const piece of generation.pieces()) onPiece(piece);
    return await generation.result;
  } catch (error) {
    throw toOpenAI(error);
  }
}

/** Several answers to one prompt, side by side. Where one fails the others end. */
export function all<T>(
  count: number,
  signal: AbortSignal,
  run: (index: number, signal: AbortSignal) => Promise<T>,
): Promise<T[]> {
  const controller = controllerOf({ signal });
  const answers = Array.from({ length: count }, (_, index) => run(index, controller.signal));
  return Promise.all(answers).catch((error: unknown) => {
    controller.abort();
    throw error;
  });
}

/** Chunks that `run` sends, as they come. An error ends them. */
export async function* chunksOf<T>(run: (send: (chunk: T) => void) => Promise<void>): AsyncGenerator<T, void, void> {
  const waiting: T[] = [];
  let wake = (): void => {};
  let ended = false;
  const running = run((chunk) => {
    waiting.push(chunk);
    wake();
  }).finally(() => {
    ended = true;
    wake();
  });
  running.catch(() => {});
  for (;;) {
    const chunk = waiting.shift();
    if (chunk !== undefined) yield chunk;
    else if (ended) return await running;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}

/** A controller that the caller's signal aborts too. */
export function controllerOf({ signal }: RequestOptions): AbortController {
  const controller = new AbortController();
  if (signal?.aborted) controller.abort(signal.reason);
  else signal?.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  return controller;
}
