// Regions to blocks: headings, paragraphs, list items, rows of tables, code and captions.
import type { Block, BlockKind } from "@pith/web";
import { HYPHEN_END, joinsTightly } from "./characters.js";
import { join } from "./join.js";
import type { Line } from "./lines.js";
import type { Region } from "./order.js";
import { BULLETS } from "./signs.js";
import { endOfTable, toTable } from "./tables.js";

/** What the document's type is like. */
export interface Type {
  size: number;
  font: string;
  /** Distance of baselines in running text. */
  leading: number;
  /** Words that stand in the document unbroken. */
  words: ReadonlySet<string>;
}

/** A block while it may still grow. `pages`: where in its text the later pages begin. */
export interface Draft extends Block {
  page: number;
  pages: { page: number; offset: number }[];
  last: Line;
  lineCount: number;
  region: Region;
}

const HEADING_SIZES = 1.12;
const HEADING_CHARS_MAX = 200;
const HEADING_LINES_MAX = 4;
/** A heading in the size of the text is in a font of its own, on a short line with room above. */
const SMALL_HEADING_CHARS_MAX = 90;
const ROOM_LEADINGS = 1.35;
const PARAGRAPH_LEADINGS = 1.45;
/** Code has empty lines. */
const CODE_LEADINGS = 2.2;
const INDENT_SIZES = 0.9;
/** Of the region's width: a line that ends before it may be the last of its paragraph. */
const FULL_SHARE = 0.82;
const BULLET = new RegExp(`^(?:[${BULLETS}]|-(?=\\s))\\s*(?=\\S)`, "u");
const NUMBERED = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]\s+\S/;
const CAPTION =
  /^(?:Fig(?:ure|\.)?|Table|Listing|Abb(?:ildung|\.)|Tab(?:elle|leau|\.)|Figura|Tabla|図|表|图)\s*[\dIVX]+/iu;
const STOP = /[.!?:;…。！？؟][)\]"'”’»]*$/u;

/** The blocks of one region. */
export function toBlocks(region: Region, type: Type, page: number): Draft[] {
  const blocks: Draft[] = [];
  const { rows } = region;
  for (let at = 0; at < rows.length; at++) {
    const tableEnd = endOfTable(rows, at);
    if (tableEnd > at) {
      blocks.push(...toTable(rows.slice(at, tableEnd), page, region));
      at = tableEnd - 1;
      continue;
    }
    for (const line of wholeCode(rows[at]!)) {
      const open = blocks.at(-1);
      const kind = kindOf(line, open?.last ?? null, rows[at + 1]?.[0] ?? null, type, region);
      if (open && goesOn(open, line, kind, type)) append(open, line, type, page);
      else blocks.push(draft(kind, line, page, region));
    }
  }
  return blocks;
}

/** Code that is set in columns is one line each all the same. */
function wholeCode(row: readonly Line[]): readonly Line[] {
  const [first] = row;
  if (!first || row.length === 1 || row.some(({ isMono }) => !isMono)) return row;
  return [{ ...first, text: row.map(({ text }) => text).join("  "), right: row.at(-1)!.right }];
}

function draft(kind: BlockKind, line: Line, page: number, region: Region): Draft {
  const text = kind === "listItem" ? line.text.replace(BULLET, "") : line.text;
  return { kind, text, page, pages: [], last: line, lineCount: 1, region };
}

function kindOf(line: Line, above: Line | null, below: Line | null, type: Type, region: Region): BlockKind {
  const { text, size } = line;
  if (line.isMono && !isMonoText(type) && !BULLET.test(text)) return "code";
  if (BULLET.test(text) || NUMBERED.test(text)) {
    // "2. Methods" in larger type is a heading.
    if (!(size >= type.size * HEADING_SIZES)) {
      if (BULLET.test(text) || !looksLikeHeading(line, above, below, type)) return "listItem";
    }
  }
  if (CAPTION.test(text) && text.length > 8) return "caption";
  if (size >= type.size * HEADING_SIZES && text.length <= HEADING_CHARS_MAX && /\p{L}/u.test(text)) return "heading";
  if (looksLikeHeading(line, above, below, type) && line.right - line.left < (region.right - region.left) * 0.9)
    return "heading";
  return "paragraph";
}

