// What of a page's text can be seen. What cannot is not read; the text layer of a scan is.
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { slices } from "../slices.js";
import type { Item } from "../text/pieces.js";
import { follow } from "./drawn.js";
import { type PartOfItem, partsOf } from "./items.js";

/** Of the page: pictures that cover as much are a scan, on which a stamp may be drawn; where nothing is drawn, less is enough. */
const SCAN_SHARE = 0.7;
const BARE_SCAN_SHARE = 0.3;
/** Of a scan's letters, as many may be drawn: stamps and numbers of pages. */
const SCAN_DRAWN_MAX = 0.1;
/** Milliseconds after which others have their turn. */
const SLICE_MS = 20;

/** The items of a page that are read. */
export interface SeenItems {
  readonly items: Item[];
  /** What cannot be seen. */
  readonly hidden: string[];
  /** The text is the invisible layer of a scan. */
  readonly isLayer: boolean;
}

export async function seenItems(
  document: PDFDocumentProxy,
  page: PDFPageProxy,
  items: readonly Item[],
): Promise<SeenItems> {
  if (!items.some(({ str }) => str.trim())) return { items: [...items], hidden: [], isLayer: false };
  const pause = slices(SLICE_MS);
  const drawn = await follow(page, await document.getOptionalContentConfig(), pause);
  const parts = await partsOf(items, drawn.letters, (letter) => drawn.canvas.look(letter), pause);
  const isLayer = isScan(parts, drawn.pictureShare);
  const isRead = ({ sight }: PartOfItem): boolean => sight === "seen" || (isLayer && sight === "under");
  return {
    items: parts.filter(isRead).map(({ item }) => item),
    hidden: parts.filter((one) => !isRead(one)).map(({ item }) => item.str),
    isLayer,
  };
}

function isScan(parts: readonly PartOfItem[], pictureShare: number): boolean {
  const chars = { seen: 0, under: 0, hidden: 0 };
  for (const { item, sight } of parts) chars[sight] += item.str.trim().length;
  if (chars.under === 0 || chars.seen > chars.under * SCAN_DRAWN_MAX) return false;
  return pictureShare >= (chars.seen === 0 ? BARE_SCAN_SHARE : SCAN_SHARE);
}
