// What sites call the parts of their pages, in classes and ids.
import type { LeftOutKind } from "../../wire.js";

/** Parts of a page, as far as names tell: what is left out, and what is not. */
export type Part =
  | Exclude<LeftOutKind, "linkTables" | "runningHeads" | "controls" | "other" | Unread>
  | "comments"
  | "content"
  | "callout";
/** What is left out before anything is judged. */
type Unread =
  "struck" | "formulas" | "closed" | "unseen" | "unsure" | "hidden" | "garbled" | "drawings" | "foreignFrames";

const WORDS: Record<Part, string> = {
  navigation:
    "nav navbar navigation navlinks navlist subnav topnav sidenav menu menubar submenu dropdown breadcrumb breadcrumbs crumbs crumb pager pagination paging paginator prevnext toc sitemap skiplink skip skiplinks toolbar topbar navheader navfooter sphinxsidebar masthead navbox jump jumplinks langs languages langswitch headerlink permalink anchorjs editsection noprint",
  sidebar: "sidebar aside rail sidecol widget widgets sidepanel side",
  footer: "footer colophon copyright siteinfo legalese imprint bottombar",
  notice: "cookie cookies consent gdpr banner popup modal overlay toast snackbar interstitial",
  advertisement:
    "ad ads adv advert advertisement advertising adslot adsbox sponsor sponsored sponsors promo promos promotion promoted newsletter subscribe subscription signup upsell cta teaser teasers outbrain taboola donate donation paywall regwall",
  share: "share sharing sharebar social socials addthis sharethis sharebuttons follow bookmarks reactions",
  related:
    "related recommended recommendations recirc readmore morelinks trending popular mostread mostpopular upnext similar suggested suggestions seealso alsoread youmaylike",
  form: "search searchbox login signin register respond replyform commentform contactform feedback survey rating",
  byline:
    "byline author authors authorbox dateline date datetime published pubdate updated timestamp time posted postmeta metadata meta entrymeta tags tag taglist tagged categories category hashtags avatar userinfo usercard badge votes vote score credit credits readingtime",
  notes: "footnote footnotes endnote endnotes reflist references noteref footnotelist",
  comments: "comment comments commentlist disqus replies responses discussion thread",
  callout: "note tip hint warning caution important admonition callout info infobox example",
  content:
    "content main article post entry story body prose text markdown readme chapter section answer answers question description",
};

const PARTS = new Map<string, Part>(
  (Object.entries(WORDS) as [Part, string][]).flatMap(([part, words]) =>
    words.split(" ").map((word) => [word, part] as const),
  ),
);
const NAMES_CHARS_MAX = 300;

/** The parts that a class or id names. Words are taken apart at signs and at capitals, and also joined in pairs. */
export function partsNamed(names: string): ReadonlySet<Part> {
  const found = new Set<Part>();
  for (const name of names.slice(0, NAMES_CHARS_MAX).split(/\s+/)) {
    const words = name
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter(Boolean);
    for (const [at, word] of words.entries()) {
      const part = PARTS.get(word) ?? PARTS.get(`${word}${words[at + 1] ?? ""}`);
      if (part) found.add(part);
    }
  }
  return found;
}
