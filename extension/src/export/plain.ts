import { isQuote, type Line, type PageDocument, speakerOfLine } from "./document.js";
import { webAddress } from "./links.js";
import { placeOf } from "./place.js";
import { manyLines, oneLine } from "./text.js";
import type { ExportWords } from "./words.js";

/** A document as plain text. */
export function toPlainText(document: PageDocument, words: ExportWords): string {
  const { title, address, lines, questions } = document;
  const parts = [[oneLine(title), oneLine(webAddress(address) ?? address), oneLine(words.about(document))].join("\n")];
  if (lines.length > 0) parts.push(words.summary, ...lines.map(lineOf(words)));
  if (questions.length > 0) parts.push(words.questions);
  for (const { text, isAnswered, lines } of questions) {
    parts.push(oneLine(text), ...(isAnswered ? lines.map(lineOf(words)) : [words.noAnswer]));
  }
  return `${parts.join("\n\n")}\n`;
}

const lineOf =
  (words: ExportWords) =>
  (line: Line): string => {
    const rows = [
      `- ${named(speakerOfLine(line))}${oneLine(line.text)}${line.translated ? ` (${words.translated})` : ""}`,
    ];
    for (const source of line.sources) {
      const { text, code, link, page, speaker } = source;
      if (code) rows.push(indent(manyLines(code), 4));
      if (!isQuote(line)) rows.push(`  ${named(speaker)}“${oneLine(text)}”`);
      const where = [page && oneLine(page.title), placeOf(source, words)].filter(Boolean).join(", ");
      if (where) rows.push(`  ${where}`);
      if (link) rows.push(`  ${link}`);
    }
    return rows.join("\n");
  };

const named = (speaker: string | null | undefined): string => (speaker ? `${oneLine(speaker)}: ` : "");

const indent = (text: string, by: number): string => text.replace(/^/gm, " ".repeat(by));
