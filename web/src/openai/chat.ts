import type { Pith } from "../client.js";
import type { GenerateOptions } from "../options.js";
import type { ChatMessage, GenerationStats, TokenLogprobs } from "../protocol.gen.js";
import { invalid, toOpenAI, unsupported } from "./errors.js";
import type { Models } from "./models.js";
import { check, choices, flag, formatOf, messages, modelName, SAMPLING, sampling, stops, wholeIn } from "./params.js";
import { Stream } from "./stream.js";
import { Thinking } from "./thinking.js";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionDelta,
  ChatCompletionParams,
  ChoiceLogprobs,
} from "./types.js";
import {
  chunksOf,
  controllerOf,
  newId,
  now,
  reason,
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
];
/** Where no limit is given, the context's end is the limit. */
const TOKENS_MAX = 1 << 24;

/** A request, checked. */
interface Order {
  model: string;
  turns: ChatMessage[];
  count: number;
  options: (choice: number) => GenerateOptions;
  hasLogprobs: boolean;
  /** The text has a format, so nothing of it is a thought. */
  hasFormat: boolean;
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
    const begun = await this.#prepare(order, controller.signal);
    const head = { id: newId("chatcmpl-"), created: now(), model: order.model };
    if (!flag("stream", params.stream)) return this.#answer(order, begun, head, controller.signal);
    const withUsage = params.stream_options?.include_usage === true;
    return new Stream(
      chunksOf((send) => this.#stream(order, begun, head, withUsage, controller.signal, send)),
      controller,
    );
  }

  /** Loads the model. True where its template begins answers with a thought. */
  async #prepare({ model, turns, hasFormat }: Order, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#models.ready(model, signal);
      const prompt = await this.#pith.applyTemplate(model, turns as unknown as Record<string, unknown>[], { signal });
      return !hasFormat && /<think>\s*$/.test(prompt);
    } catch (error) {
      throw toOpenAI(error);
    }
  }

  async #answer(
    { model, turns, count, options, hasLogprobs }: Order,
    begun: boolean,
    head: Pick<ChatCompletion, "id" | "created" | "model">,
    signal: AbortSignal,
  ): Promise<ChatCompletion> {
    const found: ChatCompletion["choices"] = [];
    const stats: GenerationStats[] = [];
    for (let index = 0; index < count; index++) {
      const result = await write(this.#pith, model, turns, { ...options(index), signal });
      const thinking = new Thinking(begun);
      const parts = [thinking.push(result.text), thinking.finish()];
      const thought = parts.map((part) => part.thought).join("");
      found.push({
        index,
        message: {
          role: "assistant",
          content: parts.map((part) => part.answer).join(""),
          refusal: null,
          ...(thought && { reasoning_content: thought }),
        },
        finish_reason: reason(result.finishReason),
        logprobs: hasLogprobs ? logprobsOf(result.logprobs ?? []) : null,
      });
      stats.push(result.stats);
    }
    return { ...head, object: "chat.completion", choices: found, usage: usageOf(stats) };
  }

  async #stream(
    { model, turns, count, options, hasLogprobs }: Order,
    begun: boolean,
    head: Pick<ChatCompletion, "id" | "created" | "model">,
    withUsage: boolean,
    signal: AbortSignal,
    send: (chunk: ChatCompletionChunk) => void,
  ): Promise<void> {
    const all: GenerationStats[] = [];
    const chunk = (choices: ChatCompletionChunk["choices"]): ChatCompletionChunk => ({
      ...head,
      object: "chat.completion.chunk",
      choices,
      ...(withUsage && { usage: null }),
    });
    for (let index = 0; index < count; index++) {
      const say = (delta: ChatCompletionDelta, logprobs: ChoiceLogprobs | null = null): void =>
        send(chunk([{ index, delta, finish_reason: null, logprobs }]));
      const thinking = new Thinking(begun);
      say({ role: "assistant", content: "" });
      const { finishReason, stats } = await write(this.#pith, model, turns, { ...options(index), signal }, (piece) => {
        const { thought, answer } = thinking.push(piece.text);
        const logprobs = hasLogprobs && piece.logprobs.length > 0 ? logprobsOf(piece.logprobs) : null;
        if (thought) say({ reasoning_content: thought });
        if (answer || logprobs) say({ content: answer }, logprobs);
      });
      const { thought, answer } = thinking.finish();
      if (thought) say({ reasoning_content: thought });
      if (answer) say({ content: answer });
      send(chunk([{ index, delta: {}, finish_reason: reason(finishReason), logprobs: null }]));
      all.push(stats);
    }
    if (withUsage) send({ ...chunk([]), usage: usageOf(all) });
  }
}

function readOrder(params: ChatCompletionParams): Order {
  check(params, KNOWN);
  const { top_logprobs: top } = params;
  const { modalities } = params as { modalities?: unknown };
  if (modalities && String(modalities) !== "text") throw unsupported("modalities");
  const turns = messages(params.messages);
  const limit = params.max_completion_tokens ?? params.max_tokens;
  const maxTokens = wholeIn("max_completion_tokens", limit, 1, TOKENS_MAX, TOKENS_MAX);
  const hasLogprobs = flag("logprobs", params.logprobs);
  if (!hasLogprobs && top) throw invalid("top_logprobs", '"top_logprobs" needs "logprobs": true.');
  const logprobs = wholeIn("top_logprobs", top, 0, 20, 0);
  const stop = stops(params.stop);
  const format = formatOf("response_format", params.response_format, stop);
  return {
    model: modelName(params),
    turns,
    count: choices(params),
    hasLogprobs,
    hasFormat: format !== null,
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
