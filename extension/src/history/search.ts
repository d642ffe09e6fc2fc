// A search of the history by words; vectors.ts has the one by meaning.
import type { PageDocument } from "../export/document.js";

/** Words of a query that are looked for. */
const WORDS_MAX = 16;
/**
 * Cosine similarity from which texts are taken to mean something similar. Measured with the built-in encoder on 23 pages
 * and 46 queries in other words: 40 find their page, and 3.5 % of the comparisons with other pages pass, most of them
 * below it.
 */
export const SIMILAR_MIN = 0.3;
/** For encoders that were not measured: most place unrelated texts higher, at up to 0.55. */
export const SIMILAR_MIN_OTHERS = 0.6;

/** Without case and diacritics. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();

/** The words of a query. */
export const queryWords = (query: string): string[] => (fold(query).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);

/** True where each word occurs in the document's title, address, lines or questions. */
export function hasWords({ title, address, lines, questions }: PageDocument, words: readonly string[]): boolean {
  if (words.length === 0) return false;
  const answers = questions.flatMap(({ text, lines }) => [text, ...lines.map(({ text }) => text)]);
  const text = fold([title, address, ...lines.map(({ text }) => text), ...answers].join("\n"));
  return words.every((word) => text.includes(word));
}
