// The browser's own language model. It is never downloaded from here: that takes a press on the models page.
import { PithError, type WrittenText } from "@pith/web";
import { type BrowserModel, type BrowserOptions, type BrowserSession, findBrowserModel } from "../../browser-model.js";
import type { Device } from "./device.js";
import { ElsewhereWriter, type Talker } from "./elsewhere.js";
import type { ChatRequest, Message } from "./openai/client.js";
import type { ChatHooks, ChatResult } from "./openai/collected.js";
import type { Room } from "./openai/errors.js";

/** Longer texts than were asked for are cut: the browser takes no limit. So many characters are a token, at least. */
const TOKEN_CHARS = 6;
const TEMPERATURE = 0.8;

const failed = (code: string, detail: string): PithError => new PithError({ code, message: "", detail });

/** Lets the browser's model write. `title`: what the reader knows it by. */
export class BrowserWriter extends ElsewhereWriter {
  constructor(device: Device, title: string, find: () => BrowserModel | null = findBrowserModel) {
    super(device, (signal) => openBrowserModel(title, signal, find()));
  }
}

/** Gets the model ready. Throws `browser_model_gone` where the browser does not have it whole. */
export async function openBrowserModel(
  title: string,
  signal: AbortSignal,
  model: BrowserModel | null = findBrowserModel(),
): Promise<Talker> {
  const state = model ? await model.availability().catch(String) : "unavailable";
  if (!model || state !== "available") throw failed("browser_model_gone", state);
  const contextTokens = await measured(model, signal);
  return {
    by: title,
    where: "browser",
    contextTokens,
    chat: (request, hooks) => chat(model, request, hooks),
    roomOf,
  };
}

/** The context length. Only a session tells it. */
async function measured(model: BrowserModel, signal: AbortSignal): Promise<number | null> {
  const session = await create(model, { signal });
  const tokens = session.contextWindow ?? session.inputQuota ?? 0;
  session.destroy();
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null;
}

async function create(model: BrowserModel, options: BrowserOptions & { signal: AbortSignal }): Promise<BrowserSession> {
  try {
    return await model.create(options);
  } catch (error) {
    options.signal.throwIfAborted();
    throw roomOf(error) ? error : failed("browser_model_failed", String(error));
  }
}

/** Has it answer the last message, in a session of its own. */
async function chat(
  model: BrowserModel,
  { messages, maxTokens, variant }: ChatRequest,
  { signal, onText }: ChatHooks,
): Promise<ChatResult> {
  const begun_ms = performance.now();
  const initialPrompts = messages.slice(0, -1) as Message[];
  const session = await create(model, { initialPrompts, ...(await sampling(model, variant)), signal });
  let text = "";
  let pieces = 0;
  let first_ms = 0;
  try {
    const reader = session.promptStreaming(messages.at(-1)?.content ?? "", { signal }).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      first_ms ||= performance.now() - begun_ms;
      pieces += 1;
      text += value;
      onText?.(text);
      if (text.length <= maxTokens * TOKEN_CHARS) continue;
      await reader.cancel();
      return told(text, pieces, first_ms, "length");
    }
    return told(text, pieces, first_ms, "stop");
  } catch (error) {
    signal.throwIfAborted();
    throw roomOf(error) ? error : failed("browser_model_failed", String(error));
  } finally {
    session.destroy();
  }
}

/** The most probable text, or another one. Only extensions may choose. */
async function sampling(model: BrowserModel, variant: number): Promise<Pick<BrowserOptions, "temperature" | "topK">> {
  const params = await model.params?.().catch(() => null);
  if (!params) return {};
  if (variant === 0) return { temperature: 0, topK: 1 };
  return { temperature: Math.min(TEMPERATURE, params.maxTemperature), topK: params.defaultTopK };
}

function told(text: string, pieces: number, firstToken_ms: number, finish: WrittenText["finishReason"]): ChatResult {
  return { text, finish, usage: null, thinkingTokens: 0, tokens: pieces, firstToken_ms, tokensPerSecond: null };
}

/** `QuotaExceededError` says how long the prompt was and might have been. */
function roomOf(error: unknown): Room | null {
  const { name, requested, quota } = (error ?? {}) as { name?: unknown; requested?: unknown; quota?: unknown };
  if (name !== "QuotaExceededError") return null;
  return { promptTokens: Number(requested) || null, contextTokens: Number(quota) || null };
}
