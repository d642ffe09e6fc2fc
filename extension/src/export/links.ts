// Links with text fragments (WICG, Scroll to Text Fragment): they scroll to a passage and highlight it.
import type { Block, Passage } from "@pith/web";

type Place = Pick<Passage, "text" | "block" | "start">;

/** Of a passage at most this is searched for words at either end. */
const EDGE_CHARS = 400;
/** A passage up to this length is named whole, a longer one by its first and its last words. */
const WHOLE_CHARS_MAX = 100;
/** How many words are tried, until they occur nowhere else on the page. */
const WORD_COUNTS = [4, 7, 11, 16];
const CONTEXT_WORDS = 4;
/** Of a page at most this is searched for a second occurrence. */
const PAGE_CHARS_MAX = 4_000_000;

/** The address as a link may have it, or null: only web addresses are linked to. */
export function webAddress(address: string): string | null {
  try {
    const { protocol, href } = new URL(address);
    return protocol === "http:" || protocol === "https:" ? href : null;
  } catch {
    return null;
  }
}

/** Percent-encodes a part of a text directive. Dash, comma and ampersand have a meaning there; the others end links in texts. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, "\uFFFD")).replace(
    /[-!'()*~]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** As browsers compare: without case and diacritics. A cell of a row is a block of its own, which no part crosses. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("\t", "\n")
    .replace(/[^\S\n]+/g, " ");

/** Makes links to passages of a page with these blocks. */
export function createLinks(
  address: string,
  blocks: readonly Block[],
  language: string | null,
): (passage: Place) => string | null {
  const web = webAddress(address);
  if (web === null) return () => null;
  const base = web.replace(/#.*$/, "");
  const words = segmenter(language);
  let page: FoldedPage | null = null;
  return (passage) => {
    page ??= new FoldedPage(blocks);
    const directive = directiveFor(passage, blocks, page, words);
    return directive === null ? base : `${base}#:~:text=${directive}`;
  };
}

function segmenter(language: string | null): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language ?? undefined, { granularity: "word" });
  } catch {
    return new Intl.Segmenter(undefined, { granularity: "word" });
  }
}

/** The page's text, to see where words occur first. */
class FoldedPage {
  readonly #text: string;
  readonly #offsets: number[] = [];

  constructor(blocks: readonly Block[]) {
    const parts: string[] = [];
    let length = 0;
    for (const { text } of blocks) {
      this.#offsets.push(length);
      const folded = length < PAGE_CHARS_MAX ? fold(text) : "";
      parts.push(folded);
      length += folded.length + 1;
    }
    this.#text = parts.join("\n");
  }

  /** Where a passage begins. */
  placeOf({ block, start }: Place, blocks: readonly Block[]): number {
    return (this.#offsets[block] ?? 0) + fold((blocks[block]?.text ?? "").slice(0, start)).length;
  }

  isOnce(words: string): boolean {
    const folded = fold(words);
    return this.#text.indexOf(folded) === this.#text.lastIndexOf(folded);
  }

  /** True where the first occurrence behind `from` ends at `end`. */
  isFirstEnd(words: string, from: number, end: number): boolean {
    const folded = fold(words);
    return this.#text.indexOf(folded, from) === end - folded.length;
  }
}

/** Places of the words of a text. */
const wordsOf = (words: Intl.Segmenter, text: string): { start: number; end: number }[] =>
  [...words.segment(text)].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ start: index, end: index + segment.length }] : [],
  );

/** Signs that the page may write in another way: raised and lowered ones, fractions, pictures of signs. */
const REWRITTEN = /[\u00B2\u00B3\u00B9\u2070-\u209C\u00BC-\u00BE\u2150-\u215F✓✗™]|\p{Extended_Pictographic}/u;

/** The longest stretch of a passage without words that have such signs. */
function asWritten(passage: Place): Place {
  const { text, block, start } = passage;
  if (!REWRITTEN.test(text)) return passage;
  let [from, at, chars] = [0, 0, 0];
  const end = (to: number): void => {
    if (to - from > chars) [at, chars] = [from, to - from];
  };
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!REWRITTEN.test(word)) continue;
    end(index);
    from = index + word.length;
  }
  end(text.length);
  return { text: text.slice(at, at + chars), block, start: start + at };
}

function directiveFor(whole: Place, blocks: readonly Block[], page: FoldedPage, segments: Intl.Segmenter) {
  const passage = asWritten(whole);
  const cells = passage.text.split("\t").filter((cell) => cell.trim() !== "");
  const [head = "", tail = ""] = [cells[0]?.slice(0, EDGE_CHARS), cells.at(-1)?.slice(-EDGE_CHARS)];
  // What is cut off at an edge may be half a word.
  const first = wordsOf(segments, head).slice(0, head.length < EDGE_CHARS ? undefined : -1);
  const last = wordsOf(segments, tail).slice(tail.length < EDGE_CHARS ? 0 : 1);
  const from = first[0]?.start;
  const to = last.at(-1)?.end;
  if (from === undefined || to === undefined) return null;
  if (cells.length === 1 && head.length <= WHOLE_CHARS_MAX) {
    const whole = head.slice(from, to);
    return page.isOnce(whole) ? encodePart(whole) : contextOf(passage, from, blocks, segments) + encodePart(whole);
  }

  const begins = (count: number) => head.slice(from, first[Math.min(count, first.length) - 1]?.end);
  const ends = (count: number) => tail.slice(last[Math.max(0, last.length - count)]?.start, to);
  const starts = WORD_COUNTS.map(begins);
  const start = starts.find((one) => page.isOnce(one));
  const place = page.placeOf(passage, blocks);
  const end_at = place + fold(passage.text.slice(0, passage.text.lastIndexOf(tail) + to)).length;
  const behind = place + fold(head.slice(0, from) + (start ?? starts.at(-1))).length;
  const end = WORD_COUNTS.map(ends).find((one) => page.isFirstEnd(one, behind, end_at));
  const context = start === undefined ? contextOf(passage, from, blocks, segments) : "";
  const begin = encodePart(start ?? starts.at(-1) ?? "");
  // Without last words that a browser would find first, the first ones alone lead to the place.
  return context + (end === undefined ? begin : `${begin},${encodePart(end)}`);
}

/** The words before the first word of a passage, `from`, as the prefix of a directive; "" where there are none. */
function contextOf({ block, start }: Place, from: number, blocks: readonly Block[], segments: Intl.Segmenter): string {
  const own = (blocks[block]?.text ?? "").slice(0, start + from);
  const before = own.trim() === "" ? (blocks[block - 1]?.text ?? "") : own;
  const text = before.slice(before.lastIndexOf("\t") + 1).slice(-EDGE_CHARS);
  const first = wordsOf(segments, text).slice(-CONTEXT_WORDS)[0]?.start;
  // Up to the first word: between the two a browser skips white space only.
  return first === undefined ? "" : `${encodePart(text.slice(first).trim())}-,`;
}
