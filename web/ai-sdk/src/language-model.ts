import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { FinishReason, GenerationStats, Pith } from "@pith/web";
import { Thinking } from "@pith/web/openai";
import { toMessages, toOptions } from "./prompt.js";

/** A language model that is loaded in a client. */
export class PithLanguageModel implements LanguageModelV4 {
  readonly specificationVersion = "v4";
  readonly provider = "pith";
  readonly modelId: string;
  /** Files are not read. */
  readonly supportedUrls = {};
  readonly #pith: Pith;

  constructor(pith: Pith, modelId: string) {
    this.#pith = pith;
    this.modelId = modelId;
  }

  async doGenerate(call: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const { messages, options, warnings, thinking } = await this.#begin(call);
    const { text, finishReason, stats } = await this.#pith.generate(this.modelId, messages, options).result;
    const parts = [thinking.push(text), thinking.finish()];
    const thought = parts.map((part) => part.thought).join("");
    const content: LanguageModelV4Content[] = [{ type: "text", text: parts.map((part) => part.answer).join("") }];
    if (thought) content.unshift({ type: "reasoning", text: thought });
    return { content, finishReason: reasonOf(finishReason), usage: usageOf(stats), warnings };
  }

  async doStream(call: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const { messages, options, warnings, thinking } = await this.#begin(call);
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const generation = this.#pith.generate(this.modelId, messages, { ...options, signal });
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async start(controller) {
        const blocks = new Blocks((part) => controller.enqueue(part));
        controller.enqueue({ type: "stream-start", warnings });
        try {
          for await (const piece of generation) blocks.add(thinking.push(piece));
          const { finishReason, stats } = await generation.result;
          blocks.add(thinking.finish());
          blocks.end();
          controller.enqueue({ type: "finish", finishReason: reasonOf(finishReason), usage: usageOf(stats) });
        } catch (error) {
          if (stop.signal.aborted) return;
          blocks.end();
          controller.enqueue({ type: "error", error });
        }
        controller.close();
      },
      cancel: () => stop.abort(),
    });
    return { stream };
  }

  async #begin(call: LanguageModelV4CallOptions) {
    const { options, warnings } = toOptions(call);
    const messages = toMessages(call.prompt);
    const turns = messages.map((message) => ({ ...message }));
    const prompt = await this.#pith.applyTemplate(
      this.modelId,
      turns,
      call.abortSignal ? { signal: call.abortSignal } : {},
    );
    return { messages, options, warnings, thinking: new Thinking(!options.format && /<think>\s*$/.test(prompt)) };
  }
}

/** Parts of a stream: a block of thoughts, then one of text. */
class Blocks {
  readonly #send: (part: LanguageModelV4StreamPart) => void;
  #open: "reasoning" | "text" | null = null;

  constructor(send: (part: LanguageModelV4StreamPart) => void) {
    this.#send = send;
  }

  add({ thought, answer }: { thought: string; answer: string }): void {
    if (thought) this.#write("reasoning", thought);
    if (answer) this.#write("text", answer);
  }

  end(): void {
    if (this.#open) this.#send({ type: `${this.#open}-end`, id: this.#open });
    this.#open = null;
  }

  #write(block: "reasoning" | "text", delta: string): void {
    if (this.#open !== block) {
      this.end();
      this.#open = block;
      this.#send({ type: `${block}-start`, id: block });
    }
    this.#send({ type: `${block}-delta`, id: block, delta });
  }
}

/** A full context ends an answer as its length does. */
const reasonOf = (raw: FinishReason): LanguageModelV4FinishReason => ({
  unified: raw === "stop" ? "stop" : "length",
  raw,
});

const usageOf = ({ promptTokens, reusedTokens, tokens }: GenerationStats): LanguageModelV4Usage => ({
  inputTokens: {
    total: promptTokens,
    noCache: promptTokens - reusedTokens,
    cacheRead: reusedTokens,
    cacheWrite: promptTokens - reusedTokens,
  },
  outputTokens: { total: tokens, text: undefined, reasoning: undefined },
});
