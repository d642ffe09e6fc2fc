import type { Page, Pith, Summary, SummaryLength } from "@pith/web";
import { hasCode } from "./run.js";

/** While the model is on its way, the text alone gives a first summary. It fails for the same reasons as the real one, which then says so. */
export async function draftSummary(
  pith: Pith,
  page: Page,
  length: SummaryLength,
  signal: AbortSignal,
  onDraft: (draft: Summary) => void,
): Promise<void> {
  const enough = new AbortController();
  const options = {
    length,
    signal: AbortSignal.any([signal, enough.signal]),
    // A model on another backend may still be there, and would go on to read: that is not wanted any more.
    onDraft: (draft: Summary) => {
      onDraft(draft);
      enough.abort();
    },
  };
  await pith.summarize(page, options).then(onDraft, (error: unknown) => {
    signal.throwIfAborted();
    if (hasCode(error, "worker_stuck")) throw error;
  });
}
