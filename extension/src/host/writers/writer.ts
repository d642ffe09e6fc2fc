// Who writes summaries and answers in words: a model on this machine, or a server of the reader's own.
import type {
  Answer,
  Exchange,
  Page,
  Progress,
  Resume,
  Summary,
  SummaryKind,
  SummaryLength,
  Unsupported,
  WriterTier,
} from "@pith/web";

/** What is to be written of a page. */
export interface SummaryWish {
  kind: SummaryKind;
  length: SummaryLength;
  /** A BCP 47 tag; null writes in the page's language. */
  targetLanguage: string | null;
  unsupported: Unsupported;
  /** 0 is the most probable text; "write again" counts up. */
  variant: number;
  /** What a draft of the same wish had come to; who cannot go on with it begins anew. */
  resume?: Resume | undefined;
}

/** How a question is to be answered. */
export interface AnswerWish {
  /** The conversation so far, oldest first. */
  history: Exchange[];
  /** From a private window: nothing of it stays on the disk. */
  isPrivate: boolean;
  unsupported: Unsupported;
  /** As of a summary. */
  variant: number;
  /** As of a summary. */
  resume?: Resume | undefined;
}

/** What a writer tells while it works. */
export interface Hooks<T> {
  /** When it aborts, the writer stops and rejects at once. What the drafts had is kept. */
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  /** Each draft replaces the one before. */
  onDraft: (draft: T) => void;
  /** What the model may write, once that is known. A server is not tested. */
  onTier?: (tier: WriterTier) => void;
}

/**
 * Writes about one page at a time. It rejects with a `PithError` whose code has sentences in messages/ (`error_CODE`,
 * `error_CODE_help`). The page's key sentences and the passages of an answer are on the screen already, and stay there.
 *
 * It runs in the host, which has no `chrome.storage` in Chrome: what a writer needs comes with the request, or from
 * IndexedDB.
 */
export interface Writer {
  /** The result has `written`, or in `notWritten` the reason why there is none. */
  summarize(page: Page, wish: SummaryWish, hooks: Hooks<Summary>): Promise<Summary>;
  /** Is asked only where the page has passages that answer. The result has `written` or `notWritten`. */
  ask(page: Page, question: string, wish: AnswerWish, hooks: Hooks<Answer>): Promise<Answer>;
}
