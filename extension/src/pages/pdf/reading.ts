// Reads the text of a document: one page after the other, each released before the next.
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { Coverage, ReadPage } from "../../wire.js";
import { withAnnotations } from "./form.js";
import { pdfProblem } from "./problem.js";
import type { Opened } from "./open.js";
import { seenItems } from "./sight/index.js";
import { slices } from "./slices.js";
import { assemble, type DocumentText, readLines } from "./text/document.js";
import type { PageLines } from "./text/furniture.js";
import type { PageItems } from "./text/pieces.js";

/** As much text as the model's side takes, in UTF-16 code units: what is beyond is not read, and that is said. */
export const TEXT_CHARS_MAX = 4 * 1024 * 1024;
/** Fewer characters on all pages are no text. */
const TEXT_CHARS_MIN = 40;
/** A page that takes longer is given up, and with it those behind it: pdf.js reads one after the other. */
const PAGE_MS_MAX = 30_000;
/** So many milliseconds may pass before others get their turn. */
const SLICE_MS = 40;
/** Titles that programs put in. */
const NO_TITLE =
  /^(?:untitled|microsoft word\b.*|.*\.(?:docx?|dvi|tex|indd|qxd|rtf|odt|pdf|html?)|about:blank|https?:.*)$/i;

/** The text of one page as the text functions take it: what can be seen. */
export async function itemsOf(document: PDFDocumentProxy, page: PDFPageProxy): Promise<PageItems> {
  // As it stands in the file: the text layer is made of the same items.
  const { items, styles } = await page.getTextContent({ disableNormalization: true });
  const { width, height, transform } = page.getViewport({ scale: 1 });
  const texts = items.filter((one) => "str" in one);
  const seen = await seenItems(document, page, texts);
  return withAnnotations(page, { ...seen, styles, width, height, transform });
}

/** Reads a document. Throws where there is no text, or the signal's reason. */
export async function readDocument(
  { document, name }: Opened,
  key: string,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
  page_ms = PAGE_MS_MAX,
): Promise<ReadPage> {
  const start_ms = performance.now();
  const total = document.numPages;
  const pages: PageLines[] = [];
  let chars = 0;
  let isSlow = false;
  for (let number = 1; number <= total && chars < TEXT_CHARS_MAX; number++) {
    onProgress(number - 1, total);
    const lines = await within(page_ms, signal, linesOf(document, number));
    isSlow = lines === null;
    if (lines === null) break;
    pages.push(lines);
    for (const { text } of lines.lines) chars += text.length;
  }
  if (chars < TEXT_CHARS_MIN && isSlow) throw pdfProblem("pdf_slow", `page ${pages.length + 1} of ${total}`);
  if (chars < TEXT_CHARS_MIN) throw pdfProblem("pdf_scanned", `${chars} characters on ${total} pages`);
  onProgress(total, total);
  const text = await assemble(pages, slices(SLICE_MS, signal));
  if (text.blocks.length === 0) throw pdfProblem("pdf_scanned", `${chars} characters, none of them running text`);
  const { title, language } = await metadataOf(document);
  return {
    key,
    page: { title: title || text.title || name, description: null, language, blocks: text.blocks },
    coverage: coverageOf(text, pages, total, isSlow),
    pageStarts: text.pages,
    timeMs: performance.now() - start_ms,
    readMs: Date.now(),
    isPrivate: chrome.extension.inIncognitoContext,
  };
}

/** What comes in time; null where it does not. Throws the signal's reason at once. */
async function within<T>(limit_ms: number, signal: AbortSignal, work: Promise<T>): Promise<T | null> {
  signal.throwIfAborted();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => {};
  const end = new Promise<null>((resolve, reject) => {
    timer = setTimeout(() => resolve(null), limit_ms);
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

async function linesOf(document: PDFDocumentProxy, number: number): Promise<PageLines> {
  try {
    const page = await document.getPage(number);
    const lines = readLines(number, await itemsOf(document, page));
    page.cleanup();
    return lines;
  } catch {
    // A damaged page does not take the others with it: it counts among those without text.
    return { number, width: 0, height: 0, lines: [], askew: [], numbers: [], garbled: [], hidden: [] };
  }
}

function coverageOf(
  { wordsRead, wordsVisible, leftOut }: DocumentText,
  pages: readonly PageLines[],
  total: number,
  isSlow: boolean,
): Coverage {
  const withoutText = pages.filter(
    ({ lines, askew, garbled, hidden }) => lines.length + askew.length + garbled.length + hidden.length === 0,
  ).length;
  const layers = pages.filter(({ isLayer }) => isLayer).length;
  return { wordsRead, wordsVisible, leftOut, pages: { read: pages.length, total, withoutText, layers, isSlow } };
}

async function metadataOf(document: PDFDocumentProxy): Promise<{ title: string; language: string | null }> {
  const found = await document.getMetadata().catch(() => null);
  const info = (found?.info ?? {}) as Record<string, unknown>;
  const [title, language] = [info["Title"], info["Language"]].map((one) => (typeof one === "string" ? one.trim() : ""));
  let tag: string | null = null;
  try {
    tag = Intl.getCanonicalLocales(language)[0] ?? null;
  } catch {
    // What is no language tag says nothing.
  }
  return { title: title && !NO_TITLE.test(title) ? title.slice(0, 300) : "", language: language ? tag : null };
}
