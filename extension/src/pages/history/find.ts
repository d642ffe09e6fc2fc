// A search of the whole history, by words and by meaning.
import type { ReadEntry } from "../../history/entry.js";
import { hasWords, queryWords, SIMILAR_MIN, SIMILAR_MIN_OTHERS } from "../../history/search.js";
import { listPlaces, type Place, readEntries } from "../../history/store.js";
import { closest, quantize } from "../../history/vectors.js";
import type { HostLink } from "./host-link.js";

/** Entries that are read at a time: between two reads the page can be used. */
const SLICE = 40;
const SIMILAR_MAX = 20;

/** An entry that a search found. */
export interface Found {
  entry: ReadEntry;
  /** The text that is closest in meaning; null where it was found by its words. */
  match: string | null;
}

export interface SearchResult {
  /** By words, the newest first. */
  byWords: Found[];
  /** The rest by meaning, the closest first. */
  byMeaning: Found[];
  /** There was no encoder. */
  isWordsOnly: boolean;
}

/** Searches all entries. Rejects with the signal's reason. */
export async function find(query: string, host: HostLink, signal: AbortSignal): Promise<SearchResult> {
  const words = queryWords(query);
  const [places, { vector, encoder }] = await Promise.all([listPlaces(), host.embed(query)]);
  const scoreMin = encoder === "" ? SIMILAR_MIN : SIMILAR_MIN_OTHERS;
  const wanted = vector && quantize(vector);
  const byWords: Found[] = [];
  const similar: (Found & { score: number })[] = [];
  for (const slice of slices(places)) {
    signal.throwIfAborted();
    for (const { entry, vectors } of await readEntries(slice.map(({ id }) => id))) {
      if (entry.kind !== "entry") continue;
      if (hasWords(entry.entry.document, words)) {
        byWords.push({ entry, match: null });
        continue;
      }
      const best = wanted && vectors && closest(vectors, wanted, encoder);
      if (best && best.score >= scoreMin) similar.push({ entry, match: best.text, score: best.score });
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  signal.throwIfAborted();
  const byMeaning = similar.sort((one, other) => other.score - one.score).slice(0, SIMILAR_MAX);
  return { byWords, byMeaning, isWordsOnly: vector === null };
}

function* slices(places: readonly Place[]): Generator<Place[]> {
  for (let at = 0; at < places.length; at += SLICE) yield places.slice(at, at + SLICE);
}