const isMonoText = (type: Type): boolean => type.font === "mono";

function looksLikeHeading(line: Line, above: Line | null, below: Line | null, type: Type): boolean {
  if (
    !line.isPlain ||
    (line.font === type.font && !line.isStrong) ||
    line.text.length > SMALL_HEADING_CHARS_MAX ||
    line.size < type.size * 0.97
  )
    return false;
  if (/[.,;:]$/.test(line.text) || !/^[\p{Lu}\p{N}\p{Lo}]/u.test(line.text)) return false;
  const hasRoom = !above || line.y - above.y > type.leading * ROOM_LEADINGS || line.y < above.y;
  return hasRoom && below !== null && below.font === type.font && !below.isStrong;
}

function goesOn(open: Draft, line: Line, kind: BlockKind, type: Type): boolean {
  const { last } = open;
  const sameSize = Math.abs(last.size - line.size) <= Math.max(last.size, line.size) * 0.08;
  const down = line.y - last.y;
  const leading = Math.max(type.leading * (line.size / type.size), line.size * 1.1);
  if (
    open.kind === "table" ||
    !sameSize ||
    down <= 0 ||
    down > leading * (open.kind === "code" ? CODE_LEADINGS : PARAGRAPH_LEADINGS)
  )
    return false;
  switch (open.kind) {
    case "heading":
      return kind === "heading" && open.lineCount < HEADING_LINES_MAX && last.font === line.font;
    case "code":
      return kind === "code";
    case "caption":
      return kind === "paragraph" && last.font === line.font;
    case "listItem":
      // Also with a hanging indent: what follows a line that stops short is another item, whose sign is drawn.
      return kind === "paragraph" && !endsParagraph(open, line);
    default:
      if (kind !== "paragraph" || endsParagraph(open, line)) return false;
      return !isIndented(line, open);
  }
}

/** True where the block's last line stops short, with a full stop, and the next begins like a sentence. */
function endsParagraph({ last, region }: Draft, line: Line): boolean {
  const room = last.isRtl ? last.left - region.left : region.right - last.right;
  const isShort = room > (region.right - region.left) * (1 - FULL_SHARE);
  return isShort && STOP.test(last.text) && !/^\p{Ll}/u.test(line.text);
}

/** A first line is indented against the one before, which is at the edge. */
function isIndented(line: Line, { last, lineCount, region }: Draft): boolean {
  const indent = INDENT_SIZES * line.size;
  const [here, there] = line.isRtl
    ? [region.right - line.right, region.right - last.right]
    : [line.left - region.left, last.left - region.left];
  return here - there > indent && (lineCount > 1 || there < indent) && here < (region.right - region.left) * 0.3;
}

/** Adds a line to a block. */
export function append(open: Draft, line: Line, type: Type, page: number): void {
  const { text, offset } = join(open, line.text, type.words);
  open.text = text;
  const before = open.pages.at(-1)?.page ?? open.page;
  if (page !== before) open.pages.push({ page, offset });
  open.last = line;
  open.lineCount++;
}

/** A block that goes on after a break of column or page: its last sentence is not over. */
export function goesOnAfterBreak(open: Draft, next: Draft): boolean {
  if (open.kind === "heading" || open.kind === "table" || open.kind === "code" || open.kind === "caption") return false;
  if (next.kind !== "paragraph" || STOP.test(open.text)) return false;
  const sameSize = Math.abs(open.last.size - next.last.size) <= open.last.size * 0.08;
  return (
    sameSize &&
    (/^[\p{Ll}\p{N}(“"]/u.test(next.text) || HYPHEN_END.test(open.text) || joinsTightly(open.text, next.text))
  );
}

/** Joins such a block to the one that it goes on from. */
export function appendBlock(open: Draft, next: Draft, words: ReadonlySet<string>): void {
  const { text, offset } = join(open, next.text, words);
  open.text = text;
  open.pages.push({ page: next.page, offset });
  for (const { page, offset: at } of next.pages) open.pages.push({ page, offset: offset + at });
  open.last = next.last;
  open.lineCount += next.lineCount;
  open.region = next.region;
}
