// An entry of the history, as it is stored, and how a stored one is read.
import type { AskedQuestion, Line, PageDocument, SourceText } from "../export/document.js";

/** The version of entries that this code writes. */
export const ENTRY_VERSION = 1;

/** A page that was read, with its summary and answers. */
export interface Entry {
  id: string;
  version: typeof ENTRY_VERSION;
  /** When its last part was added, in milliseconds since 1970. */
  updatedMs: number;
  /** What it takes with its vectors, about. */
  bytes: number;
  document: PageDocument;
}

/** A stored record: an entry, or one that cannot be shown, which stays until it is deleted. */
export type ReadEntry = { id: string; updatedMs: number } & (
  { kind: "entry"; entry: Entry } | { kind: "newer" } | { kind: "damaged" }
);

/** Reads a record with care: a newer version of the extension, or a broken profile, may have written anything. */
export function readEntry(record: unknown): ReadEntry {
  const { id, version, updatedMs, bytes, document } = fields(record);
  const known = { id: isText(id) ? id : "", updatedMs: isNumber(updatedMs) ? updatedMs : 0 };
  if (isNumber(version) && version > ENTRY_VERSION) return { ...known, kind: "newer" };
  const isWhole = version === ENTRY_VERSION && isText(id) && isNumber(updatedMs) && isNumber(bytes);
  if (!isWhole || !isDocument(document)) return { ...known, kind: "damaged" };
  return { ...known, kind: "entry", entry: { id, version: ENTRY_VERSION, updatedMs, bytes, document } };
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
/** Also as a date. */
const isNumber = (value: unknown): value is number => typeof value === "number" && Math.abs(value) <= 8.64e15;

function isDocument(value: unknown): value is PageDocument {
  const { title, address, dateMs, language, writer, lines, questions } = fields(value);
  return (
    isText(title) &&
    isText(address) &&
    isNumber(dateMs) &&
    isTextOrNull(language) &&
    isTextOrNull(writer) &&
    isListOf(lines, isLine) &&
    isListOf(questions, isQuestion)
  );
}

function isQuestion(value: unknown): value is AskedQuestion {
  const { id, text, isAnswered, lines } = fields(value);
  return isNumber(id) && isText(text) && typeof isAnswered === "boolean" && isListOf(lines, isLine);
}

function isLine(value: unknown): value is Line {
  const { text, sources } = fields(value);
  return isText(text) && isListOf(sources, isSource);
}

function isSource(value: unknown): value is SourceText {
  const { text, code, link, page, speaker, second, pdfPage } = fields(value);
  return (
    isText(text) &&
    isTextOrNull(code) &&
    isTextOrNull(link) &&
    (page === undefined || isPageName(page)) &&
    (speaker === undefined || isText(speaker)) &&
    [second, pdfPage].every((number) => number === undefined || isNumber(number))
  );
}

function isPageName(value: unknown): boolean {
  const { title, address } = fields(value);
  return isText(title) && isText(address);
}

const isListOf = <T>(value: unknown, is: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(is);
