import type { PageDocument } from "./document.js";
import { toHtml } from "./html.js";
import { toJson } from "./json.js";
import { toMarkdown } from "./markdown.js";
import { toPlainText } from "./plain.js";
import type { ExportWords } from "./words.js";

/** A kind of file that a document can be saved as. */
export interface Format {
  extension: string;
  type: string;
  write(document: PageDocument, words: ExportWords): string;
}

/** Each has a label in messages/: `saveAs_` and its name. */
export const FORMATS = {
  markdown: { extension: "md", type: "text/markdown;charset=utf-8", write: toMarkdown },
  html: { extension: "html", type: "text/html;charset=utf-8", write: toHtml },
  text: { extension: "txt", type: "text/plain;charset=utf-8", write: toPlainText },
  json: { extension: "json", type: "application/json", write: toJson },
} as const satisfies Record<string, Format>;
