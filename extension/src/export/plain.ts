import { isQuote, type Line, type PageDocument } from "./document.js";
import { webAddress } from "./links.js";
import { manyLines, oneLine } from "./text.js";
import type { ExportWords } from "./words.js";

/** A document as plain text. */
export function toPlainText(document: PageDocument, words: ExportWords): string {
  const { title, address, lines, questions } = document;
  const parts = [[oneLine(title), oneLine(webAddress(address) ?? address), oneLine(words.about(document))].join("\n")];
  if (lines.length > 0) parts.push(words.summary, ...lines.map(lineOf));
  if (questions.length > 0) parts.push(words.questions);
  for (const { text, isAnswered, lines } of questions) {
    parts.push(oneLine(text), ...(isAnswered ? lines.map(lineOf) : [words.noAnswer]));
  }
  return `${parts.join("\n\n")}\n`;
}

function lineOf(line: Line): string {
  const rows = [`- ${oneLine(line.text)}`];
  for (const { text, code, link, page } of line.sources) {
    if (code) rows.push(indent(manyLines(code), 4));
    if (!isQuote(line)) rows.push(`  “${oneLine(text)}”`);
    if (page) rows.push(`  ${oneLine(page.title)}`);
    if (link) rows.push(`  ${link}`);
  }
  return rows.join("\n");
}

const indent = (text: string, by: number): string => text.replace(/^/gm, " ".repeat(by));
