import type {
  LoraUse,
  AnswerReason,
  BackendChoice,
  BackendInfo,
  CacheType,
  LeftOut,
  LocalTime,
  Overflow,
  Passage,
  Prompt,
  Sampling,
  Stage,
  Summary,
  SummaryLength,
  WithoutEncoder,
} from "./protocol.gen.js";
import type { Pauser } from "./pauser.js";

/** How far a request is. `total` is 0 while unknown. */
export interface Progress {
  stage: Stage;
  done: number;
  total: number;
  /** Of a download: its speed of late. */
  bytesPerS?: number;
  /** Of a download: until it is whole. At the stage `retry`: until the next attempt. */
  leftMs?: number;
}

/** What every request takes. */
export interface RequestOptions {
  /** Ends the request: it rejects with an `AbortError` at once. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Where the worker comes from. */
export interface OpenOptions {
  /** The worker's script; by default the one beside the client. */
  workerUrl?: string | URL;
  /** A worker that runs already, or a port that leads to one. */
  endpoint?: Worker | MessagePort;
  /** `open` fails with `worker_start` when the worker does not answer in time. 60,000 by default. */
  timeoutMs?: number;
}

/** What requests that may download take. */
export interface FetchOptions extends RequestOptions {
  /** Holds the download, and lets it go on. */
  pauser?: Pauser;
}

/** Options of `fit`. */
export interface FitOptions extends RequestOptions {
  /** `auto` takes WebGPU where it works, else WebGL2, else the CPU, and says why. */
  backend?: BackendChoice;
  /** Positions to reserve; by default the model's own limit or a sensible part of it. */
  contextTokens?: number;
  /** How keys and values are stored: `f16`, `q8_0` and `q4_0` take less memory than `f32`, and are less exact. */
  cacheType?: CacheType;
}

/** Options of `load`. */
export interface LoadOptions extends FitOptions, FetchOptions {
  /** Tries what is too large (the error `too_large`), too. */
  force?: boolean;
}

/** What requests to a model with adapters take. */
export interface LoraOptions {
  /** An adapter of the model, and how strongly it acts: `scale` is 1 where absent. */
  lora?: LoraUse;
}

/** Options of `embed`. */
export interface EmbedOptions extends RequestOptions, LoraOptions {}

/** Options of `tokenize`. */
export interface TokenizeOptions extends RequestOptions {
  /** Adds the beginning- and end-of-text tokens that the model asks for. */
  addSpecial?: boolean;
  /** Turns the names of control tokens in the text into these tokens. Never for text of unknown origin. */
  parseSpecial?: boolean;
}

/** Options of `detokenize`. */
export interface DetokenizeOptions extends RequestOptions {
  /** Shows control tokens by their names. */
  special?: boolean;
}

/** The name of a model, whose template is taken, or a template in Jinja's words. */
export type TemplateInput = string | { text: string; bosToken?: string; eosToken?: string };

/** A turn of a conversation: `role`, `content`, and what else the template knows. */
export type Turn = Record<string, unknown>;

/** Options of `applyTemplate`. */
export interface TemplateOptions extends RequestOptions {
  /** What else the template is given: `tools`, `add_generation_prompt: false`. */
  variables?: Record<string, unknown>;
  /** For templates that write the date; the time now where absent. */
  now?: Date;
}

/** Options of `generate`. */
export interface GenerateOptions extends RequestOptions, LoraOptions {
  maxTokens?: number;
  /** Stop before any of these strings. */
  stop?: string[];
  /** How the next token is chosen. Greedy and repeatable where nothing is said. */
  sampling?: Sampling;
  /** What happens when the context is full: the answer stops, or the model forgets the middle and goes on. */
  overflow?: Overflow;
  /** False keeps the model from trying what occurred before, which saves time and changes no greedy choice. */
  promptLookup?: boolean;
}

/** Options of `summarize`. */
export interface SummarizeOptions extends RequestOptions {
  /** 3, 5 or 8 lines. */
  length?: SummaryLength;
  /** The name of a loaded language model that makes the lines shorter; each line's `written` has its words. */
  writer?: string;
  /** A first summary from the text alone; the promise's replaces it. */
  onDraft?: (summary: Summary) => void;
}

/** Options of `ask`. */
export interface AskOptions extends RequestOptions {
  /** Most passages to return. */
  limit?: number;
}

/** The passages that come closest to a question, best first. */
export interface Answer {
  passages: Passage[];
  /** Whether the passages answer the question. */
  answered: boolean;
  /** Why these passages: an answer, key sentences, a list, or only the closest ones. */
  reason: AnswerReason;
  /** What of the page was not looked at, because it is beyond all bounds. */
  leftOut: LeftOut;
  /** The language of the page's text as a primary subtag ("en"), "und" where unknown. */
  language: string;
  backend: BackendInfo | null;
  /** Why no embedding model took part; null also where the question needs none. */
  withoutEncoder: WithoutEncoder | null;
  timeMs: number;
}

/** Options of `evaluate`. */
export interface EvaluateOptions extends RequestOptions, LoraOptions {
  /** First position whose row is wanted. */
  first?: number;
  /** Ids fed one by one after the prompt, each giving one more row. */
  decode?: number[];
}

/** `rows` rows of `cols` values, one after the other. */
export interface Logits {
  rows: number;
  cols: number;
  values: Float32Array;
}

export function toLocalTime(date: Date): LocalTime {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
  };
}

/** A text to continue, turns of a conversation, or token ids. */
export type PromptInput = string | Prompt;

export function toPrompt(input: PromptInput): Prompt {
  return typeof input === "string" ? { type: "text", text: input } : input;
}
