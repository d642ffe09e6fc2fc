// Summarizer, Writer and Rewriter: one task each, written by the same model.
import type { Pith } from "../client.js";
import type { ChatMessage } from "../protocol.gen.js";
import { Context } from "./context.js";
import { type Availability, availability, ready, untilAborted } from "./engine.js";
import { quotaExceeded, toDomException, unsupported } from "./errors.js";
import { tagsOf } from "./prompt.js";
import { type CreateOptions, monitorOf, Session, streamOf } from "./session.js";

export interface WritingCoreOptions {
  expectedInputLanguages?: readonly string[];
  expectedContextLanguages?: readonly string[];
  outputLanguage?: string;
}

export interface WritingCreateOptions extends WritingCoreOptions, CreateOptions {
  /** What is true of all inputs. */
  sharedContext?: string;
}

export interface WritingOptions {
  /** What is true of this input. */
  context?: string;
  signal?: AbortSignal;
}

/** Part of the context that is left for the answer. */
const ANSWER_SHARE = 0.25;

/** Reads the languages that options name. */
function languagesOf({
  expectedInputLanguages,
  expectedContextLanguages,
  outputLanguage,
}: WritingCoreOptions): string[] {
  const output = outputLanguage === undefined ? [] : [outputLanguage];
  return tagsOf([...(expectedInputLanguages ?? []), ...(expectedContextLanguages ?? []), ...output]);
}

/** One of the values that a specification lists. */
export function oneOf<T extends string>(name: string, values: readonly T[], value: T | undefined, otherwise: T): T {
  if (value === undefined) return otherwise;
  if (!values.includes(value)) throw new TypeError(`"${String(value).slice(0, 40)}" is no value of ${name}.`);
  return value;
}

export const available = (options: WritingCoreOptions): Promise<Availability> =>
  availability("model", languagesOf(options));

/** What `create` of these classes gives a session. */
export interface Prepared {
  pith: Pith;
  name: string;
  contextTokens: number;
}

export async function prepare(options: WritingCreateOptions): Promise<Prepared> {
  options.signal?.throwIfAborted();
  if ((await available(options)) === "unavailable") throw unsupported("This language");
  return ready("model", monitorOf(options), options.signal);
}

/** A session whose inputs are independent of each other. */
export abstract class Writing extends Session {
  readonly sharedContext: string;
  readonly expectedInputLanguages: readonly string[] | null;
  readonly expectedContextLanguages: readonly string[] | null;
  readonly outputLanguage: string | null;
  readonly #prepared: Prepared;
  readonly #context: Context;

  protected constructor(prepared: Prepared, options: WritingCreateOptions) {
    super(options.signal);
    const { sharedContext = "", expectedInputLanguages, expectedContextLanguages, outputLanguage } = options;
    this.#prepared = prepared;
    this.#context = new Context(prepared.pith, prepared.name, prepared.contextTokens);
    this.sharedContext = sharedContext;
    this.expectedInputLanguages = expectedInputLanguages ? Object.freeze(tagsOf(expectedInputLanguages)) : null;
    this.expectedContextLanguages = expectedContextLanguages ? Object.freeze(tagsOf(expectedContextLanguages)) : null;
    this.outputLanguage = outputLanguage === undefined ? null : (tagsOf([outputLanguage])[0] ?? null);
  }

  /** How many tokens an input may take. */
  get inputQuota(): number {
    return Math.floor(this.#prepared.contextTokens * (1 - ANSWER_SHARE));
  }

  /** How many tokens an input would take, with its instructions. */
  async measureInputUsage(input: string, { context = "", signal }: WritingOptions = {}): Promise<number> {
    const both = this.begin(signal);
    return untilAborted(this.#context.measure(this.#messages(String(input), context)), both);
  }

  /** What to do with an input, in a sentence or two. */
  protected abstract task(): string;

  protected async write(input: string, options: WritingOptions = {}): Promise<string> {
    let text = "";
    await this.#write(input, options, this.begin(options.signal), (piece) => {
      text += piece;
    });
    return text.trim();
  }

  protected stream(input: string, options: WritingOptions = {}): ReadableStream<string> {
    options.signal?.throwIfAborted();
    const stop = new AbortController();
    return streamOf<string>(
      (push) => {
        const signal = AbortSignal.any([this.begin(options.signal), stop.signal]);
        return this.#write(input, options, signal, push);
      },
      () => stop.abort(),
    );
  }

  async #write(
    input: string,
    { context = "" }: WritingOptions,
    signal: AbortSignal,
    push: (text: string) => void,
  ): Promise<void> {
    const text = String(input);
    if (text.trim() === "") return;
    const { pith, name } = this.#prepared;
    const messages = this.#messages(text, context);
    const tokens = await untilAborted(this.#context.measure(messages), signal);
    if (tokens > this.inputQuota) throw quotaExceeded(tokens, this.inputQuota);
    const sampling = { temperature: 0.3, topP: 0.9 };
    try {
      const maxTokens = this.#prepared.contextTokens - this.inputQuota;
      const generation = pith.generate(name, messages, { sampling, maxTokens, signal });
      for await (const piece of generation) push(piece);
      await generation.result;
    } catch (error) {
      throw toDomException(error);
    }
  }

  #messages(input: string, context: string): ChatMessage[] {
    const language = this.outputLanguage;
    const name = language ? new Intl.DisplayNames("en", { type: "language" }).of(language) : null;
    const rules = [this.task(), name ? `Write in ${name}.` : "", "Answer with the text alone."];
    const about = [this.sharedContext, context].filter((one) => one.trim() !== "");
    const system = [...rules, ...about.map((one) => `Context: ${one}`)].filter((one) => one !== "").join("\n");
    return [
      { role: "system", content: system },
      { role: "user", content: input },
    ];
  }
}
