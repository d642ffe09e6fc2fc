// In the page of a test: the built-in classes on a model. Tests that were written for Chromium's echo model get an echo
// model: tokens, template, context and calls are those of the real worker and model, only the text is the prompt again.

import { configure, install } from "../../web/src/built-in/index.ts";
import { Pith } from "../../web/src/client.ts";
import { Generation, type GenerationResult } from "../../web/src/generation.ts";
import type { GenerateOptions, PromptInput } from "../../web/src/options.ts";
import type { ChatMessage, GenerationStats, ToolCall, ToolSpec } from "../../web/src/protocol.gen.ts";

export interface StartOptions {
  kind: "model" | "echo";
  /** The model's address. */
  model: string;
  contextTokens: number;
}

/** Makes the classes global, even where the browser has its own. */
export function start({ kind, model, contextTokens }: StartOptions): void {
  const common = {
    model: { packaged: model },
    embedder: { packaged: model },
    load: { backend: "cpu" as const, contextTokens },
  };
  configure(kind === "echo" ? { ...common, pith: new EchoPith() as unknown as Pith } : common);
  install({ force: true });
}

/** Begins a message that asks Chromium's echo model for calls of the declared tools. */
const TRIGGER = /^<Generate(Simple|Multiple)ToolCalls>/;
const STATS = { tokens: 0, promptTokens: 0, reusedTokens: 0 } as GenerationStats;

/** A client whose model says what it was told. Everything else is a real client's. */
class EchoPith {
  readonly alive = true;
  #opened: Promise<Pith> | undefined;

  #pith(): Promise<Pith> {
    return (this.#opened ??= Pith.open());
  }

  async status(): ReturnType<Pith["status"]> {
    return (await this.#pith()).status();
  }

  async load(...given: Parameters<Pith["load"]>): ReturnType<Pith["load"]> {
    return (await this.#pith()).load(...given);
  }

  async tokenize(...given: Parameters<Pith["tokenize"]>): ReturnType<Pith["tokenize"]> {
    return (await this.#pith()).tokenize(...given);
  }

  async applyTemplate(...given: Parameters<Pith["applyTemplate"]>): ReturnType<Pith["applyTemplate"]> {
    return (await this.#pith()).applyTemplate(...given);
  }

  generate(_model: string, prompt: PromptInput, { signal }: GenerateOptions = {}): Generation {
    const { messages, tools = [] } = prompt as { messages: ChatMessage[]; tools?: ToolSpec[] };
    return new Generation(
      async (push): Promise<GenerationResult> => {
        const { text, toolCalls } = echo(messages, tools);
        for (const word of text.match(/\S*\s*/g) ?? []) {
          // As a worker's messages do, each piece comes in a task of its own.
          await new Promise((resolve) => setTimeout(resolve));
          signal?.throwIfAborted();
          push({ text: word, logprobs: [], deltas: [{ type: "content", text: word }] });
        }
        const message = { content: text, reasoning: "", toolCalls };
        return { text, message, ids: [], logprobs: null, finishReason: "stop", stats: STATS };
      },
      () => {},
    );
  }
}

function echo(messages: readonly ChatMessage[], tools: readonly ToolSpec[]): { text: string; toolCalls: ToolCall[] } {
  const last = messages.at(-1)?.content ?? "";
  const parts = messages
    .slice(0, -1)
    .flatMap((message) => (message.role === "system" ? [message.content] : told(message)));
  const text = ["You said:", ...parts, ...told(messages.at(-1)), last.replace(TRIGGER, "")].join("\n");
  if (!TRIGGER.test(last)) return { text, toolCalls: [] };
  const toolCalls = tools.map(({ name, description = "" }, at) => ({
    id: `call_${messages.length}_${at}`,
    name,
    arguments: /Args: (\{.*\})/.exec(description)?.[1] ?? "{}",
  }));
  return { text, toolCalls };
}

/** Calls and results of a message, in the words of Chromium's echo model. */
function told(message: ChatMessage | undefined): string[] {
  const calls = (message?.toolCalls ?? []).map(
    ({ id, name, arguments: given }) =>
      `<tool-call>${JSON.stringify({ callID: id, name, arguments: JSON.parse(given) as unknown })}</tool-call>`,
  );
  if (message?.role !== "tool") return calls;
  const { toolCallId: callID, name, content } = message;
  const failure = content.startsWith('{"error":') ? (JSON.parse(content) as { error: string }).error : null;
  const outcome = failure === null ? { result: [content] } : { errorMessage: failure };
  return [...calls, `<tool-response>${JSON.stringify({ callID, name, ...outcome })}</tool-response>`];
}
