// Messages between a panel and the PDF page in its tab: no script can be put into pages of extensions.
import type { ErrorData } from "@pith/web";
import type { ReadPage, Source } from "./wire.js";

/** Asked with `tabs.sendMessage`; the answer is `PdfAnswer`. */
export type ToPdf =
  | { type: "pdf"; ask: "key" }
  | { type: "pdf"; ask: "show"; source: Source; marks: boolean }
  | { type: "pdf"; ask: "clear" };

/** `key`: which document is shown, or null where none is. */
export interface PdfAnswer {
  key: string | null;
  found: boolean;
}

/** The name of the port over which a document is read; to close it is to cancel. */
export const PDF_PORT = "pdf-read";

/** What comes over it. */
export type PdfReading =
  | { phase: "reading"; done: number; total: number }
  | { phase: "done"; read: ReadPage }
  | { phase: "failed"; error: ErrorData };

/** The PDF page, in the package. */
export const PDF_PAGE = "/pages/pdf/index.html";

/** The address of the PDF page for a document. */
export const pdfPageFor = (address: string): string =>
  chrome.runtime.getURL(`${PDF_PAGE}?file=${encodeURIComponent(address)}`);

/** An address that is written as one; `URL.parse` is newer than some of the browsers. */
export function parseAddress(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** The pattern of permissions for the site of an address; they know no ports. */
export const originOf = (address: string): string => {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}/*`;
};
