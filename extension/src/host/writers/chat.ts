// A conversation with the language model on this machine that the reader chose.
import type { Progress } from "@pith/web";
import type { Ending } from "../../acts-wire.js";
import type { Reading } from "../../encoder-wire.js";
import type { ChatTurn } from "../act-prompt.js";
import { type Engine, LANGUAGE } from "../engine.js";
import { hasCode } from "../run.js";
import { loopStart } from "./loop.js";
import { gone } from "./missing.js";

const TOKENS_MAX = 768;

export interface ChatHooks {
  signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** All that was written so far. */
  onText(text: string): void;
}

/** What was written, without what it repeats at its end. */
export interface ChatAnswer {
  text: string;
  ending: Ending;
}

/** Loads the stored model `name` where it is not loaded, and lets it answer. */
export async function chat(
  engine: Engine,
  name: string,
  reading: Reading,
  messages: ChatTurn[],
  { signal, onProgress, onText }: ChatHooks,
): Promise<ChatAnswer> {
  try {
    await engine.loadWriter(name, reading, null, signal, onProgress);
    const pith = await engine.pith();
    const options = { maxTokens: TOKENS_MAX, signal, onProgress };
    const generation = pith.generate(LANGUAGE, { type: "chat", messages }, options);
    let text = "";
    for await (const piece of generation) {
      text += piece;
      const end = loopStart(text);
      onText(text.slice(0, end ?? text.length));
      // Nothing more is written then.
      if (end !== null) return { text: text.slice(0, end), ending: "loop" };
    }
    const { finishReason, text: whole } = await generation.result;
    return { text: whole, ending: finishReason === "stop" ? "whole" : "length" };
  } catch (error) {
    // It was deleted while it was being read, or after it had left the memory.
    if (hasCode(error, "not_stored")) throw gone(name);
    throw error;
  }
}
