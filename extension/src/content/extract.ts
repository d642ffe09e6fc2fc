// Reads the page: first a picture of it for the panel to judge, then the blocks of what was judged to be text.
import type { Block } from "@pith/web";
import { type LiveBlock, readBlocks } from "./blocks.js";
import { type Metadata, readMetadata } from "./metadata.js";
import { closestTo, page, parentOf } from "./own.js";
import { look, type Sight } from "./sight/sight.js";
import { takeSnapshot } from "./snapshot.js";
import { giveUpReadings } from "./walk.js";

/** The first answer: what the panel needs to find the article. */
export type Picture = { problem: "page_pdf" | "no_text" } | { key: string; html: string; metadata: Metadata };

/** Fewer characters than this are no text to summarise. */
const TEXT_CHARS_MIN = 40;
/** A short block whose text is mostly links is for going elsewhere: an edit link, a row of tags. */
const LINKED_MAX = 0.6;
const LINKED_CHARS_MAX = 80;
const LANDMARKS = "main, [role=main], article";
const OUTER = "header, footer, aside, [role=banner], [role=complementary]";

/** Not `randomUUID`, which pages without https do not have. */
const documentId = crypto.getRandomValues(new Uint32Array(3)).join("-");
let numbers: ReadonlyMap<Element, number> = new Map();
let sight: Sight | null = null;
let blocks: LiveBlock[] = [];

/** Which document this is, at which address: a new one wherever the reader would see another page. */
export function pageKey(): string {
  return `${documentId} ${location.href.replace(/#.*$/, "")}`;
}

export async function picture(): Promise<Picture> {
  giveUpReadings();
  if (page.contentType() === "application/pdf") return { problem: "page_pdf" };
  if (!page.body()) return { problem: "no_text" };
  const metadata = readMetadata();
  sight = await look();
  const snapshot = await takeSnapshot(sight);
  numbers = snapshot.numbers;
  return { key: pageKey(), html: snapshot.html, metadata };
}

/** The blocks of the elements that the panel kept, or, where it found nothing, of what looks like text. */
export async function collect(kept: number[] | null): Promise<Block[]> {
  const found = kept && sight ? await collectKept(sight, new Set(kept)) : [];
  const dense = length(found) < TEXT_CHARS_MIN || isPoor(found) ? await collectDense() : [];
  blocks = proseOf(length(dense) > 2 * length(found) ? dense : found);
  sight = null;
  return length(blocks) < TEXT_CHARS_MIN ? [] : blocks.map(({ kind, text }) => ({ kind, text }));
}

/** The live blocks of the last reading. */
export const liveBlocks = (): readonly LiveBlock[] => blocks;

function collectKept(sight: Sight, kept: ReadonlySet<number>): Promise<LiveBlock[]> {
  return readBlocks(sight, (element) => kept.has(numbers.get(element) ?? -1));
}

/** Little text, in a page that shows much more: the judgement went wrong. */
function isPoor(found: readonly LiveBlock[]): boolean {
  return length(found) < 280;
}

/** Without an article: the page's main part. */
async function collectDense(): Promise<LiveBlock[]> {
  const all = await readBlocks(await look(), (element) => !closestTo(element, OUTER));
  const inMain = all.filter(({ nodes: [first] }) => {
    const parent = first && parentOf(first);
    return parent && closestTo(parent, LANDMARKS);
  });
  return length(inMain) * 2 > length(all) ? inMain : all;
}

/** Without what leads elsewhere, unless the page has nothing else. */
function proseOf(some: LiveBlock[]): LiveBlock[] {
  const prose = some.filter(
    ({ kind, linked, text }) => kind === "heading" || linked < LINKED_MAX || text.length > LINKED_CHARS_MAX,
  );
  return length(prose) >= TEXT_CHARS_MIN ? prose : some;
}

function length(some: readonly LiveBlock[]): number {
  return some.reduce((sum, { text }) => sum + text.length, 0);
}
