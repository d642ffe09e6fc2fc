// A document as elements: what is printed, and what the history shows.
import { isQuote, type Line, type PageDocument, speakerOfLine } from "../export/document.js";
import { webAddress } from "../export/links.js";
import { placeOf } from "../export/place.js";
import { aboutWords, pdfPageWords } from "./export-words.js";
import { h, put } from "./dom.js";
import { t } from "./words.js";

/** A link that opens beside the page it stands on. Any address that is no web address is text. */
export function createLink(address: string, words: string, attributes: Record<string, string> = {}): HTMLElement {
  const href = webAddress(address);
  if (href === null) return h("span", attributes, words);
  return h("a", { href, target: "_blank", rel: "noopener noreferrer", ...attributes }, words);
}

/** Title, address and date. `level`: of the title. */
export function createDocumentHead(document: PageDocument): HTMLElement {
  return h(
    "header",
    {},
    h("h1", { dir: "auto", lang: document.language }, document.title),
    h("p", { class: "address" }, createLink(document.address, document.address, { dir: "ltr" })),
    h("p", { class: "about" }, aboutWords(document)),
  );
}

/** The summary, and the questions with their answers; each line with its sources. Headings are of level 4 and 5, or 2 and 3. */
export function createDocumentBody(document: PageDocument, isNested: boolean): HTMLElement {
  const [heading, subheading] = isNested ? (["h4", "h5"] as const) : (["h2", "h3"] as const);
  const { lines, questions, language } = document;
  const parts: HTMLElement[] = [];
  if (lines.length > 0) parts.push(h(heading, {}, t("exportSummary")), createLines(lines, language));
  if (questions.length > 0) parts.push(h(heading, {}, t("exportQuestions")));
  for (const { text, isAnswered, lines } of questions) {
    const answer = isAnswered ? createLines(lines, language) : h("p", {}, t("nothingFound"));
    parts.push(h("section", {}, h(subheading, { dir: "auto" }, text), answer));
  }
  return h("div", { class: "document" }, ...parts);
}

const createLines = (lines: readonly Line[], language: string | null): HTMLElement =>
  h("ul", { class: "document-lines" }, ...lines.map((line) => createLine(line, language)));

function createLine(line: Line, language: string | null): HTMLElement {
  const item = h("li", {}, h("span", { dir: "auto", lang: language }, ...named(speakerOfLine(line)), line.text));
  if (line.translated) put(item, " ", h("span", { class: "source" }, t("support_translated")));
  for (const source of line.sources) {
    const { text, code, link, page, speaker } = source;
    const name = page ? [" ", h("cite", { dir: "auto" }, page.title)] : [];
    const place = placeOf(source, { pdfPage: pdfPageWords });
    const where = place === null ? [] : [" ", h("span", { class: "source" }, place)];
    const to = [...name, ...where, ...(link ? [" ", createLink(link, t("exportSource"), { class: "source" })] : [])];
    if (isQuote(line)) put(item, ...to);
    else put(item, h("blockquote", { dir: "auto", lang: language }, ...named(speaker), text, ...to));
    if (code) put(item, h("pre", { dir: "ltr" }, h("code", {}, code)));
  }
  return item;
}

const named = (speaker: string | null | undefined): (Node | string)[] =>
  speaker ? [h("b", {}, h("bdi", {}, speaker), ":"), " "] : [];
