// What a reader does not see, or would not call the text of the page.

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
/** Names that sites give to footnotes, tables of contents, permalinks, text for screen readers only, and the site's own business. */
const SKIPPED_NAMES =
  /(?:^|[\s_-])(?:footnotes?|footnote-(?:ref|reference|backref|definition)|endnotes?|references|reflist|editsection|navbox|breadcrumbs?|toc|table-of-contents|headerlink|anchorjs-link|permalink|noprint|sr-only|visually-hidden|screen-reader-text|cookie-(?:banner|consent|notice)|skip-link|newsletter|byline|advertisement|share-buttons|related-(?:posts|articles|links))(?:$|\s)/i;
const NOTE_MARK = /^[[(]?[\d*†‡§¶a-z]{1,3}[\])]?$/i;
const LINK_MARK = /^[#§¶🔗]$/u;
/** A box this small holds text for machines, not for eyes. */
const TINY_PX = 2;
const OFF_PAGE_PX = 500;
const BAR_SHARE_MAX = 0.4;

/** True for elements whose text is not the page's: controls, navigation, notes, permalinks. */
export function isFurniture(element: Element): boolean {
  if (SKIPPED_TAGS.has(element.tagName.toUpperCase())) return true;
  const role = element.getAttribute("role");
  if (role && SKIPPED_ROLES.has(role.toLowerCase())) return true;
  if (element.getAttribute("aria-hidden") === "true") return true;
  if (SKIPPED_NAMES.test(element.getAttribute("class") ?? "") || SKIPPED_NAMES.test(element.id)) {
    // A name alone does not make a whole page a footnote.
    return element !== document.body && element !== document.documentElement && !element.querySelector("h1");
  }
  return isMark(element);
}

/** A raised "[1]" that leads to a note, or the sign beside a heading that leads to itself. */
function isMark(element: Element): boolean {
  if (element.tagName !== "SUP" && element.tagName !== "A") return false;
  const text = element.textContent?.trim() ?? "";
  if (element.tagName === "A") return LINK_MARK.test(text);
  return NOTE_MARK.test(text) && element.querySelector("a[href*='#']") !== null;
}

/** What of an element can be seen: nothing, only what its children show, or all. */
export type Seen = "nothing" | "children" | "all";

export function whatIsSeen(element: Element, style: CSSStyleDeclaration): Seen {
  // Boxes of `display: contents` count as not rendered, their children do not.
  if (style.display !== "contents" && !element.checkVisibility()) return "nothing";
  if (style.opacity === "0" && !isAnimated(style)) return "nothing";
  if ((style.position === "absolute" || style.position === "fixed") && isOffPage(element, style)) return "nothing";
  if (style.visibility !== "visible" || Number.parseFloat(style.fontSize) < TINY_PX) return "children";
  return Number.parseFloat(style.textIndent) < -OFF_PAGE_PX ? "children" : "all";
}

/** Pages fade their text in while one scrolls: it is not hidden, only not there yet. */
function isAnimated(style: CSSStyleDeclaration): boolean {
  return style.animationName !== "none" || style.transitionDuration.split(",").some((one) => Number.parseFloat(one) > 0);
}

function isOffPage(element: Element, style: CSSStyleDeclaration): boolean {
  const box = element.getBoundingClientRect();
  // A bar that stays while one scrolls is the site's (a notice, a menu), unless it fills the window as an application's frame.
  if (style.position === "fixed" && box.height < innerHeight * BAR_SHARE_MAX) return true;
  const clips = style.overflow !== "visible" || style.clip !== "auto" || style.clipPath !== "none";
  if (clips && (box.width <= TINY_PX || box.height <= TINY_PX)) return true;
  return box.right + scrollX < 0 || box.bottom + scrollY < 0;
}

/** True for boxes that begin a line of their own. */
export function isBlock(style: CSSStyleDeclaration): boolean {
  return !/^(?:inline|contents|ruby)/.test(style.display);
}
