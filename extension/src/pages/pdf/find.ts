// Finds a passage in the items of a page.
import { pageOf, type PageStarts } from "../../page-starts.js";
import type { Source } from "../../wire.js";
import { bare, bareCharacter } from "./text/characters.js";
import { inOrder } from "./text/order.js";
import type { PageItems } from "./text/pieces.js";
import { prepare } from "./text/prepare.js";

/** Letters and digits that are enough to find a passage by. */
const BEGINNING = 40;

/** Items of white space between two of text. */
const SPACES_MAX = 3;

/** A stretch of one item's text. */
export interface Stretch {
  item: number;
  from: number;
  to: number;
}

/** The part of a passage that stands on one page. */
export interface PartOnPage {
  page: number;
  /** Its own letters and digits. */
  needle: string;
  /** Those of its block on that page, and where among them it begins. */
  context: string;
  at: number;
}

/** The parts of a passage, by page. */
export function partsOf(source: Source, block: string, starts: PageStarts): PartOnPage[] {
  const parts: PartOnPage[] = [];
  const last = pageOf(starts, source.block, Math.max(source.start, source.end - 1));
  for (let page = pageOf(starts, source.block, source.start); page <= last; page++) {
    const [from, to] = [boundary(starts, page, source.block), boundary(starts, page + 1, source.block, block.length)];
    const [start, end] = [Math.max(from, source.start), Math.min(to, source.end)];
    const needle = bare(block.slice(start, end));
    if (needle)
      parts.push({ page, needle, context: bare(block.slice(from, to)), at: bare(block.slice(from, start)).length });
  }
  return parts;
}

/** Where in a block's text a page begins. */
function boundary(starts: PageStarts, page: number, block: number, otherwise = 0): number {
  const [at, offset] = starts[page - 1] ?? [-1, 0];
  return at === block ? offset : otherwise;
}

/** Where that part stands among the items of its page; empty where it does not. */
export function findOnPage(items: PageItems, { needle, context, at }: PartOnPage): Stretch[] {
  const { text, places } = flatten(items);
  // With its surroundings: a short sentence may stand on a page twice.
  const around = text.indexOf(context);
  let [start, length] = [around >= 0 ? around + at : text.indexOf(needle), needle.length];
  // A footnote may stand between its lines: then its beginning is shown.
  if (start < 0) [start, length] = [text.indexOf(needle.slice(0, BEGINNING)), BEGINNING];
  if (start < 0) return [];
  const stretches: Stretch[] = [];
  for (const { item, from, to } of places.slice(start, start + length)) {
    const open = stretches.at(-1);
    if (open?.item === item) open.to = Math.max(open.to, to);
    else stretches.push({ item, from, to });
  }
  return whole(stretches, items);
}

/** With the spaces, hyphens and stops that lie between the letters and behind the last one. */
function whole(stretches: readonly Stretch[], { items }: PageItems): Stretch[] {
  return stretches.flatMap(({ item, from, to }, at) => {
    const text = items[item]?.str ?? "";
    const next = stretches[at + 1];
    const stop = /^[^\p{L}\p{N}\s]*/u.exec(text.slice(to))?.[0].length ?? 0;
    const own = { item, from: at > 0 ? 0 : from, to: next ? text.length : to + stop };
    const between = items
      .slice(item + 1, Math.min(next?.item ?? 0, item + 1 + SPACES_MAX))
      .flatMap(({ str }, after) => (/^\s+$/.test(str) ? [{ item: item + 1 + after, from: 0, to: str.length }] : []));
    return [own, ...between];
  });
}

/** The letters and digits of a page in reading order, and of which item each is. */
function flatten(items: PageItems): { text: string; places: Stretch[] } {
  let text = "";
  const places: Stretch[] = [];
  const lines = inOrder(prepare(items).lines).flatMap(({ rows }) => rows.flat());
  for (const { item } of lines.flatMap(({ pieces }) => pieces)) {
    let from = 0;
    for (const one of items.items[item]?.str ?? "") {
      const to = from + one.length;
      for (const unit of bareCharacter(one)) {
        text += unit;
        for (let count = unit.length; count > 0; count--) places.push({ item, from, to });
      }
      from = to;
    }
  }
  return { text, places };
}
