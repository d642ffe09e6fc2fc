// A conversation with the language model that the reader chose: one on this machine, or the browser's.
import type { BackendChoice, Progress } from "@pith/web";
import type { Ending } from "../../acts-wire.js";
import type { ChatTurn } from "../act-prompt.js";
import type { Engine } from "../engine.js";
import { LANGUAGE } from "../model-names.js";
import { hasCode } from "../run.js";
import { openBrowserModel } from "./browser.js";
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
  backend: BackendChoice,
  messages: ChatTurn[],
  { signal, onProgress, onText }: ChatHooks,
): Promise<ChatAnswer> {
  try {
    await engine.loadWriter(name, backend, signal, onProgress);
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

/** Lets the browser's own model answer. `title`: what the reader knows it by. */
export async function chatInBrowser(
  title: string,
  messages: ChatTurn[],
  { signal, onProgress, onText }: ChatHooks,
): Promise<ChatAnswer> {
  onProgress({ stage: "prefill", done: 0, total: 0 });
  const talker = await openBrowserModel(title, signal);
  const stop = new AbortController();
  let looped: string | null = null;
  const take = (text: string): void => {
    onProgress({ stage: "decode", done: 0, total: 0 });
    const end = loopStart(text);
    onText(text.slice(0, end ?? text.length));
    if (end === null) return;
    looped = text.slice(0, end);
    stop.abort();
  };
  try {
    const hooks = { signal: AbortSignal.any([signal, stop.signal]), onText: take };
    const { text, finish } = await talker.chat({ messages, maxTokens: TOKENS_MAX, variant: 0 }, hooks);
    return { text, ending: finish === "length" ? "length" : "whole" };
  } catch (error) {
    if (looped === null || signal.aborted) throw error;
    return { text: looped, ending: "loop" };
  }
}
