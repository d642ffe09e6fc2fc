import { seen } from "../text/seen.js";
import type { Line, PageDocument } from "./document.js";

/** Counts up when a field changes its meaning or goes. docs/exported-json.md describes the fields. */
const VERSION = 1;

/** A document as JSON. Texts are as they are seen on the page. */
export function toJson({ title, address, dateMs, language, writer, lines, questions }: PageDocument): string {
  const exported = {
    format: "pith",
    version: VERSION,
    title: seen(title),
    address,
    date: new Date(dateMs).toISOString(),
    language,
    writer: writer === null ? null : seen(writer),
    lines: lines.map(lineOf),
    questions: questions.map(({ text, isAnswered, lines }) => ({
      text: seen(text),
      answered: isAnswered,
      lines: lines.map(lineOf),
    })),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

const lineOf = ({ text, sources, translated }: Line): Line => ({
  text: seen(text),
  ...(translated && { translated }),
  sources: sources.map(({ text, code, link, page, speaker, second, pdfPage }) => ({
    text: seen(text),
    code: code === null ? null : seen(code),
    link,
    ...(page && { page: { ...page, title: seen(page.title) } }),
    ...(speaker !== undefined && { speaker: seen(speaker) }),
    ...(second !== undefined && { second }),
    ...(pdfPage !== undefined && { pdfPage }),
  })),
});
