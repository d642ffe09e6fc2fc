import type { Page, Pith, Summary, SummaryLength } from "@pith/web";
import type { EncoderUsed } from "../encoder-wire.js";
import type { Settings } from "../wire.js";
import type { Engine } from "./engine.js";
import { hasCode } from "./run.js";
import type { Hooks } from "./writers/writer.js";

/** While the model is on its way, the text alone gives a first summary. It fails for the same reasons as the real one, which then says so. */
async function draftSummary(
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

/** The key sentences of a page. `onEncoder` is told which encoder reads it. */
export async function keySentences(
  engine: Engine,
  page: Page,
  settings: Settings,
  { signal, onProgress, onDraft, onEncoder }: Hooks<Summary> & { onEncoder(encoder: EncoderUsed): void },
): Promise<Summary> {
  const { length } = settings;
  const { language = null } = page;
  const pith = await engine.pith();
  if (!engine.isReady(settings, language)) await draftSummary(pith, page, length, signal, onDraft);
  const encoder = await engine.load(settings, language, signal, onProgress);
  if (!signal.aborted) onEncoder(encoder);
  // The worker may be another one, where the chosen encoder ended it.
  return (await engine.pith()).summarize(page, { length, signal, onProgress, onDraft });
}
