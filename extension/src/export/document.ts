// What is copied, saved, printed and kept of a page: one small model, filled from a tab's state in one place.
import type { Page, Passage, WrittenText } from "@pith/web";
import { secondOf } from "../caption-times.js";
import { pageOf } from "../page-starts.js";
import { PAGE_TITLE_CHARS_MAX, type PagePassage } from "../pages-wire.js";
import { addressOfKey, type ReadPage, type TabState } from "../wire.js";
import { createLinks } from "./links.js";
import { passageWords } from "./passage-words.js";

/** A passage of the page. */
export interface SourceText {
  text: string;
  /** The code that the passage announces. */
  code: string | null;
  /** The page's address with a text fragment, which scrolls to the passage; null where the address is no web address. */
  link: string | null;
  /** The page that it is from, where that is not the document's own. */
  page?: { title: string; address: string };
  /** Who wrote or says it, where that is known and the text does not begin with the name. */
  speaker?: string;
  /** Of captions: the second of the video or audio at which it is heard. */
  second?: number;
  /** Of a PDF: the page on which it begins, from 1. */
  pdfPage?: number;
}

/** A line of a summary or an answer. A line in the page's own words has itself as its one source. */
export interface Line {
  text: string;
  sources: SourceText[];
  /** It is in another language than the page. Its original was compared with the page; this line was not. */
  translated?: true;
}

export interface AskedQuestion {
  /** Unique in its document. */
  id: number;
  text: string;
  /** False where nothing on the page answers it. */
  isAnswered: boolean;
  lines: Line[];
}

export interface PageDocument {
  title: string;
  /** Any address, also one that is not linked to, such as that of a file. */
  address: string;
  /** When it was read, in milliseconds since 1970. */
  dateMs: number;
  /** BCP 47, where the page says one. */
  language: string | null;
  /** The model that wrote lines in its own words; null where all are the page's sentences. */
  writer: string | null;
  lines: Line[];
  questions: AskedQuestion[];
}

/** True where a line is the page's own words. */
export const isQuote = ({ text, sources }: Line): boolean => sources.length === 1 && sources[0]?.text === text;

type Read = Pick<ReadPage, "key" | "times" | "pageStarts"> & { page: Pick<Page, "blocks" | "language"> };

/** A page of another tab that was asked as well. */
interface OtherRead {
  id: number;
  read: Read & Pick<ReadPage, "page">;
}

/** Who to name before a line: of a quote whoever says it. */
export const speakerOfLine = (line: Line): string | null => (isQuote(line) ? (line.sources[0]?.speaker ?? null) : null);

/** Makes sources of the passages of a page, with what is known of them besides their words. */
function createPageSources({ key, page: { blocks, language = null }, times, pageStarts }: Read) {
  const linkTo = createLinks(addressOfKey(key), blocks, language);
  return (passage: PagePassage): SourceText => {
    const { block, start, speaker } = passage;
    const second = times ? secondOf(times, block, start) : null;
    return {
      text: passageWords(passage),
      code: passage.code,
      link: linkTo(passage),
      ...(speaker !== null && { speaker }),
      ...(second !== null && { second }),
      ...(pageStarts && { pdfPage: pageOf(pageStarts, block, start) }),
    };
  };
}

/** Makes sources of passages: of the tab's own page, and of `others` that were asked with it. */
function createSources(own: Read, others: readonly OtherRead[]) {
  const ofOwn = createPageSources(own);
  const known = others.map(({ id, read }) => {
    const about = { title: read.page.title.slice(0, PAGE_TITLE_CHARS_MAX), address: addressOfKey(read.key) };
    return { id, about, sourceOf: createPageSources(read) };
  });
  return (passage: PagePassage): SourceText => {
    if (passage.page === undefined) return ofOwn(passage);
    const other = known.find(({ id }) => id === passage.page);
    if (other) return { ...other.sourceOf(passage), page: other.about };
    return { text: passageWords(passage), code: passage.code, link: null };
  };
}

/** The finished results of a tab; null where no page was read. */
export function documentOf(
  { page, summary, writing, questions }: TabState,
  blocks: Page["blocks"],
  dateMs: number,
  others: readonly OtherRead[] = [],
) {
  if (!page) return null;
  const address = addressOfKey(page.key);
  const sourceOf = createSources({ ...page, page: { blocks, language: page.language } }, others);
  const lineOf = (passage: Passage): Line => {
    const parts = passage.parts ?? [];
    if (parts.length === 0) {
      const source = sourceOf(passage);
      return { text: source.text, sources: [source] };
    }
    const own = { ...passage, headers: [], code: null, speaker: parts.length > 1 ? null : passage.speaker };
    return { text: passage.text, sources: parts.map((part) => sourceOf({ ...own, ...part })) };
  };
  /** A model's lines, each with the passages that support it. */
  const writtenLines = ({ lines, passages }: WrittenText): Line[] =>
    lines.map(({ text, sources, support }) => ({
      text,
      ...(support === "translated" && { translated: true }),
      sources: sources.flatMap((at) => {
        const passage = passages[at];
        return passage ? lineOf(passage).sources : [];
      }),
    }));
  const written = writing?.job.phase === "done" ? writing.job.result.written : null;
  const keyLines = summary?.phase === "done" ? summary.result.lines.map(lineOf) : [];
  const writers = [written?.by, ...questions.map(({ job }) => (job.phase === "done" ? job.result.written?.by : null))];
  const made: PageDocument = {
    title: page.title,
    address,
    dateMs,
    language: page.language,
    writer: writers.find((by) => by) ?? null,
    lines: written ? writtenLines(written) : keyLines,
    questions: questions.flatMap(({ id, text, job }) => {
      if (job.phase !== "done") return [];
      const { answered, passages, written } = job.result;
      return [
        {
          id,
          text,
          isAnswered: answered && passages.length > 0,
          lines: written ? writtenLines(written) : answered ? passages.map(lineOf) : [],
        },
      ];
    }),
  };
  return made;
}

/** The summary without the questions. */
export const summaryOnly = (document: PageDocument): PageDocument => ({ ...document, questions: [] });

/** One question with its answer. */
export const questionOnly = (document: PageDocument, id: number): PageDocument => ({
  ...document,
  lines: [],
  questions: document.questions.filter((one) => one.id === id),
});
