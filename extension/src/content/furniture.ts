// What is no text of the page, wherever it stands.
import { isOurs } from "./host.js";
import { attributeOf, boxOf, findIn, frameIn, tagOf, textOf } from "./own.js";
import { height } from "./sight/geometry.js";

const UNREAD_TAGS = new Set(
  "SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT EMBED SVG CANVAS VIDEO AUDIO PICTURE SELECT TEXTAREA INPUT DATALIST PROGRESS METER MAP HEAD".split(
    " ",
  ),
);
const CONTROL_TAGS = new Set(["BUTTON", "LABEL", "LEGEND"]);
const CONTROL_ROLES = new Set(
  "button menuitem menuitemcheckbox menuitemradio tab switch checkbox radio option combobox searchbox textbox slider".split(
    " ",
  ),
);
const MARK_ROLES = new Set(["doc-noteref", "doc-backlink", "doc-pagebreak"]);
const NOTE_MARK = /^[[(]?[\d*†‡§¶a-z]{1,3}[\])]?$/i;
const LINK_MARK = /^[#§¶🔗]$/u;
/** A fixed bar up to this share of the window's height is the site's. */
const BAR_SHARE_MAX = 0.4;

const roleOf = (element: Element): string => attributeOf(element, "role")?.toLowerCase() ?? "";

/** True for elements that show no text of their own, and for those that the page hides from screen readers. */
export function isUnread(element: Element): boolean {
  if (attributeOf(element, "aria-hidden") === "true" || isOurs(element)) return true;
  return UNREAD_TAGS.has(tagOf(element).toUpperCase()) && !frameIn(element);
}

/** True for elements whose text says what they do. */
export const isControl = (element: Element): boolean =>
  CONTROL_TAGS.has(tagOf(element)) || CONTROL_ROLES.has(roleOf(element));

/** A raised "[1]" that leads to a note, or the sign beside a heading that leads to itself. */
export function isMark(element: Element): boolean {
  const tag = tagOf(element);
  if (MARK_ROLES.has(roleOf(element))) return true;
  if (tag !== "SUP" && tag !== "A") return false;
  const text = textOf(element)?.trim() ?? "";
  if (tag === "A") return LINK_MARK.test(text);
  return NOTE_MARK.test(text) && findIn(element, "a[href*='#']") !== null;
}

/** A bar that stays while one scrolls is the site's (a notice, a menu), unless it fills the window as an application's frame. */
export function isBar(element: Element, style: CSSStyleDeclaration): boolean {
  return style.position === "fixed" && height(boxOf(element)) < innerHeight * BAR_SHARE_MAX;
}
