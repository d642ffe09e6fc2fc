// What panels and the host tell each other about summaries in a language model's words.
import type { NotWritten, Summary, SummaryKind, SummaryLength, WriterTier } from "@pith/web";
import type { Job } from "./wire.js";

/** Why there is no written text; `nothingAdded`: its lines were the key sentences again. */
export type Unwritten = NotWritten | "nothingAdded";

/** A summary in a language model's words, or why there is none. */
export interface WrittenSummary extends Omit<Summary, "notWritten"> {
  notWritten: Unwritten | null;
}

/** What a language model writes of a page, beside the key sentences. */
export interface Writing {
  kind: SummaryKind;
  length: SummaryLength;
  targetLanguage: string | null;
  /** "Write again" counts up. */
  variant: number;
  /** The model or the server, as the reader knows it. */
  writer: string;
  /** What it may write, once that is known; null of a server. */
  tier: WriterTier | null;
  /** `written` and `notWritten` of the summary tell what it wrote. */
  job: Job<WrittenSummary>;
}
