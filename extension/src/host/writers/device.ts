// What this device does for a server that writes: it makes the prompts from a page, and judges every line that comes back.
import type {
  Answer,
  Exchange,
  Page,
  Passage,
  Summary,
  SummaryKind,
  SummaryLength,
  Unsupported,
  WrittenLine,
} from "@pith/web";
import type { Message } from "./openai/client.js";

/** What is to be written. */
export type Wanted =
  | { type: "summarize"; kind: SummaryKind; length: SummaryLength }
  | { type: "ask"; question: string; history: Exchange[] };

/** A prompt for one part of a page. */
export interface Prepared {
  messages: Message[];
  /** False where the page does not answer a question: then nobody is asked. */
  answered: boolean;
  parts: number;
  /** The share of the page's words that is in this part, 0 to 1. */
  shareRead: number;
  wordsRead: number;
}

/** Lines with what their `sources` refer to. */
export interface Judged {
  lines: WrittenLine[];
  passages: Passage[];
}

export interface Device {
  /** The key sentences. */
  summarize(page: Page, length: SummaryLength, signal: AbortSignal): Promise<Summary>;
  /** The passages. */
  ask(page: Page, question: string, signal: AbortSignal): Promise<Answer>;
  /** `budget_tokens` is the longest prompt, estimated from its letters. `part` counts from 0. */
  prepare(page: Page, wanted: Wanted, budget_tokens: number, part: number, signal: AbortSignal): Promise<Prepared>;
  /** The lines of a text that came from elsewhere, each with its sources and support. Also called while the text grows. */
  attribute(page: Page, text: string, unsupported: Unsupported, signal: AbortSignal): Promise<Judged>;
  /** Vectors of texts of unit length; null where the encoder at hand is not known to read all of the languages. */
  embed(texts: string[], languages: string[], signal: AbortSignal): Promise<Float32Array[] | null>;
}
