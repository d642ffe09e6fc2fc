import { clientErrors } from "./errors.js";
import type {
  BackendChoice,
  CacheType,
  ChatMessage,
  Format,
  LocalTime,
  LoraUse,
  Overflow,
  Precision,
  Prompt,
  Sampling,
  Stage,
  WriterTier,
} from "./protocol.gen.js";
import type { Pauser } from "./pauser.js";

/** Progress of a request. `total` is 0 while unknown. */
export interface Progress {
  stage: Stage;
  done: number;
  total: number;
  /** Of a download: its recent speed. */
  bytesPerS?: number;
  /** Of a download: time until it is complete. At the stage `retry`: time until the next attempt. */
  leftMs?: number;
}

/** Options of every request. */
export interface RequestOptions {
  /** Aborts the request: it rejects with an `AbortError` at once. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `Pith.open`. */
export interface OpenOptions {
  /** URL of the worker script; by default the one beside the client. */
  workerUrl?: string | URL | undefined;
  /** One worker, and its models, for all tabs of the origin. */
  shared?: boolean | undefined;
  /** A running worker, or a port to one. */
  endpoint?: Worker | MessagePort | undefined;
  /** `open` rejects with `worker_start` if the worker does not answer in this time. 60,000 by default. */
  timeoutMs?: number | undefined;
}

/** Options of requests that may download. */
export interface FetchOptions extends RequestOptions {
  /** Pauses and resumes the download. */
  pauser?: Pauser | undefined;
}

/** Options of `fit`. */
export interface FitOptions extends RequestOptions {
  /** `auto` tries WebGPU, then WebGL2, then the CPU; `backend.reason` tells why. */
  backend?: BackendChoice | undefined;
  /** Context length to reserve memory for; by default the model's own, up to a limit. */
  contextTokens?: number | undefined;
  /** Type of the KV cache: `f16`, `q8_0` and `q4_0` take less memory than `f32` and are less accurate. */
  cacheType?: CacheType | undefined;
}

/** Options of `load`. */
export interface LoadOptions extends FitOptions, FetchOptions {
  /** How exact products with quantized weights are on the CPU; `fast` by default. GPUs and embedding models are always exact. */
  precision?: Precision | undefined;
  /** Loads a model even if it is reported as too large (the error `too_large`). */
  force?: boolean | undefined;
  /** What it may write about pages, where that is known, as in `verdict` of `@pith/web/models`: then it is not tested. */
  tier?: WriterTier | undefined;
}

/** Options of requests to a model with LoRA adapters. */
export interface LoraOptions {
  /** A LoRA adapter of the model; its `scale` is 1 by default. */
  lora?: LoraUse | undefined;
}

/** Options of `embed`. */
export interface EmbedOptions extends RequestOptions, LoraOptions {}

/** Options of `tokenize`. */
export interface TokenizeOptions extends RequestOptions {
  /** Adds the model's begin and end tokens. */
  addSpecial?: boolean | undefined;
  /** Parses control tokens in the text, such as `<|im_start|>`. Never use it for untrusted text. */
  parseSpecial?: boolean | undefined;
}

/** Options of `detokenize`. */
export interface DetokenizeOptions extends RequestOptions {
  /** Includes control tokens as text. */
  special?: boolean | undefined;
}

/** The name of a model, to use its chat template, or the text of a Jinja template. */
export type TemplateInput = string | { text: string; bosToken?: string; eosToken?: string };

/** A chat message: `role`, `content`, and further fields of the template. */
export type Turn = Record<string, unknown>;

/** Options of `applyTemplate`. */
export interface TemplateOptions extends RequestOptions {
  /** Further variables of the template, such as `tools` or `add_generation_prompt: false`. */
  variables?: Record<string, unknown> | undefined;
  /** For templates that print the date; the current time by default. */
  now?: Date | undefined;
}

/** Options of `generate`. */
export interface GenerateOptions extends RequestOptions, LoraOptions {
  maxTokens?: number | undefined;
  /** Stop before any of these strings. */
  stop?: string[] | undefined;
  /** How the next token is chosen; greedy by default. */
  sampling?: Sampling | undefined;
  /** When the context is full: stop, or drop the older half of the conversation and continue. */
  overflow?: Overflow | undefined;
  /** Prompt-lookup decoding; on by default. It saves time and does not change greedy output. */
  promptLookup?: boolean | undefined;
  /**
   * Keeps the prompt's KV cache on this machine's disk, so that a prompt that starts alike is not read again, after a restart either. For
   * stored models without an adapter. Whoever has the disk could read the prompt from it.
   */
  keepPrompt?: boolean | undefined;
  /** Returns log probabilities of each token and of this many of the most probable ones, at most 20. */
  logprobs?: number | undefined;
  /** What the text has to be: JSON, or a text of a regular expression or a grammar. Excludes `stop`. */
  format?: Format | undefined;
}

/** Options of `evaluate`. */
export interface EvaluateOptions extends RequestOptions, LoraOptions {
  /** First position to return logits for. */
  first?: number | undefined;
  /** Ids fed one at a time after the prompt; each adds a row. */
  decode?: number[] | undefined;
}

/** `rows` x `cols` values, row-major. */
export interface Logits {
  rows: number;
  cols: number;
  values: Float32Array;
}

/** The options that are present: neither `undefined` nor, of all of them, null. */
export function given<T extends object>(options: T): T {
  const present = Object.fromEntries(Object.entries({ ...options }).filter(([, value]) => value !== undefined)) as T;
  if ("signal" in present && !("aborted" in Object(present.signal)))
    throw clientErrors.argument("signal is not an AbortSignal");
  return present;
}

/** Refuses an option that is not a property of `known`. */
export function refuseUnknown(options: object, known: object): void {
  for (const name in options) if (!(name in known)) throw clientErrors.argument(`unknown option: ${name}`);
}

export function toLocalTime(now: Date): LocalTime {
  const date = new Date(now);
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
  };
}

/** A text to continue, chat messages, or token ids. */
export type PromptInput = string | readonly ChatMessage[] | Prompt;

export function toPrompt(input: PromptInput): Prompt {
  if (typeof input === "string") return { type: "text", text: input };
  if (Array.isArray(input)) return { type: "chat", messages: [...input] };
  if (!Object(input).type) throw clientErrors.argument(`not a prompt: ${String(input)}`);
  return input as Prompt;
}
