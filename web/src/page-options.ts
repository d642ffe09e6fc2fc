import type { RequestOptions } from "./options.js";
import type {
  Answer,
  Exchange,
  Passage,
  Resume,
  Summary,
  SummaryKind,
  SummaryLength,
  Unsupported,
  WrittenLine,
} from "./protocol.gen.js";

/** Options of `summarize`. */
export interface SummarizeOptions extends RequestOptions {
  /** 3, 5 or 8 lines. */
  length?: SummaryLength | undefined;
  /** The name of a loaded language model that writes `written`; `notWritten` says why where it does not. See `testWriter`. */
  writer?: string | undefined;
  /** What the writer writes; key points by default. */
  kind?: SummaryKind | undefined;
  /** In which language it writes, as a tag such as "de"; the page's by default. */
  targetLanguage?: string | undefined;
  /** What becomes of a line that no passage supports: "replace" (default) by a sentence of the page, "drop" or "mark". */
  unsupported?: Unsupported | undefined;
  /** 0 (default) is the most probable text; any other number draws another one. */
  variant?: number | undefined;
  /** `written.resume` of the last draft of a request with the same options that did not end: the text goes on from there. */
  resume?: Resume | undefined;
  /** Where a `writer` is given: receives the key sentences, then a summary with each line that is written; the resolved one replaces it. */
  onDraft?: ((summary: Summary) => void) | undefined;
}

/** Options of `ask`. */
export interface AskOptions extends RequestOptions {
  /** Maximum number of passages. */
  limit?: number | undefined;
  /** The name of a loaded language model that writes an answer from the passages. See `testWriter`. */
  writer?: string | undefined;
  /** The conversation so far, oldest first; the last 8 exchanges are read, 2,000 characters of each text. */
  history?: Exchange[] | undefined;
  /** As of `summarize`. */
  unsupported?: Unsupported | undefined;
  /** As of `summarize`. */
  variant?: number | undefined;
  /** As of `summarize`. */
  resume?: Resume | undefined;
  /** As of `generate`, for the `writer`'s prompt if it has the whole page. */
  keepPrompt?: boolean | undefined;
  /** Receives the passages, then the answer with each line that is written; the resolved one replaces it. */
  onDraft?: ((answer: Answer) => void) | undefined;
}

/** Options of `preparePrompt`. */
export interface PreparePromptOptions extends RequestOptions {
  /** Which part of the page, from 0. */
  part?: number | undefined;
}

/** Options of `attribute`. */
export interface AttributeOptions extends RequestOptions {
  /** What becomes of a line that no passage supports; `replace` by default. */
  unsupported?: Unsupported | undefined;
}

/** Lines with their sources, which are indices into `passages`. */
export interface Attributed {
  lines: WrittenLine[];
  passages: Passage[];
}
