// To the clipboard, and to a file.
import type { PageDocument } from "../export/document.js";
import { fileName } from "../export/file-name.js";
import type { Format } from "../export/formats.js";
import { toHtmlBody } from "../export/html.js";
import { toMarkdown } from "../export/markdown.js";
import { toPlainText } from "../export/plain.js";
import { exportWords } from "./export-words.js";

/** How long the browser has to take a file: it may ask the user where to put it. */
const FILE_MS = 60_000;

export type CopyKind = "text" | "markdown";

/** Copies a document: as formatted and plain text, or as Markdown. Must be called while a click is handled. */
export async function copyDocument(document: Promise<PageDocument>, kind: CopyKind): Promise<void> {
  const blob = (type: string, write: (document: PageDocument) => string) =>
    document.then((one) => new Blob([write(one)], { type }));
  const words = exportWords();
  const item =
    kind === "markdown"
      ? { "text/plain": blob("text/plain", (one) => toMarkdown(one, words)) }
      : {
          "text/plain": blob("text/plain", (one) => toPlainText(one, words)),
          "text/html": blob("text/html", (one) => toHtmlBody(one, words)),
        };
  await navigator.clipboard.write([new ClipboardItem(item)]);
}

/** Hands a document to the browser as a file to save. */
export function saveDocument(page: PageDocument, { extension, type, write }: Format): string {
  const name = fileName(page.title, extension);
  const url = URL.createObjectURL(new Blob([write(page, exportWords())], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), FILE_MS);
  return name;
}
