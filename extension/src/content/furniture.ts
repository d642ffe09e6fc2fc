// What is no text of the page, wherever it stands.
import { isOurs } from "./host.js";
import {
  attributeOf,
  boxOf,
  closestTo,
  findIn,
  frameIn,
  isHtml,
  isXml,
  nextOf,
  page,
  previousNodeOf,
  previousOf,
  tagOf,
  textOf,
} from "./own.js";
import { isCodeCell } from "./blocks/table-markup.js";
import { height } from "./sight/geometry.js";

/** `RT` and `RP` hold the readings of ruby, which repeat the text beside them. */
const UNREAD_TAGS = new Set(
  "SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME FRAME OBJECT EMBED CANVAS VIDEO AUDIO PICTURE SELECT TEXTAREA INPUT DATALIST PROGRESS METER MAP HEAD RT RP RTC".split(
    " ",
  ),
);
/** Parts of a drawing that are not drawn. */
const SVG_UNREAD_TAGS = new Set("TITLE DESC METADATA DEFS SYMBOL".split(" "));
const CONTROL_TAGS = new Set(["BUTTON", "LABEL", "LEGEND"]);
const CONTROL_ROLES = new Set(
  "button menuitem menuitemcheckbox menuitemradio tab switch checkbox radio option combobox searchbox textbox slider".split(
    " ",
  ),
);
const MARK_ROLES = new Set(["doc-noteref", "doc-backlink", "doc-pagebreak"]);
const LINK_MARK = /^[#§¶🔗↩↵⤴⏎↑]\uFE0E?$/u;
/** Fonts that draw a word as one sign. */
const ICON_FONT = /^["']?[^,]*\b(?:icons?|symbols|glyphs?)\b/i;
const ICON_NAME = /^\s*[a-z][a-z\d_]*\s*$/;
/** An editor's text has so many words; what has fewer is a field. */
const EDITOR_WORDS_MIN = 8;
/** Three lines and more. */
const NUMBERS = /^\d{1,6}(?:\s+\d{1,6}){2,}$/;
/** Elements in one line of code. */
const LINE_PARTS_MAX = 60;
/** A fixed bar up to this share of the window's height is the site's. */
const BAR_SHARE_MAX = 0.4;

const roleOf = (element: Element): string => attributeOf(element, "role")?.toLowerCase() ?? "";

const XML_SOURCE = "body > #webkit-xml-viewer-source-xml";
const XML_UNREAD = /^(?:header|html-tag)$/;
/** True for the tree that Chromium shows in place of a file of XML. */
const isXmlView = (): boolean => page.contentType().endsWith("xml") && page.find(XML_SOURCE) !== null;
/** Its notice and the tags are none of the file's text. */
const isOfXmlView = (element: Element): boolean => XML_UNREAD.test(attributeOf(element, "class") ?? "") && isXmlView();

/** True where the browser shows all of a file of XML as a tree. */
export const isTreeOfXml = (): boolean => page.isXmlTree() || isXmlView();

/** True where the file has data: nothing in it is a menu or a heading as pages have them. */
export const isXmlFile = (): boolean => isXml(page.root()) || isXmlView();

/** True for elements that show no text of their own. */
export function isUnread(element: Element): boolean {
  if (isOurs(element) || isOfXmlView(element)) return true;
  const tag = tagOf(element);
  if (!isHtml(element)) return SVG_UNREAD_TAGS.has(tag) || tag === "STYLE" || tag === "SCRIPT";
  return UNREAD_TAGS.has(tag) && !frameIn(element);
}

/** True for elements whose text says what they do. */
export function isControl(element: Element): boolean {
  const role = roleOf(element);
  if (role === "textbox" && isEditor(element)) return false;
  return CONTROL_TAGS.has(tagOf(element)) || CONTROL_ROLES.has(role);
}

/** An editable element that holds a text, and not a line to be sent. */
function isEditor(element: Element): boolean {
  const isEditable = /^(?:|true|plaintext-only)$/i.test(attributeOf(element, "contenteditable") ?? "false");
  if (!isEditable || closestTo(element, "form")) return false;
  const words = (textOf(element) ?? "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length >= EDITOR_WORDS_MIN || /\p{Lo}{16}/u.test(textOf(element) ?? "");
}

/** What leads to a note by its role, the sign beside a heading that leads to itself, or the one behind a note that leads back. */
export function isMark(element: Element): boolean {
  if (MARK_ROLES.has(roleOf(element))) return true;
  return tagOf(element) === "A" && LINK_MARK.test(textOf(element)?.trim() ?? "");
}

/** The name of a sign in a font of signs. */
export const isIcon = (element: Element, style: CSSStyleDeclaration): boolean =>
  ICON_FONT.test(style.fontFamily) && ICON_NAME.test(textOf(element) ?? "");

/** Numbers of the lines of code beside it, one below the other; or one that nobody can select with its line. */
export function isLineNumber(element: Element, style: CSSStyleDeclaration): boolean {
  const tag = tagOf(element);
  if (tag === "SPAN" || tag === "A") {
    if (!/^\s*\d{1,6}\s*$/.test(textOf(element) ?? "") || closestTo(element, "pre, code") === null) return false;
    return style.userSelect === "none" || style.webkitUserSelect === "none" || beginsLine(element);
  }
  if (tag !== "TD" && tag !== "PRE") return false;
  const beside = nextOf(element);
  if (!beside) return false;
  const text = (textOf(element) ?? "").trim();
  // A row for each line.
  if (/^\d{1,6}$/.test(text)) return tag === "TD" && isCodeCell(beside);
  if (tagOf(beside) !== "PRE" && !findIn(beside, "pre, code")) return false;
  if (!NUMBERS.test(text)) return false;
  const numbers = text.split(/\s+/).map(Number);
  return numbers.every((one, at) => at === 0 || one === numbers[at - 1]! + 1);
}

/** A number that begins its line, like the next one of its kind or the one before, which is another by one. */
function beginsLine(element: Element): boolean {
  return isFirstInLine(element) && (isNumberedLike(element, nextOf, 1) || isNumberedLike(element, previousOf, -1));
}

function isFirstInLine(element: Element): boolean {
  const before = previousNodeOf(element);
  return before === null || /\n\s*$/.test(textOf(before) ?? "");
}

function isNumberedLike(element: Element, step: (from: Element) => Element | null, by: number): boolean {
  const name = attributeOf(element, "class");
  let at = step(element);
  for (let steps = 0; at && steps < LINE_PARTS_MAX && attributeOf(at, "class") !== name; steps++) at = step(at);
  if (!name || !at || attributeOf(at, "class") !== name || !isFirstInLine(at)) return false;
  return Number(textOf(at)) === Number(textOf(element)) + by;
}

/** A bar that stays while one scrolls is the site's (a notice, a menu), unless it fills the window as an application's frame. */
export function isBar(element: Element, style: CSSStyleDeclaration): boolean {
  return style.position === "fixed" && height(boxOf(element)) < innerHeight * BAR_SHARE_MAX;
}
