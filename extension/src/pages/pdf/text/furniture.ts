// Running headers, footers and page numbers: what stands at the same place on most pages.
import type { Line } from "./lines.js";

/** A page's lines, as long as the whole document is not known. */
export interface PageLines {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  lines: Line[];
  /** Words of what stands askew, which is not read. */
  askew: string[];
  /** Numbers of its lines. */
  numbers: string[];
  /** Texts that are no characters. */
  garbled: string[];
  /** What cannot be seen. */
  hidden: readonly string[];
  /** Its text is the invisible layer of a scan. */
  isLayer?: boolean;
}

/** Of the page's height, at its top and bottom. */
const MARGIN_SHARE = 0.14;
/** Of the pages: left and right ones may have headers of their own, and chapters too. */
const SHARE_MIN = 0.3;
const PAGES_MIN = 2;
/** Of text that differs in its numbers only, with heights rounded to this. */
const GRID_POINTS = 6;
const SHORT_CHARS_MAX = 60;
/** At most so many lines of a margin are looked at. */
const LINES_MAX = 4;
/** A number alone, or with words such as "Page 3 of 20" and "3 / 20". */
const PAGE_NUMBER =
  /^(?:[^\s\d]{1,10}\s)?(?:[-–—|]\s?)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s?(?:\/|of|von|sur|de|di|van|z|из)\s?\d{1,4})?(?:\s?[-–—|])?$/i;

/** The lines of all pages that are no text of the document. */
export function findFurniture(pages: readonly PageLines[]): Set<Line> {
  const places = new Map<string, { pages: Set<number>; lines: Line[] }>();
  for (const page of pages) {
    for (const line of inMargins(page)) {
      const place = Math.round(line.y / GRID_POINTS);
      // A long line that is another in its numbers is text, such as a row of a list.
      const isShort = line.text.length <= SHORT_CHARS_MAX;
      const words = isShort ? line.text.replace(/\d+/g, "#").replace(/^[ivxlc]{1,7}$/i, "#") : line.text;
      // A line between two places of the grid counts for both.
      for (const key of [`${place} ${words}`, `${place + 1} ${words}`]) {
        const found = places.get(key) ?? { pages: new Set(), lines: [] };
        found.pages.add(page.number);
        found.lines.push(line);
        places.set(key, found);
      }
    }
  }
  const furniture = new Set<Line>();
  const enough = Math.max(PAGES_MIN, pages.length * SHARE_MIN);
  for (const { pages: on, lines } of places.values())
    if (on.size >= enough) for (const line of lines) furniture.add(line);
  for (const page of pages) {
    const edges = [page.lines.reduce<Line | null>(upper, null), page.lines.reduce<Line | null>(lower, null)];
    for (const line of edges) if (line && isInMargin(line, page) && PAGE_NUMBER.test(line.text)) furniture.add(line);
  }
  return furniture;
}

const upper = (a: Line | null, b: Line): Line => (a && a.y <= b.y ? a : b);
const lower = (a: Line | null, b: Line): Line => (a && a.y >= b.y ? a : b);

const isInMargin = ({ y }: Line, { height }: PageLines): boolean =>
  y < height * MARGIN_SHARE || y > height * (1 - MARGIN_SHARE);

function inMargins(page: PageLines): Line[] {
  const sorted = page.lines.filter((line) => isInMargin(line, page)).sort((a, b) => a.y - b.y);
  const top = sorted.filter(({ y }) => y < page.height / 2);
  const bottom = sorted.filter(({ y }) => y >= page.height / 2);
  return [...top.slice(0, LINES_MAX), ...bottom.slice(-LINES_MAX)];
}
