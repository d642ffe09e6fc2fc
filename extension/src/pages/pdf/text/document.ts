// The text of a whole document: pages are added one after the other, and become blocks when all are known.
import type { Block } from "@pith/web";
import type { LeftOut, LeftOutKind } from "../../../wire.js";
import { appendBlock, type Draft, goesOnAfterBreak, toBlocks, type Type } from "./blocks.js";
import { bare, countWords } from "./characters.js";
import { findFurniture, type PageLines } from "./furniture.js";
import type { Line } from "./lines.js";
import { inOrder, median, type Region } from "./order.js";
import type { PageItems } from "./pieces.js";
import { prepare } from "./prepare.js";

/** A document's text. `pages[n]`: at which block, and at which place in its text, page n + 1 begins. */
export interface DocumentText {
  title: string;
  blocks: Block[];
  pages: [number, number][];
  wordsRead: number;
  wordsVisible: number;
  leftOut: LeftOut[];
}

/** The mark of a footnote at the beginning of its line. */
const NOTE = /^(?:\d{1,3}|[*†‡§¶]{1,3}|[a-z])[).]?\s*\p{L}/u;
const NOTE_SIZES_MAX = 0.92;
/** Of the page's height: footnotes stand below. */
const NOTE_PLACE_SHARE = 0.45;
/** Texts of one kind that are shown. */
const TEXTS_MAX = 200;
const TITLE_CHARS_MAX = 200;

/** The lines of one page, in no order yet. */
export function readLines(number: number, page: PageItems): PageLines {
  const { lines, ...rest } = prepare(page);
  // The pieces would be most of a long document's memory.
  const { hidden = [], isLayer = false } = page;
  return { number, ...rest, hidden, isLayer, lines: lines.map((line) => ({ ...line, pieces: [] })) };
}

/** Puts the pages together. `pause` is awaited after every page: a long document takes seconds. */
export async function assemble(pages: readonly PageLines[], pause?: () => Promise<void>): Promise<DocumentText> {
  const furniture = findFurniture(pages);
  const type = typeOf(pages, furniture);
  const left = new Map<LeftOutKind, string[]>();
  const leave = (kind: LeftOutKind, text: string): void =>
    void (left.get(kind) ?? left.set(kind, []).get(kind)!).push(text);
  const drafts: Draft[] = [];
  for (const page of pages) {
    for (const line of page.lines) if (furniture.has(line)) leave("runningHeads", line.text);
    for (const text of page.askew) leave("other", text);
    for (const text of page.hidden) leave("hidden", text);
    for (const text of page.garbled) leave("garbled", text);
    for (const text of page.numbers) leave("runningHeads", text);
    const lines = page.lines.filter((line) => !furniture.has(line));
    const fresh: Draft[] = [];
    for (const region of inOrder(lines)) {
      const notes = notesOf(region, type, page.height);
      for (const text of notes.texts) leave("notes", text);
      for (const block of toBlocks({ ...region, rows: notes.rest }, type, page.number)) {
        const open = fresh.at(-1) ?? drafts.at(-1);
        const isBreak = open !== undefined && (open.region !== block.region || open.page !== block.page);
        if (isBreak && goesOnAfterBreak(open, block)) appendBlock(open, block, type.words);
        else fresh.push(block);
      }
    }
    for (const draft of fresh) drafts.push(draft);
    await pause?.();
  }
  return finish(drafts, left, pages, type);
}

/** Letters that are no characters are words between spaces. */
const wordsIn = (kind: LeftOutKind, text: string): number =>
  kind === "garbled" ? text.trim().split(/\s+/).length : countWords(text);

