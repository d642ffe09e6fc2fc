// What a reader would not call the text of the page.
import { attributeOf, boxOf, findIn, page, tagOf, textOf } from "./own.js";
import { height } from "./sight/geometry.js";

const SKIPPED_TAGS = new Set(
  "SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT EMBED SVG CANVAS VIDEO AUDIO PICTURE SELECT TEXTAREA INPUT BUTTON NAV MENU DATALIST PROGRESS METER MAP HEAD".split(
    " ",
  ),
);
const SKIPPED_ROLES = new Set(
  "navigation search menu menubar toolbar tablist dialog alertdialog button doc-footnote doc-endnotes doc-endnote doc-noteref doc-backlink doc-toc doc-pagebreak contentinfo".split(
    " ",
  ),
);
/** Names that sites give to footnotes, tables of contents, permalinks, and the site's own business. */
const SKIPPED_NAMES =
  /(?:^|[\s_-])(?:footnotes?|footnote-(?:ref|reference|backref|definition)|endnotes?|references|reflist|editsection|navbox|breadcrumbs?|toc|table-of-contents|headerlink|anchorjs-link|permalink|noprint|cookie-(?:banner|consent|notice)|skip-link|newsletter|byline|advertisement|share-buttons|related-(?:posts|articles|links))(?:$|\s)/i;
const NOTE_MARK = /^[[(]?[\d*†‡§¶a-z]{1,3}[\])]?$/i;
const LINK_MARK = /^[#§¶🔗]$/u;
/** A fixed bar up to this share of the window's height is the site's. */
const BAR_SHARE_MAX = 0.4;

/** True for elements whose text is not the page's: controls, navigation, notes, permalinks. */
export function isFurniture(element: Element): boolean {
  if (SKIPPED_TAGS.has(tagOf(element).toUpperCase())) return true;
  const role = attributeOf(element, "role");
  if (role && SKIPPED_ROLES.has(role.toLowerCase())) return true;
  if (attributeOf(element, "aria-hidden") === "true") return true;
  if (SKIPPED_NAMES.test(attributeOf(element, "class") ?? "") || SKIPPED_NAMES.test(attributeOf(element, "id") ?? "")) {
    // A name alone does not make a whole page a footnote.
    return element !== page.body() && element !== page.root() && !findIn(element, "h1");
  }
  return isMark(element);
}

/** A raised "[1]" that leads to a note, or the sign beside a heading that leads to itself. */
function isMark(element: Element): boolean {
  const tag = tagOf(element);
  if (tag !== "SUP" && tag !== "A") return false;
  const text = textOf(element)?.trim() ?? "";
  if (tag === "A") return LINK_MARK.test(text);
  return NOTE_MARK.test(text) && findIn(element, "a[href*='#']") !== null;
}

/** A bar that stays while one scrolls is the site's (a notice, a menu), unless it fills the window as an application's frame. */
export function isBar(element: Element, style: CSSStyleDeclaration): boolean {
  return style.position === "fixed" && height(boxOf(element)) < innerHeight * BAR_SHARE_MAX;
}
