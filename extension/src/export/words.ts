import type { PageDocument } from "./document.js";

/** The words that exports add to a page's own, in the reader's language. */
export interface ExportWords {
  /** BCP 47, and the direction of these words. */
  language: string;
  direction: string;
  summary: string;
  questions: string;
  source: string;
  noAnswer: string;
  /** Said of lines in another language than the page. */
  translated: string;
  /** Such as "p. 3". */
  pdfPage(page: number): string;
  /** When the page was read, and who wrote the lines. */
  about(document: PageDocument): string;
}
