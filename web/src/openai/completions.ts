import type { Pith } from "../client.js";
import type { GenerateOptions, PromptInput } from "../options.js";
import type { GenerationStats, TokenLogprobs } from "../protocol.gen.js";
import { invalid, toOpenAI } from "./errors.js";
import type { Models } from "./models.js";
import { check, choices, flag, modelName, SAMPLING, sampling, stops, wholeIn } from "./params.js";
import { Stream } from "./stream.js";
import type { Completion, CompletionLogprobs, CompletionParams } from "./types.js";
import {
  all,
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

const KNOWN = [...SAMPLING, "prompt", "max_tokens", "logprobs", "echo"];
const PROMPTS_MAX = 128;

/** `completions`: a text is continued. */
export class Completions {
  readonly #pith: Pith;
  readonly #models: Models;

  constructor(pith: Pith, models: Models) {
    this.#pith = pith;
    this.#models = models;
  }

  /** The continuation of each prompt, or with `stream: true` its chunks. */
  create(params: CompletionParams & { stream: true }, options?: RequestOptions): Promise<Stream<Completion>>;
  create(params: CompletionParams & { stream?: false | null }, options?: RequestOptions): Promise<Completion>;
  create(params: CompletionParams, options?: RequestOptions): Promise<Completion | Stream<Completion>>;
  async create(params: CompletionParams, options: RequestOptions = {}): Promise<Completion | Stream<Completion>> {
    check(params, KNOWN);
    const model = modelName(params);
    const prompts = readPrompts(params.prompt);
    const count = choices(params);
    const echo = flag("echo", params.echo);
    if (echo && params.logprobs) throw invalid("echo", '"echo" and "logprobs" cannot be combined.');
    const hasLogprobs = params.logprobs !== null && params.logprobs !== undefined;
    const logprobs = wholeIn("logprobs", params.logprobs, 0, 5, 0);
    const maxTokens = wholeIn("max_tokens", params.max_tokens, 0, 1 << 24, 16);
    const stop = stops(params.stop);
    const controller = controllerOf(options);
    const { signal } = controller;
    await this.#models.ready(model, signal).catch((error: unknown) => {
      throw toOpenAI(error);
    });
    const head = { id: newId("cmpl-"), object: "text_completion", created: now(), model } as const;
    const counted: GenerationStats[][] = [];
    const run = async (send: (choice: Completion["choices"][number]) => void, isStream: boolean): Promise<void> => {
      for (const [at, prompt] of prompts.entries()) {
        const stats = await all(count, signal, async (choice, signal) => {
          const index = at * count + choice;
          const generate: GenerateOptions = { maxTokens, stop, sampling: sampling(params, choice), signal };
          if (hasLogprobs) generate.logprobs = logprobs;
          const before = echo ? await this.#text(model, prompt, signal) : "";
          let offset = before.length;
          const part = (text: string, tokens: readonly TokenLogprobs[]): Completion["choices"][number] => {
            const found = hasLogprobs ? logprobsOf(tokens, offset) : null;
            offset += text.length;
            // Of a chunk that is not the last OpenAI's own type does not allow for null.
            return { index, text, logprobs: found, finish_reason: null as unknown as "stop" };
          };
          if (isStream && before) send({ ...part(before, []), text: before });
          const result = await write(this.#pith, model, prompt, generate, (piece) => {
            if (isStream) send(part(piece.text, piece.logprobs));
          });
          const last = isStream ? part("", []) : part(result.text, result.logprobs ?? []);
          const text = isStream ? "" : before + result.text;
          send({ ...last, text, finish_reason: reason(result.finishReason) });
          return result.stats;
        });
        counted.push(stats);
      }
    };
    if (flag("stream", params.stream)) {
      const withUsage = params.stream_options?.include_usage === true;
      const chunks = chunksOf<Completion>(async (send) => {
        await run((choice) => send({ ...head, choices: [choice] }), true);
        if (withUsage) send({ ...head, choices: [], usage: sum(counted) });
      });
      return new Stream(chunks, controller);
    }
    const found: Completion["choices"] = [];
    await run((choice) => found.push(choice), false);
    found.sort((one, other) => one.index - other.index);
    return { ...head, choices: found, usage: sum(counted) };
  }

  #text(model: string, prompt: PromptInput, signal: AbortSignal): Promise<string> | string {
    if (typeof prompt === "string") return prompt;
    return "ids" in prompt ? this.#pith.detokenize(model, prompt.ids, { signal }) : "";
  }
}

/** One text, several, the ids of one, or of several. */
function readPrompts(given: unknown): PromptInput[] {
  const bad = invalid("prompt", `"prompt" must be text, token ids, or a list of at most ${PROMPTS_MAX} of them.`);
  const isIds = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length > 0 && value.every((id) => Number.isSafeInteger(id) && (id as number) >= 0);
  const one = (value: unknown): PromptInput => {
    if (typeof value === "string") return value;
    if (isIds(value)) return { type: "ids", ids: [...value] };
    throw bad;
  };
  if (!Array.isArray(given) || isIds(given)) return [one(given)];
  if (given.length === 0 || given.length > PROMPTS_MAX) throw bad;
  return given.map(one);
}

function logprobsOf(tokens: readonly TokenLogprobs[], offset: number): CompletionLogprobs {
  const text_offset: number[] = [];
  let at = offset;
  for (const { chosen } of tokens) {
    text_offset.push(at);
    at += chosen.token.length;
  }
  return {
    tokens: tokens.map(({ chosen }) => chosen.token),
    token_logprobs: tokens.map(({ chosen }) => topLogprob(chosen).logprob),
    top_logprobs: tokens.map(({ top }) => Object.fromEntries(top.map((one) => [one.token, topLogprob(one).logprob]))),
    text_offset,
  };
}

function sum(prompts: readonly GenerationStats[][]): NonNullable<Completion["usage"]> {
  const parts = prompts.map(usageOf);
  const total = (of: (usage: (typeof parts)[number]) => number): number => parts.reduce((all, one) => all + of(one), 0);
  return {
    prompt_tokens: total((one) => one.prompt_tokens),
    completion_tokens: total((one) => one.completion_tokens),
    total_tokens: total((one) => one.total_tokens),
    prompt_tokens_details: { cached_tokens: total((one) => one.prompt_tokens_details.cached_tokens) },
  };
}
