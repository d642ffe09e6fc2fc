// Vectors of an entry's texts: a search by meaning compares them with the query's.
import type { PageDocument } from "../export/document.js";

/** A text and its vector of unit length, in 8 bits a value. */
export interface TextVector {
  text: string;
  values: Int8Array;
  /** The stored encoder that made it; absent for the built-in one. */
  encoder?: string;
}

/** The vectors of an entry. */
export interface VectorRecord {
  id: string;
  /** By part: the summary, or a question by its number. */
  parts: Record<string, TextVector[]>;
}

const SCALE = 127;
/** Texts of a part that have a vector, and how much of each the encoder is given. */
const TEXTS_MAX = 24;
const TEXT_CHARS_MAX = 1_000;

export const SUMMARY_PART = "summary";

/** The texts by which a part of a document is found. */
export function textsOf({ title, lines, questions }: PageDocument, part: string): string[] {
  const question = questions.find(({ id }) => String(id) === part);
  const found = question ? [question.text, ...question.lines.map(({ text }) => text)] : [];
  const texts = part === SUMMARY_PART ? [title, ...lines.map(({ text }) => text)] : found;
  return texts.slice(0, TEXTS_MAX).map((text) => text.slice(0, TEXT_CHARS_MAX));
}

/** A vector of unit length in 8 bits a value. */
export const quantize = (vector: ArrayLike<number>): Int8Array =>
  Int8Array.from(vector, (value) => Math.max(-SCALE, Math.min(SCALE, Math.round(value * SCALE))));

/** Cosine similarity of vectors of unit length; 0 where they cannot be compared. */
export function cosine(left: Int8Array, right: Int8Array): number {
  if (left.length !== right.length) return 0;
  let sum = 0;
  for (let i = 0; i < left.length; i++) sum += (left[i] ?? 0) * (right[i] ?? 0);
  return sum / (SCALE * SCALE);
}

/** The text of a record that is closest to a query, of those whose vectors the query's encoder made. */
export function closest(
  record: VectorRecord,
  query: Int8Array,
  encoder: string,
): { text: string; score: number } | null {
  let best: { text: string; score: number } | null = null;
  for (const { text, values, encoder: by = "" } of Object.values(record.parts).flat()) {
    if (by !== encoder) continue;
    const score = cosine(values, query);
    if (!best || score > best.score) best = { text, score };
  }
  return best;
}

/** Reads a stored record; null for anything else. */
export function readVectors(record: unknown): VectorRecord | null {
  if (typeof record !== "object" || record === null || !("id" in record) || !("parts" in record)) return null;
  const { id, parts } = record;
  if (typeof id !== "string" || typeof parts !== "object" || parts === null) return null;
  const rows = Object.values(parts).flat() as Partial<TextVector>[];
  const isWhole = rows.every((one) => typeof one.text === "string" && one.values instanceof Int8Array);
  return isWhole ? { id, parts: parts as VectorRecord["parts"] } : null;
}
