import { clockTime } from "../caption-times.js";
import type { SourceText } from "./document.js";
import type { ExportWords } from "./words.js";

/** Where on its page a source is: the page of a PDF, the time in captions; null where there is nothing to tell. */
export function placeOf({ pdfPage, second }: SourceText, words: Pick<ExportWords, "pdfPage">): string | null {
  if (pdfPage !== undefined) return words.pdfPage(pdfPage);
  return second === undefined ? null : clockTime(second);
}
