// The events of a streamed answer. Nothing in them is trusted: every field is looked at before it is used.
import { createParser } from "eventsource-parser";
import { findError } from "./refusals.js";

/** One event, read. */
export interface Piece {
  content: string;
  /** Thinking, which is not shown: `reasoning_content` of llama-server, `reasoning` of vLLM. */
  thinking: string;
  finish: string | null;
  usage: Usage | null;
  /** Tokens of the prompt that were read, of all; llama-server tells them. */
  reading: { done: number; total: number } | null;
  /** Tokens per second, as llama-server measured them. */
  tokensPerSecond: number | null;
}

export interface Usage {
  promptTokens: number;
  reusedTokens: number;
  tokens: number;
  /** Null where the server does not tell it. */
  thinkingTokens: number | null;
}

export type StreamEvent =
  | { type: "piece"; piece: Piece }
  | { type: "error"; error: Record<string, unknown> | string }
  | { type: "end" }
  | { type: "garbage"; text: string }
  | { type: "tooLong" };

/** How much of an event that cannot be read is told. */
const GARBAGE_MAX = 200;

/**
 * Takes text in any pieces, and calls with each event. Events behind `[DONE]` are passed over. `end` takes a last event that
 * no empty line ends; one that is cut is dropped.
 */
export function readEvents(
  line_max: number,
  onEvent: (event: StreamEvent) => void,
): { feed(text: string): void; end(): void } {
  let isOver = false;
  let isEnding = false;
  const tell = (event: StreamEvent): void => {
    if (isOver || (isEnding && event.type === "garbage")) return;
    isOver = event.type !== "piece";
    onEvent(event);
  };
  const parser = createParser({
    maxBufferSize: line_max,
    onEvent: ({ data, event }) => {
      if (data.length > line_max) tell({ type: "tooLong" });
      else if (data.trim() === "[DONE]") tell({ type: "end" });
      else if (data !== "") tell(toEvent(data, event === "error"));
    },
    onError: ({ type, line }) => {
      if (type === "max-buffer-size-exceeded") tell({ type: "tooLong" });
      // A field that nobody knows is passed over, as the standard asks. A body that is only such has no event: see `chat`.
      else if (type === "unknown-field" && line && /^\s*[{[<]/.test(line)) garbage(line);
    },
  });
  const garbage = (text: string): void => tell({ type: "garbage", text: text.slice(0, GARBAGE_MAX) });
  return {
    feed(text) {
      if (!isOver) parser.feed(text);
    },
    end() {
      isEnding = true;
      if (!isOver) parser.feed("\n\n");
    },
  };
}

function toEvent(data: string, isError: boolean): StreamEvent {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return isError
      ? { type: "error", error: data.slice(0, GARBAGE_MAX) }
      : { type: "garbage", text: data.slice(0, GARBAGE_MAX) };
  }
  const error = findError(value);
  if (error !== null) return { type: "error", error };
  if (!isRecord(value)) return { type: "garbage", text: data.slice(0, GARBAGE_MAX) };
  return { type: "piece", piece: toPiece(value) };
}

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const record = (value: unknown): Json => (isRecord(value) ? value : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
const count = (value: unknown): number => (isCount(value) ? value : 0);

function toPiece(value: Json): Piece {
  const choices = Array.isArray(value["choices"]) ? value["choices"] : [];
  const choice = record(choices[0]);
  // Some servers send the last piece of a stream as they send a whole answer.
  const delta = record(choice["delta"] ?? choice["message"]);
  const { total, processed } = record(value["prompt_progress"]);
  const rate = record(value["timings"])["predicted_per_second"];
  return {
    content: text(delta["content"]),
    thinking: text(delta["reasoning_content"]) || text(delta["reasoning"]),
    finish: text(choice["finish_reason"]) || null,
    usage: isRecord(value["usage"]) ? toUsage(value["usage"]) : null,
    reading: isCount(total) && isCount(processed) ? { done: Math.min(processed, total), total } : null,
    tokensPerSecond: typeof rate === "number" && Number.isFinite(rate) && rate > 0 ? rate : null,
  };
}

function toUsage(usage: Json): Usage {
  const thinking = record(usage["completion_tokens_details"])["reasoning_tokens"];
  return {
    promptTokens: count(usage["prompt_tokens"]),
    reusedTokens: count(record(usage["prompt_tokens_details"])["cached_tokens"]),
    tokens: count(usage["completion_tokens"]),
    thinkingTokens: isCount(thinking) ? thinking : null,
  };
}