function finish(
  drafts: readonly Draft[],
  left: ReadonlyMap<LeftOutKind, string[]>,
  pages: readonly PageLines[],
  type: Type,
): DocumentText {
  const blocks = drafts.map(({ kind, text, headers }): Block => ({ kind, text, ...(headers && { headers }) }));
  const leftOut = [...left].map(([kind, texts]): LeftOut => ({
    kind,
    count: texts.length,
    words: texts.reduce((sum, text) => sum + wordsIn(kind, text), 0),
    // What the page does not show, the panel does not show either.
    texts: kind === "hidden" || kind === "garbled" ? [] : [...new Set(texts)].slice(0, TEXTS_MAX),
  }));
  const wordsRead = blocks.reduce((sum, { text }) => sum + countWords(text), 0);
  const wordsLeft = leftOut.reduce((sum, { words }) => sum + words, 0);
  return {
    title: titleOf(drafts, type),
    blocks,
    pages: beginnings(drafts, pages),
    wordsRead,
    wordsVisible: wordsRead + wordsLeft,
    leftOut: leftOut.sort((a, b) => b.words - a.words),
  };
}

/** Where every page begins; a page without text begins where the next one does. */
function beginnings(drafts: readonly Draft[], pages: readonly PageLines[]): [number, number][] {
  const count = pages.at(-1)?.number ?? 0;
  const found = new Map<number, [number, number]>();
  drafts.forEach(({ page, pages: later }, at) => {
    if (!found.has(page)) found.set(page, [at, 0]);
    for (const { page: next, offset } of later) if (!found.has(next)) found.set(next, [at, offset]);
  });
  const starts: [number, number][] = [];
  let next: [number, number] = [drafts.length, 0];
  for (let number = count; number >= 1; number--) starts.push((next = found.get(number) ?? next));
  return starts.reverse();
}

/** The largest heading of the first pages. */
function titleOf(drafts: readonly Draft[], type: Type): string {
  const first = drafts[0]?.page ?? 1;
  const headings = drafts.filter(
    ({ kind, page, text }) =>
      kind === "heading" && page <= first + 1 && bare(text).length > 2 && text.length <= TITLE_CHARS_MAX,
  );
  const largest = headings.reduce<Draft | null>((a, b) => (a && a.last.size >= b.last.size ? a : b), null);
  return largest && largest.last.size > type.size ? largest.text : "";
}

/** The size, font and distance of lines that most characters have. */
function typeOf(pages: readonly PageLines[], furniture: ReadonlySet<Line>): Type {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  const words = new Set<string>();
  const distances: number[] = [];
  let [mono, all] = [0, 0];
  for (const { lines } of pages) {
    const sorted = lines.filter((line) => !furniture.has(line)).sort((a, b) => a.y - b.y);
    sorted.forEach((line, at) => {
      const { text } = line;
      const size = Math.round(line.size * 2) / 2;
      sizes.set(size, (sizes.get(size) ?? 0) + text.length);
      fonts.set(line.font, (fonts.get(line.font) ?? 0) + text.length);
      all += text.length;
      if (line.isMono) mono += text.length;
      const whole = text.toLowerCase().match(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu) ?? [];
      // The last word may be a part of one.
      for (const word of /[-\u00AD]$/.test(text) ? whole.slice(0, -1) : whole) words.add(word);
      const below = sorted
        .slice(at + 1, at + 8)
        .find((one) => one.y > line.y + 1 && Math.abs(one.left - line.left) < 2);
      if (below && Math.abs(below.size - line.size) < 0.5) distances.push((below.y - line.y) / line.size);
    });
  }
  const most = <K>(counts: Map<K, number>): K | undefined => [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  const size = most(sizes) ?? 10;
  // A document in one typewriter face has no code that could be told by it.
  const font = mono * 2 > all ? "mono" : (most(fonts) ?? "");
  const leading = Math.min(Math.max(median(distances) || 1.2, 1), 2.2) * size;
  return { size, font, leading, words };
}

/** Footnotes at the end of a region: small type that begins with a mark, and all below it. */
function notesOf(region: Region, type: Type, height: number): { rest: Line[][]; texts: string[] } {
  const { rows } = region;
  let start = rows.length;
  for (let at = rows.length - 1; at >= 0; at--) {
    const [line] = rows[at]!;
    if (!line || line.size > type.size * NOTE_SIZES_MAX || line.y < height * NOTE_PLACE_SHARE) break;
    if (NOTE.test(rows[at]!.map(({ text }) => text).join(" "))) start = at;
  }
  const texts = rows.slice(start).map((row) => row.map(({ text }) => text).join(" "));
  return { rest: rows.slice(0, start), texts };
}
