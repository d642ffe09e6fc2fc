import type { Pith } from "../client.js";
import type { ChatMessage, Format, Prompt, Sampling } from "../protocol.gen.js";
import { type Answer, answered, type PromptChunk, type PromptResult, readParts, readText, toResult } from "./answer.js";
import { readConstraint, tellConstraint } from "./constraint.js";
import { ContextSession } from "./context-session.js";
import { Context } from "./context.js";
import { type Availability, availability, ready, untilAborted } from "./engine.js";
import { quotaExceeded, toDomException, unsupported } from "./errors.js";
import {
  check,
  type LanguageModelCoreOptions,
  type LanguageModelCreateOptions,
  type LanguageModelPromptOptions,
  type SamplingMode,
} from "./language-model-options.js";
import { type PromptInput, readPrompt, type Turns } from "./prompt.js";
import { monitorOf, streamOf } from "./session.js";

/** What is asked, and the format of the answer. */
interface Input {
  turns: Turns;
  format: Format | null;
}

/** What a session was created with. */
interface Setup {
  pith: Pith;
  name: string;
  sampling: Sampling;
  samplingMode: SamplingMode | null;
  /** Types of input beside text. */
  types: ReadonlySet<string>;
}

/** The Prompt API's `LanguageModel`, on a model of this worker. */
export class LanguageModel extends ContextSession {
  readonly #setup: Setup;
  readonly #context: Context;
  /** Prompts of a session are answered one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** Whether there are messages, or some were passed: a system message would come too late. */
  #isBegun: boolean;

  private constructor(setup: Setup, context: Context, signal: AbortSignal | undefined) {
    super(signal);
    this.#setup = setup;
    this.#context = context;
    this.#isBegun = context.messages.length > 0;
  }

  static async availability(options: LanguageModelCoreOptions = {}): Promise<Availability> {
    try {
      const { expectedInputs = [], expectedOutputs = [], tools = [], samplingMode } = options;
      const asked = { expectedInputs, expectedOutputs, tools, ...(samplingMode !== undefined && { samplingMode }) };
      return await availability("model", check(asked).languages);
    } catch (error) {
      if (error instanceof DOMException && error.name === "NotSupportedError") return "unavailable";
      throw error;
    }
  }

  static async create(options: LanguageModelCreateOptions = {}): Promise<LanguageModel> {
    const { signal, initialPrompts = [] } = options;
    signal?.throwIfAborted();
    const { languages, tools, ...how } = check(options);
    const start = readPrompt(initialPrompts, { system: true, prefix: false, types: how.types });
    if ((await availability("model", languages)) === "unavailable") throw unsupported("This use of the model");
    const monitor = monitorOf(options);
    const { pith, name, contextTokens } = await ready("model", monitor, signal);
    const context = new Context(pith, name, contextTokens, tools);
    const counting = Promise.all([context.measure(start.messages), context.declare()]);
    const [ofMessages, ofTools] = await untilAborted(counting, signal);
    const cost = ofMessages + ofTools;
    if (cost > contextTokens) throw quotaExceeded(cost, contextTokens);
    await untilAborted(context.keep(start.messages, true), signal);
    return new LanguageModel({ pith, name, ...how }, context, signal);
  }

  /** Null where the session was created with temperature and topK. */
  get samplingMode(): SamplingMode | null {
    return this.#setup.samplingMode;
  }

  override get contextUsage(): number {
    return this.#context.usage;
  }

  override get contextWindow(): number {
    return this.#context.window;
  }

  override async measureContextUsage(input: PromptInput, options: LanguageModelPromptOptions = {}): Promise<number> {
    const both = this.begin(options.signal);
    const { messages } = this.#read(input, options, true).turns;
    return untilAborted(this.#context.measure(messages), both);
  }

  /** The model's answer: text, or where the model calls tools its parts (then `prompt<PromptResult>`). */
  async prompt<T extends PromptResult = string>(
    input: PromptInput,
    options: LanguageModelPromptOptions = {},
  ): Promise<T> {
    const signal = this.begin(options.signal);
    return toResult(await this.#answer(this.#read(input, options), signal, () => {})) as T;
  }

  /** The model's answer as it is written: text, and with tools whole calls (then `promptStreaming<PromptChunk>`). */
  promptStreaming<T extends PromptChunk = string>(
    input: PromptInput,
    options: LanguageModelPromptOptions = {},
  ): ReadableStream<T> {
    options.signal?.throwIfAborted();
    const stop = new AbortController();
    return streamOf<T>(
      async (push) => {
        const signal = AbortSignal.any([this.begin(options.signal), stop.signal]);
        await this.#answer(this.#read(input, options), signal, (piece) => push(piece as T));
      },
      () => stop.abort(),
    );
  }

  /** Adds messages to the context without an answer. */
  async append(input: PromptInput, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    const both = this.begin(signal);
    const { messages, hasPrefix } = this.#read(input, {}).turns;
    if (hasPrefix) throw unsupported("A prefix without an answer");
    await this.#inTurn(both, async () => {
      await this.#makeRoom(messages);
      await this.#context.keep(messages);
    });
  }

  /** A session with the same context. */
  async clone({ signal }: { signal?: AbortSignal } = {}): Promise<LanguageModel> {
    const both = this.begin(signal);
    const copied = Promise.resolve().then(() => new LanguageModel(this.#setup, this.#context.copy(), signal));
    return untilAborted(copied, both);
  }

  #read(input: PromptInput, options: LanguageModelPromptOptions, isMeasure = false): Input {
    const format = readConstraint(options.responseConstraint);
    if (format && this.#context.tools.length > 0) throw unsupported("responseConstraint in a session with tools");
    const rules = { system: isMeasure || !this.#isBegun, prefix: true, types: this.#setup.types };
    const turns = readPrompt(input, rules);
    // The format is that of the generated text, to which the prefix does not belong.
    if (format && turns.hasPrefix) throw unsupported("responseConstraint with a prefix");
    if (!isMeasure) this.#isBegun = true;
    return { turns: options.omitResponseConstraintInput ? turns : tellConstraint(turns, format), format };
  }

  async #answer({ turns, format }: Input, signal: AbortSignal, push: (piece: PromptChunk) => void): Promise<Answer> {
    const { hasPrefix } = turns;
    // A model answers a message; an empty list counts as an empty one.
    const messages = turns.messages.length > 0 ? turns.messages : [{ role: "user", content: "" }];
    return this.#inTurn(signal, async () => {
      await this.#makeRoom(messages);
      const { pith, name, sampling } = this.#setup;
      const { tools } = this.#context;
      const prompt: Prompt = {
        type: "chat",
        messages: [...this.#context.messages, ...messages],
        continueLast: hasPrefix,
        ...(tools.length > 0 && { tools: [...tools] }),
      };
      const generation = pith.generate(name, prompt, {
        sampling,
        maxTokens: Math.max(1, this.#context.window),
        signal,
        ...(format && { format }),
      });
      const answer = tools.length > 0 ? await readParts(generation, push) : await readText(generation, push);
      await this.#context.keep(answered(messages, hasPrefix, answer));
      return answer;
    });
  }

  /** Drops the oldest turns until the messages fit, with room for an answer where that is possible. */
  async #makeRoom(messages: readonly ChatMessage[]): Promise<void> {
    const cost = await this.#context.measure(messages);
    const { window, startUsage } = this.#context;
    if (startUsage + cost > window) throw quotaExceeded(cost, window - startUsage);
    if (this.#context.makeRoom(cost)) this.overflowed();
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
