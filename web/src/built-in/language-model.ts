import type { Pith } from "../client.js";
import type { ChatMessage, Format, Prompt, Sampling } from "../protocol.gen.js";
import { readConstraint, tellConstraint } from "./constraint.js";
import { Context } from "./context.js";
import { type Availability, availability, ready, untilAborted } from "./engine.js";
import { QuotaExceeded, toDomException, unsupported } from "./errors.js";
import {
  check,
  type LanguageModelCoreOptions,
  type LanguageModelCreateOptions,
  type LanguageModelPromptOptions,
} from "./language-model-options.js";
import { type PromptInput, readPrompt, type Turns } from "./prompt.js";
import { monitorOf, Session, streamOf } from "./session.js";

/** What is asked, and the format of the answer. */
interface Input {
  turns: Turns;
  format: Format | null;
}

/** The Prompt API's `LanguageModel`, on a model of this worker. */
export class LanguageModel extends Session {
  readonly #pith: Pith;
  readonly #name: string;
  readonly #sampling: Sampling;
  readonly #context: Context;
  /** Prompts of a session are answered one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #onOverflow: ((event: Event) => void) | null = null;

  private constructor(pith: Pith, name: string, sampling: Sampling, context: Context, signal: AbortSignal | undefined) {
    super(signal);
    this.#pith = pith;
    this.#name = name;
    this.#sampling = sampling;
    this.#context = context;
  }

  static async availability(options: LanguageModelCoreOptions = {}): Promise<Availability> {
    try {
      return await availability("model", check(options).languages);
    } catch (error) {
      if (error instanceof DOMException && error.name === "NotSupportedError") return "unavailable";
      throw error;
    }
  }

  static async create(options: LanguageModelCreateOptions = {}): Promise<LanguageModel> {
    const { signal, initialPrompts = [] } = options;
    signal?.throwIfAborted();
    const { languages, sampling } = check(options);
    const start = readPrompt(initialPrompts, true);
    if ((await availability("model", languages)) === "unavailable") throw unsupported("This use of the model");
    const monitor = monitorOf(options);
    const { pith, name, contextTokens } = await ready("model", monitor, signal);
    const context = new Context(pith, name, contextTokens);
    const cost = await untilAborted(context.measure(start.messages), signal);
    if (cost > contextTokens) throw new QuotaExceeded(cost, contextTokens);
    await context.keep(start.messages, true);
    return new LanguageModel(pith, name, sampling, context, signal);
  }

  /** How many tokens of the context are taken. */
  get contextUsage(): number {
    return this.#context.usage;
  }

  /** How many tokens the context has. */
  get contextWindow(): number {
    return this.#context.window;
  }

  get oncontextoverflow(): ((event: Event) => void) | null {
    return this.#onOverflow;
  }

  set oncontextoverflow(listener: ((event: Event) => void) | null) {
    if (this.#onOverflow) this.removeEventListener("contextoverflow", this.#onOverflow);
    this.#onOverflow = typeof listener === "function" ? listener : null;
    if (this.#onOverflow) this.addEventListener("contextoverflow", this.#onOverflow);
  }

  /** How many tokens an input would take. */
  async measureContextUsage(input: PromptInput, options: LanguageModelPromptOptions = {}): Promise<number> {
    const both = this.begin(options.signal);
    return untilAborted(this.#context.measure(readInput(input, options).turns.messages), both);
  }

  /** The model's answer. */
  async prompt(input: PromptInput, options: LanguageModelPromptOptions = {}): Promise<string> {
    const signal = this.begin(options.signal);
    const read = readInput(input, options);
    let text = "";
    await this.#answer(read, signal, (piece) => {
      text += piece;
    });
    return text;
  }

  /** The model's answer as it is written. */
  promptStreaming(input: PromptInput, options: LanguageModelPromptOptions = {}): ReadableStream<string> {
    const stop = new AbortController();
    return streamOf(
      async (push) => {
        const signal = AbortSignal.any([this.begin(options.signal), stop.signal]);
        await this.#answer(readInput(input, options), signal, push);
      },
      () => stop.abort(),
    );
  }

  /** Adds messages to the context without an answer. */
  async append(input: PromptInput, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    const both = this.begin(signal);
    const { messages, hasPrefix } = readPrompt(input, false);
    if (hasPrefix) throw unsupported("A prefix without an answer");
    await this.#inTurn(both, async () => {
      await this.#makeRoom(messages);
      await this.#context.keep(messages);
    });
  }

  /** A session with the same context. */
  async clone({ signal }: { signal?: AbortSignal } = {}): Promise<LanguageModel> {
    this.begin(signal);
    return new LanguageModel(this.#pith, this.#name, this.#sampling, this.#context.copy(), signal);
  }

  async #answer({ turns, format }: Input, signal: AbortSignal, push: (text: string) => void): Promise<void> {
    const { messages, hasPrefix } = turns;
    await this.#inTurn(signal, async () => {
      await this.#makeRoom(messages);
      const prompt: Prompt = {
        type: "chat",
        messages: [...this.#context.messages, ...messages],
        continueLast: hasPrefix,
      };
      let text = "";
      const generation = this.#pith.generate(this.#name, prompt, {
        sampling: this.#sampling,
        maxTokens: Math.max(1, this.#context.window),
        signal,
        ...(format && { format }),
      });
      for await (const piece of generation) {
        text += piece;
        push(piece);
      }
      await generation.result;
      await this.#context.keep(answered(messages, hasPrefix, text));
    });
  }

  /** Drops the oldest turns until the messages fit, with room for an answer where that is possible. */
  async #makeRoom(messages: readonly ChatMessage[]): Promise<void> {
    const cost = await this.#context.measure(messages);
    const { window, startUsage } = this.#context;
    if (startUsage + cost > window) throw new QuotaExceeded(cost, window - startUsage);
    if (this.#context.makeRoom(cost)) this.dispatchEvent(new Event("contextoverflow"));
  }

  async #inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    this.#last = turn.catch(() => {});
    try {
      return await untilAborted(turn, signal);
    } catch (error) {
      throw toDomException(error);
    }
  }
}

/** The messages with the model's answer behind them. */
function answered(messages: readonly ChatMessage[], hasPrefix: boolean, text: string): ChatMessage[] {
  const last = messages.at(-1);
  if (!hasPrefix || !last) return [...messages, { role: "assistant", content: text }];
  return [...messages.slice(0, -1), { role: "assistant", content: last.content + text }];
}

function readInput(input: PromptInput, options: LanguageModelPromptOptions): Input {
  const format = readConstraint(options.responseConstraint);
  const turns = readPrompt(input, false);
  return { turns: options.omitResponseConstraintInput ? turns : tellConstraint(turns, format), format };
}
