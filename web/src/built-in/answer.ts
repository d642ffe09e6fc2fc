// Answers of the Prompt API: text, and the calls of tools in it.
import type { Generation } from "../generation.js";
import type { ChatMessage, ParsedMessage } from "../protocol.gen.js";
import { type LanguageModelToolCall, toToolCall } from "./tools.js";

/** A tool call in an answer. */
export interface ToolCallContent {
  type: "tool-call";
  value: LanguageModelToolCall;
}

/** An answer: its text, or with tool calls its parts. */
export type PromptResult = string | ({ type: "text"; value: string } | ToolCallContent)[];
/** A piece of a streamed answer: text, or a whole tool call. */
export type PromptChunk = string | ToolCallContent;

/** What a model wrote. */
export type Answer = Pick<ParsedMessage, "content" | "toolCalls">;

/** An answer as `prompt` gives it. */
export function toResult({ content, toolCalls }: Answer): PromptResult {
  if (toolCalls.length === 0) return content;
  const calls = toolCalls.map((call) => ({ type: "tool-call" as const, value: toToolCall(call) }));
  return content === "" ? calls : [{ type: "text", value: content }, ...calls];
}

/** Passes text on as it is written. */
export async function readText(generation: Generation, push: (piece: string) => void): Promise<Answer> {
  let content = "";
  for await (const piece of generation) {
    content += piece;
    push(piece);
  }
  await generation.result;
  return { content, toolCalls: [] };
}

/** Passes text on as it is written, and tool calls when they are whole. */
export async function readParts(generation: Generation, push: (piece: PromptChunk) => void): Promise<Answer> {
  for await (const { deltas } of generation.pieces())
    for (const delta of deltas) if (delta.type === "content" && delta.text) push(delta.text);
  const { message, text } = await generation.result;
  const { content, toolCalls } = message ?? { content: text, toolCalls: [] };
  for (const call of toolCalls) push({ type: "tool-call", value: toToolCall(call) });
  return { content, toolCalls };
}

/** The messages with the model's answer behind them. */
export function answered(
  messages: readonly ChatMessage[],
  hasPrefix: boolean,
  { content, toolCalls }: Answer,
): ChatMessage[] {
  const last = messages.at(-1);
  const calls = toolCalls.length > 0 && { toolCalls };
  if (!hasPrefix || !last) return [...messages, { role: "assistant", content, ...calls }];
  return [...messages.slice(0, -1), { role: "assistant", content: last.content + content, ...calls }];
}
