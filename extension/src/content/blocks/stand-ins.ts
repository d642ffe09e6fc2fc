// What pictures stand for in the text: stars for a rating, an emoji in its sentence, a tick or a cross in a cell of a table.
import { attributeOf, boxOf, closestTo, findIn, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import { ratingOf } from "./ratings.js";

/** A text in place of a picture. `isApart`: it is parted from the words around it. */
export interface StandIn {
  readonly text: string;
  readonly isApart: boolean;
}

const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|\p{Emoji_Component})+$/u;
const PICTURE = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
const EMOJI_CHARS_MAX = 24;
/** A sign such as "°" or "→", in a picture as high as its line; in ems. */
const SYMBOL = /^\p{S}$/u;
const LINE_EM_MAX = 1.6;
const SIGN_MIN_PX = 6;
const CELL = "td, th, [role=cell], [role=gridcell]";
/** What a tick and a cross are called, in labels and in names of classes. Nothing else of them is read. */
const YES =
  /^(?:yes|y|true|tick|check(?:ed|mark)?|included|available|supported|ok|ja|oui|sí|si|sim|sì|tak|да|是|有|はい|예|نعم|हाँ)$/iu;
const NO =
  /^(?:no|n|false|cross|x|xmark|times|remove|close|not (?:included|available|supported)|unavailable|unsupported|nein|non|não|nie|nee|нет|否|无|いいえ|아니요|لا|नहीं)$/iu;
const NAMES =
  /(?:^|[\s_-])(?:(yes|tick|check|checkmark|ok)|(no|cross|x|xmark|times|remove|close))(?=$|[\s_]|-(?:lg|fill|circle|mark|square|solid))/i;
const ICON_NAME = /icon|glyph|(?:^|\s)(?:fa|bi|mdi|dashicons|ti)(?:$|[\s-])/i;

/** What an element is read as in place of what it holds; null for nearly all. `isInRow`: it stands in a row of a table. */
export function standInOf(element: Element, sight: Sight, isInRow: boolean): StandIn | null {
  const rating = ratingOf(element);
  if (rating) return { text: rating, isApart: true };
  const sign = signOf(element, sight, isInRow);
  return sign === null ? null : { text: sign, isApart: false };
}

/** The sign that an element shows; null where it shows none. */
function signOf(element: Element, sight: Sight, isInRow: boolean): string | null {
  const tag = tagOf(element);
  if (tag === "IMG") {
    const alt = attributeOf(element, "alt")?.trim() ?? "";
    if (alt.length <= EMOJI_CHARS_MAX && EMOJI.test(alt) && PICTURE.test(alt)) return isShown(element) ? alt : null;
    if (SYMBOL.test(alt) && isShown(element) && isInLine(element)) return alt;
  }
  if (!isInRow || !/^(?:IMG|SVG|I|SPAN)$/.test(tag) || /\S/.test(shownText(element, tag))) return null;
  const cell = closestTo(element, CELL);
  const beside = ((cell && textOf(cell)) ?? "").replace(textOf(element) ?? "", "");
  if (!cell || /\S/.test(beside) || sight.of(element) !== "all") return null;
  const sign = toldSign(labelOf(element, tag)) ?? namedSign(attributeOf(element, "class") ?? "");
  return sign && isShown(element) ? sign : null;
}

const shownText = (element: Element, tag: string): string =>
  tag === "SVG" || tag === "IMG" ? "" : (textOf(element) ?? "");

function labelOf(element: Element, tag: string): string {
  const title = tag === "SVG" ? findIn(element, "title") : null;
  const label = attributeOf(element, tag === "IMG" ? "alt" : "aria-label") ?? (title && textOf(title));
  return (label ?? attributeOf(element, "title") ?? "").trim();
}

const toldSign = (label: string): string | null => (YES.test(label) ? "✓" : NO.test(label) ? "✗" : null);

function namedSign(names: string): string | null {
  if (!ICON_NAME.test(names)) return null;
  const [, yes, no] = NAMES.exec(names) ?? [];
  return yes ? "✓" : no ? "✗" : null;
}

const isInLine = (element: Element): boolean =>
  boxOf(element).height <= Number.parseFloat(getComputedStyle(element).fontSize) * LINE_EM_MAX;

function isShown(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width >= SIGN_MIN_PX && height >= SIGN_MIN_PX;
}
