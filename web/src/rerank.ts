import type { Pith } from "./client.js";
import { clientErrors } from "./errors.js";

/** A document and how well it answers the query. */
export interface Ranked {
  /** Its place in the list that was given. */
  index: number;
  /** Cosine of its vector and the query's: -1 to 1. Comparable within one call. */
  score: number;
}

/** Options of {@link rerank}. */
export interface RerankOptions {
  /** Most documents to return; all by default. */
  topN?: number;
  /** What the embedding model wants before a query, such as `"query: "`. */
  queryPrefix?: string;
  /** What it wants before a document, such as `"passage: "`. */
  documentPrefix?: string;
  signal?: AbortSignal;
}

const DOCUMENTS_MAX = 2048;

/** Orders documents by how close their vectors are to the query's, the closest first. `model` is a loaded embedding model. */
export async function rerank(
  pith: Pith,
  model: string,
  query: string,
  documents: string[],
  options: RerankOptions = {},
): Promise<Ranked[]> {
  const { topN = Infinity, queryPrefix = "", documentPrefix = "", signal } = options;
  const isText = (text: unknown): boolean => typeof text === "string";
  if (!isText(query)) throw clientErrors.argument("the query is no text");
  if (!Array.isArray(documents) || documents.length > DOCUMENTS_MAX || !documents.every(isText))
    throw clientErrors.argument(`the documents are no list of at most ${DOCUMENTS_MAX} texts`);
  if (!(topN >= 1)) throw clientErrors.argument("topN is less than 1");
  if (documents.length === 0) return [];
  const texts = [queryPrefix + query, ...documents.map((text) => documentPrefix + text)];
  const [wanted, ...vectors] = await pith.embed(model, texts, { signal });
  // The vectors have length 1.
  const cosine = (vector: Float32Array): number => vector.reduce((sum, value, at) => sum + value * wanted![at]!, 0);
  const ranked = vectors.map((vector, index) => ({ index, score: cosine(vector) }));
  return ranked.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, topN);
}
