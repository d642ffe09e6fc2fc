import type { Line, PageDocument } from "./document.js";

/** Counts up when a field changes its meaning or goes. docs/exported-json.md describes the fields. */
const VERSION = 1;

/** A document as JSON. Texts are as they are on the page. */
export function toJson({ title, address, dateMs, language, writer, lines, questions }: PageDocument): string {
  const exported = {
    format: "pith",
    version: VERSION,
    title,
    address,
    date: new Date(dateMs).toISOString(),
    language,
    writer,
    lines: lines.map(lineOf),
    questions: questions.map(({ text, isAnswered, lines }) => ({
      text,
      answered: isAnswered,
      lines: lines.map(lineOf),
    })),
  };
  return `${JSON.stringify(exported, null, 2)}\n`;
}

const lineOf = ({ text, sources }: Line): Line => ({
  text,
  sources: sources.map(({ text, code, link, page, speaker, second, pdfPage }) => ({
    text,
    code,
    link,
    ...(page && { page }),
    ...(speaker !== undefined && { speaker }),
    ...(second !== undefined && { second }),
    ...(pdfPage !== undefined && { pdfPage }),
  })),
});
