import type { Pith } from "../client.js";
import type { GenerateOptions } from "../options.js";
import type { Prompt, TokenLogprobs } from "../protocol.gen.js";
import { invalid, toOpenAI, unsupported } from "./errors.js";
import type { Models } from "./models.js";
import { check, choices, flag, formatOf, messages, modelName, SAMPLING, sampling, stops, wholeIn } from "./params.js";
import { Stream } from "./stream.js";
import { readTools, toCall, toDelta } from "./tools.js";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChatCompletionParams,
  ChoiceLogprobs,
} from "./types.js";
import {
  all,
  chatReason,
  chunksOf,
  controllerOf,
  newId,
  now,
  type RequestOptions,
  topLogprob,
  usageOf,
  write,
} from "./write.js";

const KNOWN = [
  ...SAMPLING,
  "messages",
  "max_completion_tokens",
  "max_tokens",
  "logprobs",
  "top_logprobs",
  "response_format",
  "modalities",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
];
/** Where no limit is given, the context's end is the limit. */
const TOKENS_MAX = 1 << 24;

/** A request, checked. */
interface Order {
  model: string;
  prompt: Prompt;
  count: number;
  options: (choice: number) => GenerateOptions;
  hasLogprobs: boolean;
}

/** `chat.completions`. */
export class ChatCompletions {
  readonly #pith: Pith;
  readonly #models: Models;

  constructor(pith: Pith, models: Models) {
    this.#pith = pith;
    this.#models = models;
  }

  /** An answer to a conversation, or with `stream: true` its chunks. */
  create(
    params: ChatCompletionParams & { stream: true },
    options?: RequestOptions,
  ): Promise<Stream<ChatCompletionChunk>>;
  create(params: ChatCompletionParams & { stream?: false | null }, options?: RequestOptions): Promise<ChatCompletion>;
  create(params: ChatCompletionParams, options?: RequestOptions): Promise<ChatCompletion | Stream<ChatCompletionChunk>>;
  async create(
    params: ChatCompletionParams,
    options: RequestOptions = {},
  ): Promise<ChatCompletion | Stream<ChatCompletionChunk>> {
    const order = readOrder(params);
    const controller = controllerOf(options);
    await this.#prepare(order, controller.signal);
    const head = { id: newId("chatcmpl-"), created: now(), model: order.model };
    if (!flag("stream", params.stream)) return this.#answer(order, head, controller.signal);
    const withUsage = params.stream_options?.include_usage === true;
    return new Stream(
      chunksOf((send) => this.#stream(order, head, withUsage, controller.signal, send)),
      controller,
    );
  }

  /** Loads the model. */
  async #prepare({ model }: Order, signal: AbortSignal): Promise<void> {
    try {
      await this.#models.ready(model, signal);
    } catch (error) {
      throw toOpenAI(error);
    }
  }

  async #answer(
    { model, prompt, count, options, hasLogprobs }: Order,
    head: Pick<ChatCompletion, "id" | "created" | "model">,
    signal: AbortSignal,
  ): Promise<ChatCompletion> {
    const results = await all(count, signal, (index, signal) =>
      write(this.#pith, model, prompt, { ...options(index), signal }),
    );
    const found = results.map((result, index): ChatCompletion["choices"][number] => {
      const { content, reasoning, toolCalls } = result.message ?? { content: "", reasoning: "", toolCalls: [] };
      return {
        index,
        message: {
          role: "assistant",
          content: content || toolCalls.length === 0 ? content : null,
          refusal: null,
          ...(reasoning && { reasoning_content: reasoning }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(toCall) }),
        },
        finish_reason: chatReason(result.finishReason),
        logprobs: hasLogprobs ? logprobsOf(result.logprobs ?? []) : null,
      };
    });
    const stats = results.map(({ stats }) => stats);
    return { ...head, object: "chat.completion", choices: found, usage: usageOf(stats) };
  }

  async #stream(
    { model, prompt, count, options, hasLogprobs }: Order,
    head: Pick<ChatCompletion, "id" | "created" | "model">,
    withUsage: boolean,
    signal: AbortSignal,
    send: (chunk: ChatCompletionChunk) => void,
  ): Promise<void> {
    const chunk = (choices: ChatCompletionChunk["choices"]): ChatCompletionChunk => ({
      ...head,
      object: "chat.completion.chunk",
      choices,
      ...(withUsage && { usage: null }),
    });
    const stats = await all(count, signal, async (index, signal) => {
      const say = (delta: ChatCompletionDelta, logprobs: ChoiceLogprobs | null = null): void =>
        send(chunk([{ index, delta, finish_reason: null, logprobs }]));
      say({ role: "assistant", content: "" });
      const { finishReason, stats } = await write(this.#pith, model, prompt, { ...options(index), signal }, (piece) => {
        let logprobs = hasLogprobs && piece.logprobs.length > 0 ? logprobsOf(piece.logprobs) : null;
        for (const delta of piece.deltas.map(toDelta)) {
          if (!delta) continue;
          say(delta, delta.content ? logprobs : null);
          if (delta.content) logprobs = null;
        }
        if (logprobs) say({ content: "" }, logprobs);
      });
      send(chunk([{ index, delta: {}, finish_reason: chatReason(finishReason), logprobs: null }]));
      return stats;
    });
    if (withUsage) send({ ...chunk([]), usage: usageOf(stats) });
  }
}

function readOrder(params: ChatCompletionParams): Order {
  check(params, KNOWN);
  const { top_logprobs: top } = params;
  const { modalities } = params as { modalities?: unknown };
  if (modalities && String(modalities) !== "text") throw unsupported("modalities");
  const calls = readTools(params);
  const prompt: Prompt = {
    type: "chat",
    messages: messages(params.messages),
    ...calls,
    singleToolCall: params.parallel_tool_calls === false,
    parse: true,
  };
  const limit = params.max_completion_tokens ?? params.max_tokens;
  const maxTokens = wholeIn("max_completion_tokens", limit, 1, TOKENS_MAX, TOKENS_MAX);
  const hasLogprobs = flag("logprobs", params.logprobs);
  if (!hasLogprobs && top) throw invalid("top_logprobs", '"top_logprobs" needs "logprobs": true.');
  const logprobs = wholeIn("top_logprobs", top, 0, 20, 0);
  const stop = stops(params.stop);
  const format = formatOf("response_format", params.response_format, stop);
  if (format && calls.tools.length > 0) throw unsupported("tools with response_format");
  return {
    model: modelName(params),
    prompt,
    count: choices(params),
    hasLogprobs,
    options: (choice) => ({
      maxTokens,
      stop,
      sampling: sampling(params, choice),
      ...(hasLogprobs && { logprobs }),
      ...(format && { format }),
    }),
  };
}

const logprobsOf = (tokens: readonly TokenLogprobs[]): ChoiceLogprobs => ({
  content: tokens.map(({ chosen, top }) => ({ ...topLogprob(chosen), top_logprobs: top.map(topLogprob) })),
  refusal: null,
});
