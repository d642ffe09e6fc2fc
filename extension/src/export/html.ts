import { isQuote, type Line, type PageDocument, speakerOfLine } from "./document.js";
import { webAddress } from "./links.js";
import { placeOf } from "./place.js";
import { manyLines, oneLine } from "./text.js";
import type { ExportWords } from "./words.js";

const STYLE = [
  ":root{color-scheme:light dark}",
  "body{max-width:42rem;margin:2rem auto;padding:0 1rem;font:1.0625rem/1.55 Georgia,serif;overflow-wrap:anywhere}",
  "h1{line-height:1.25}h2{margin-top:2rem;font-size:1.125rem}h3{margin-bottom:.25rem;font-size:1rem}",
  "li{margin-block:.5rem}.about,.source{font:.875rem/1.5 system-ui,sans-serif}blockquote{margin:.25rem 1rem}",
  "pre{padding:.5rem;overflow:auto;border:1px solid;border-radius:.25rem;white-space:pre-wrap}",
].join("");

/** A document as a web page of its own: no script, and nothing that is loaded. */
export function toHtml(document: PageDocument, words: ExportWords): string {
  return [
    "<!doctype html>",
    `<html lang="${escapeHtml(words.language)}" dir="${escapeHtml(words.direction)}">`,
    '<head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(oneLine(document.title))}</title>`,
    `<style>${STYLE}</style></head>`,
    `<body>\n${toHtmlBody(document, words)}\n</body>`,
    "</html>\n",
  ].join("\n");
}

/** The same without a page around it, for the clipboard. */
export function toHtmlBody(document: PageDocument, words: ExportWords): string {
  const { title, address, language, lines, questions } = document;
  const web = webAddress(address);
  const lang = language ? ` lang="${escapeHtml(language)}"` : "";
  const shown = escapeHtml(oneLine(web ?? address));
  const list = (lines: readonly Line[]): string =>
    `<ul>\n${lines.map((line) => `<li>${lineOf(line, lang, words)}</li>`).join("\n")}\n</ul>`;
  const parts = [
    `<h1${lang} dir="auto">${escapeHtml(oneLine(title))}</h1>`,
    `<p class="about" dir="ltr">${web ? `<a href="${shown}" rel="noreferrer">${shown}</a>` : shown}</p>`,
    `<p class="about">${escapeHtml(oneLine(words.about(document)))}</p>`,
  ];
  if (lines.length > 0) parts.push(`<h2>${escapeHtml(words.summary)}</h2>`, list(lines));
  if (questions.length > 0) parts.push(`<h2>${escapeHtml(words.questions)}</h2>`);
  for (const { text, isAnswered, lines } of questions) {
    parts.push(`<h3 dir="auto">${escapeHtml(oneLine(text))}</h3>`);
    parts.push(isAnswered ? list(lines) : `<p>${escapeHtml(words.noAnswer)}</p>`);
  }
  return parts.join("\n");
}

function lineOf(line: Line, lang: string, words: ExportWords): string {
  const parts = [`<span${lang} dir="auto">${named(speakerOfLine(line))}${escapeHtml(oneLine(line.text))}</span>`];
  if (line.translated) parts.push(` <span class="source">${escapeHtml(words.translated)}</span>`);
  const label = escapeHtml(words.source);
  for (const source of line.sources) {
    const { text, code, link, page, speaker } = source;
    const name = page ? ` <cite dir="auto">${escapeHtml(oneLine(page.title))}</cite>` : "";
    const place = placeOf(source, words);
    const where = place ? ` <span class="source">${escapeHtml(place)}</span>` : "";
    const open = link ? ` <a class="source" href="${escapeHtml(link)}" rel="noreferrer">${label}</a>` : "";
    const to = name + where + open;
    if (isQuote(line)) parts.push(to);
    else parts.push(`<blockquote${lang} dir="auto">${named(speaker)}${escapeHtml(oneLine(text))}${to}</blockquote>`);
    if (code) parts.push(`<pre dir="ltr"><code>${escapeHtml(manyLines(code))}</code></pre>`);
  }
  return parts.join("");
}

const named = (speaker: string | null | undefined): string =>
  speaker ? `<b><bdi>${escapeHtml(oneLine(speaker))}</bdi>:</b> ` : "";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text for HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
