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
  const known = { id: isText(id) ? id : "", updatedMs: isDate(updatedMs) ? updatedMs : 0 };
  if (isNumber(version) && version > ENTRY_VERSION) return { ...known, kind: "newer" };
  const isWhole = version === ENTRY_VERSION && isText(id) && isDate(updatedMs) && isNumber(bytes, BYTES_MAX);
  if (!isWhole || !isDocument(document)) return { ...known, kind: "damaged" };
  return { ...known, kind: "entry", entry: { id, version: ENTRY_VERSION, updatedMs, bytes, document } };
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
/** A forged record may say anything: dates lie between 1970 and 2100, and no entry is larger than a profile can be. */
const DATE_MAX = Date.UTC(2100, 0);
const [BYTES_MAX, SECONDS_MAX, PAGES_MAX] = [2 ** 32, 1e7, 1e6];
const isNumber = (value: unknown, max = Number.MAX_SAFE_INTEGER): value is number =>
  typeof value === "number" && value >= 0 && value <= max;
const isDate = (value: unknown): value is number => isNumber(value, DATE_MAX);

function isDocument(value: unknown): value is PageDocument {
  const { title, address, dateMs, language, writer, lines, questions } = fields(value);
  return (
    isText(title) &&
    isText(address) &&
    isDate(dateMs) &&
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
  const { text, sources, translated } = fields(value);
  return isText(text) && (translated === undefined || translated === true) && isListOf(sources, isSource);
}

function isSource(value: unknown): value is SourceText {
  const { text, code, link, page, speaker, second, pdfPage } = fields(value);
  return (
    isText(text) &&
    isTextOrNull(code) &&
    isTextOrNull(link) &&
    (page === undefined || isPageName(page)) &&
    (speaker === undefined || isText(speaker)) &&
    (second === undefined || isNumber(second, SECONDS_MAX)) &&
    (pdfPage === undefined || isNumber(pdfPage, PAGES_MAX))
  );
}

function isPageName(value: unknown): boolean {
  const { title, address } = fields(value);
  return isText(title) && isText(address);
}

const isListOf = <T>(value: unknown, is: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(is);
