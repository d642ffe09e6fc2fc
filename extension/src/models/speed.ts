// How long a model would take to write about a page on this machine, and which one to begin with.
import { findFile, type KnownModel, type WriterVerdict } from "@pith/web/models";
import { isMadeFor } from "../language-tag.js";

/** Tokens of a page of 1,000 words with what is asked of it, and of its summary. */
const PROMPT_TOKENS = 1_400;
const WRITTEN_TOKENS = 180;
/**
 * What a language model gets of the built-in model's speed, in weights per second. That one multiplies exactly and has small
 * matrices; a language model reads its prompt with the fast products, and writes one token at a time. Of the figures for two threads
 * in docs/performance.md: SmolLM2 135M and Qwen3 0.6B read 2.9e10 and write 1.15e10 weights per second, where the built-in one reads 1.65e10.
 */
const READS = 1.7;
const WRITES = 0.7;
/** A reader waits so long for a page of 1,000 words. */
export const BEARABLE_S = 30;

/** Seconds for a page of 1,000 words, at `speed` weights per second of the built-in model; null where the model's size is not known. */
export function writeSeconds({ parameters }: KnownModel, speed: number): number | null {
  if (!parameters) return null;
  const { layers, vocabulary } = parameters;
  return (PROMPT_TOKENS * layers) / (READS * speed) + (WRITTEN_TOKENS * (layers + vocabulary)) / (WRITES * speed);
}

/** The verdict on a known model's file; where nobody has measured that, on another file of the model. */
function verdictOf({ sha256, otherFiles = [] }: KnownModel): WriterVerdict | null {
  const own = sha256 === undefined ? null : (findFile(sha256)?.verdict ?? null);
  return own ?? otherFiles.find(({ verdict }) => verdict)?.verdict ?? null;
}

/** Where a verdict is not known, the size has to tell: such a model stands between those that write and those that do not. */
const RANKS = { write: 3, unknown: 2, shorten: 1, chat: 0, none: 0 } as const;

/** Models by how well they write, the best first: by their verdicts, then by their size. Those that may write no summary are left out. */
export function byQuality(models: readonly KnownModel[]): KnownModel[] {
  const rated = models.map((model) => {
    const verdict = verdictOf(model);
    return { model, rank: RANKS[verdict?.tier ?? "unknown"], score: verdict?.score ?? 0 };
  });
  return rated
    .filter(({ rank }) => rank > 0)
    .sort(
      (a, b) =>
        b.rank - a.rank || b.score - a.score || (b.model.parameters?.layers ?? 0) - (a.model.parameters?.layers ?? 0),
    )
    .map(({ model }) => model);
}

/** True where a model writes a page within a bearable time. */
export function isFast(model: KnownModel, speed: number): boolean {
  const seconds = writeSeconds(model, speed);
  return seconds !== null && seconds <= BEARABLE_S;
}

/** The one to begin with: of those that fit and are fast enough, the one that writes best, if possible in the reader's language. */
export function recommend(fitting: readonly KnownModel[], speed: number | null, language: string): KnownModel | null {
  if (speed === null) return null;
  const good = byQuality(fitting.filter((model) => isFast(model, speed)));
  return good.find(({ languages }) => isMadeFor(languages, language)) ?? good[0] ?? null;
}
