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
import type { FinishReason, GenerationStats, MessageDelta, Pith } from "@pith/web";
import { toOptions, toPrompt } from "./prompt.js";

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
    const { options, warnings } = toOptions(call);
    const { message, finishReason, stats } = await this.#pith.generate(this.modelId, toPrompt(call), options).result;
    const { content: text, reasoning, toolCalls } = message ?? { content: "", reasoning: "", toolCalls: [] };
    const content: LanguageModelV4Content[] = toolCalls.map(({ id, name, arguments: input }) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input,
    }));
    if (text || toolCalls.length === 0) content.unshift({ type: "text", text });
    if (reasoning) content.unshift({ type: "reasoning", text: reasoning });
    return { content, finishReason: reasonOf(finishReason), usage: usageOf(stats), warnings };
  }

  async doStream(call: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const { options, warnings } = toOptions(call);
    const stop = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
    const generation = this.#pith.generate(this.modelId, toPrompt(call), { ...options, signal });
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      async start(controller) {
        const blocks = new Blocks((part) => controller.enqueue(part));
        controller.enqueue({ type: "stream-start", warnings });
        try {
          for await (const { deltas } of generation.pieces()) for (const delta of deltas) blocks.add(delta);
          const { finishReason, stats } = await generation.result;
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
}

/** Parts of a stream: a block of thoughts, one of text, one for each tool call. */
class Blocks {
  readonly #send: (part: LanguageModelV4StreamPart) => void;
  #open: "reasoning" | "text" | null = null;

  constructor(send: (part: LanguageModelV4StreamPart) => void) {
    this.#send = send;
  }

  #call = { toolCallId: "", toolName: "", input: "" };

  add(delta: MessageDelta): void {
    const { toolCallId: id } = this.#call;
    switch (delta.type) {
      case "reasoning":
        return this.#write("reasoning", delta.text);
      case "content":
        return this.#write("text", delta.text);
      case "toolCall":
        this.end();
        this.#call = { toolCallId: delta.id, toolName: delta.name, input: "" };
        return this.#send({ type: "tool-input-start", id: delta.id, toolName: delta.name });
      case "arguments":
        this.#call.input += delta.text;
        return this.#send({ type: "tool-input-delta", id, delta: delta.text });
      case "toolCallEnd":
        this.#send({ type: "tool-input-end", id });
        return this.#send({ type: "tool-call", ...this.#call });
    }
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
  unified: raw === "toolCalls" ? "tool-calls" : raw === "stop" ? "stop" : "length",
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
