import { isQuote, type Line, type PageDocument, speakerOfLine } from "./document.js";
import { webAddress } from "./links.js";
import { placeOf } from "./place.js";
import { manyLines, oneLine } from "./text.js";
import type { ExportWords } from "./words.js";

/** A document as CommonMark. */
export function toMarkdown(document: PageDocument, words: ExportWords): string {
  const { title, address, lines, questions } = document;
  const web = webAddress(address);
  const parts = [`# ${escapeMarkdown(title)}`, web ? `<${web}>` : escapeMarkdown(address)];
  parts.push(escapeMarkdown(words.about(document)));
  if (lines.length > 0) parts.push(`## ${words.summary}`, lines.map(lineOf(words)).join("\n"));
  if (questions.length > 0) parts.push(`## ${words.questions}`);
  for (const { text, isAnswered, lines } of questions) {
    parts.push(`### ${escapeMarkdown(text)}`);
    parts.push(isAnswered ? lines.map(lineOf(words)).join("\n") : words.noAnswer);
  }
  return `${parts.join("\n\n")}\n`;
}

/** A text in one line that Markdown takes for nothing but text. */
export const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_[\]<>~|$&#]/g, "\\$&")
    // What begins a list, a heading of the other kind or a rule.
    .replace(/^([-+=])/, "\\$1")
    .replace(/^(\d{1,9})([.)])/, "$1\\$2");

const lineOf =
  (words: ExportWords) =>
  (line: Line): string => {
    const rows = [
      `- ${named(speakerOfLine(line))}${escapeMarkdown(line.text)}${line.translated ? ` (${words.translated})` : ""}`,
    ];
    for (const source of line.sources) {
      const { text, code, link, page, speaker } = source;
      const place = placeOf(source, words);
      // The address has no angle brackets: the URL parser encodes them.
      const to =
        (page ? ` – ${escapeMarkdown(page.title)}` : "") +
        (place ? ` (${escapeMarkdown(place)})` : "") +
        (link ? ` [${words.source}](<${link}>)` : "");
      if (isQuote(line)) rows[0] += to;
      else rows.push(`  - ${named(speaker)}“${escapeMarkdown(text)}”${to}`);
      if (code) rows.push(fenced(manyLines(code)));
    }
    return rows.join("\n");
  };

const named = (speaker: string | null | undefined): string => (speaker ? `${escapeMarkdown(speaker)}: ` : "");

/** Code between fences that are longer than any run of backticks in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return ["", fence, code, fence, ""].join("\n").replace(/^(?=.)/gm, "  ");
}
