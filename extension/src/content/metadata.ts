import { titleInHead, withoutHead } from "./blocks/markdown.js";
import { isMarkdown, isPlainType } from "./blocks/plain-type.js";
import { wordsIn } from "./blocks/text.js";
import { clean } from "./clean.js";
import { attributeOf, page, textOf } from "./own.js";
import { contentOf, headingOfPage, headings, meta, withoutSite } from "./site-name.js";

/** What a page says about itself. */
export interface Metadata {
  title: string;
  /** The author's own description. */
  description: string | null;
  /** BCP 47. */
  language: string | null;
  /** What it calls itself: types of schema.org, and `og:type`. */
  types: string[];
}

const DESCRIPTION_CHARS_MAX = 600;
const DESCRIPTION_CHARS_MIN = 20;
/** Of a plain text, to look for a title in; and of a title. */
const [PLAIN_CHARS_MAX, TITLE_CHARS_MAX] = [4_000, 120];
/** Of the words of a title, so many stand on the page that it names. */
const SAME_MIN = 0.5;
const JSON_LD_CHARS_MAX = 200_000;
const TYPES_MAX = 8;
const TYPE_CHARS_MAX = 40;
/** Types of what stands on nearly every page. */
const TYPES_ANYWHERE =
  /^(?:WebSite|WebPage|Organization|NewsMediaOrganization|Corporation|Person|BreadcrumbList|ListItem|ImageObject|SearchAction|SiteNavigationElement|WPHeader|WPFooter|WPSideBar|CollectionPage|website|object)$/;
const ARTICLE = /(?:Article|BlogPosting|WebPage|Posting|Report|Recipe|Course|Book|Product|CreativeWork|HowTo)$/;

export function readMetadata(): Metadata {
  const linked = [...linkedData()];
  const data = articleIn(linked);
  const isStale = isOfAnother(data);
  return {
    title: title(data, isStale),
    description: isStale ? null : description(data),
    language: language(),
    types: types(linked),
  };
}

/** Types of linked data, of microdata and of Open Graph. */
function types(linked: readonly unknown[]): string[] {
  const found = new Set<string>();
  for (const value of linked) addTypes(value, 0, found);
  for (const element of page.findAll("[itemscope][itemtype]")) {
    if (found.size >= TYPES_MAX) break;
    addType((attributeOf(element, "itemtype") ?? "").split("/").at(-1), found);
  }
  addType(meta("og:type") ?? undefined, found);
  return [...found];
}

function addTypes(value: unknown, depth: number, found: Set<string>): void {
  if (depth > 3 || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) return value.slice(0, 50).forEach((one) => addTypes(one, depth + 1, found));
  const record = value as Record<string, unknown>;
  for (const type of [record["@type"]].flat()) if (typeof type === "string") addType(type, found);
  for (const key of ["@graph", "mainEntity", "mainEntityOfPage"])
    if (typeof record[key] === "object") addTypes(record[key], depth + 1, found);
}

function addType(type: string | undefined, found: Set<string>): void {
  if (!type || type.length > TYPE_CHARS_MAX || TYPES_ANYWHERE.test(type)) return;
  if (found.size < TYPES_MAX) found.add(type);
}

function title(data: Record<string, unknown> | null, isStale: boolean): string {
  const said = clean(page.title());
  const whole = withoutSite(said);
  const heading = headingOfPage(said);
  // A title often carries the site's name behind a dash or bar: the heading is the part that counts.
  if (heading && whole.toLowerCase().includes(heading.toLowerCase())) return heading;
  const given = (!isStale && clean(meta("og:title") ?? text(data, "headline") ?? "")) || whole || heading;
  return given || plainTitle() || xmlTitle() || clean(location.hostname + location.pathname);
}

/** What the page's head says may be of the page before, where a script shows another: nothing on the page says the same. */
function isOfAnother(data: Record<string, unknown> | null): boolean {
  const given = meta("og:title") ?? text(data, "headline");
  const whole = clean(page.title());
  if (!given || !headingOfPage(whole)) return false;
  const here = new Set(wordsIn([whole, ...headings("h1, h2")].join(" ").toLowerCase()));
  const words = wordsIn(given.toLowerCase());
  return words.length > 0 && words.filter((word) => here.has(word)).length < words.length * SAME_MIN;
}

/** What the first title in a file of XML says. */
function xmlTitle(): string {
  const found = page.contentType().endsWith("xml") ? page.find("title") : null;
  return clean((found && textOf(found)) ?? "").slice(0, TITLE_CHARS_MAX);
}

/** The first line of a plain text, as long as a title may be. */
function plainTitle(): string {
  if (!isPlainType()) return "";
  const text = (textOf(page.body()) ?? "").slice(0, PLAIN_CHARS_MAX);
  const given = isMarkdown() ? clean(titleInHead(text) ?? "") : "";
  if (given) return given;
  const line =
    (isMarkdown() ? withoutHead(text) : text)
      .split("\n")
      .map((one) => clean(one.replace(/^#{1,6}\s+/, "")))
      .find((one) => /\p{L}/u.test(one)) ?? "";
  return line.length <= TITLE_CHARS_MAX ? line : "";
}

function description(data: Record<string, unknown> | null): string | null {
  const candidates = [
    meta("description"),
    meta("og:description"),
    text(data, "description"),
    meta("twitter:description"),
  ];
  const found = candidates.map((one) => clean(one ?? "")).find((one) => one.length >= DESCRIPTION_CHARS_MIN);
  if (!found) return null;
  return found.length > DESCRIPTION_CHARS_MAX ? `${found.slice(0, DESCRIPTION_CHARS_MAX - 1)}…` : found;
}

/** Of a description's longer words, so many stand in what it describes; stems are compared. A short text may leave out what it says. */
const [TOLD_SHARE_MIN, TOLD_LETTERS_MIN, STEM_LETTERS, TOLD_WORDS_MIN] = [0.25, 5, 5, 40];
/** Of the texts so much is looked at. */
const TOLD_CHARS_MAX = 20_000;

/** False where a description tells of the site, and nothing of the page with these texts. */
export function describes(description: string, texts: readonly string[]): boolean {
  const stems = (text: string): string[] =>
    wordsIn(text.toLowerCase())
      .filter(({ length }) => length >= TOLD_LETTERS_MIN)
      .map((word) => word.slice(0, STEM_LETTERS));
  let chars = 0;
  const first = texts.filter((text) => (chars += text.length) <= TOLD_CHARS_MAX);
  const here = new Set(first.flatMap(stems));
  const told = stems(description);
  if (here.size < TOLD_WORDS_MIN || told.length === 0) return true;
  return told.filter((stem) => here.has(stem)).length >= told.length * TOLD_SHARE_MIN;
}

function language(): string | null {
  const said =
    attributeOf(page.root(), "lang") ||
    attributeOf(page.root(), "xml:lang") ||
    attributeOf(page.body(), "lang") ||
    contentOf("meta[http-equiv='content-language' i]") ||
    meta("og:locale")?.replace("_", "-");
  try {
    return said ? (Intl.getCanonicalLocales(said.trim().replace(/_/g, "-"))[0] ?? null) : null;
  } catch {
    return null;
  }
}

/** The page's linked data. */
function* linkedData(): Iterable<unknown> {
  for (const script of page.findAll("script[type='application/ld+json' i]")) {
    const source = textOf(script) ?? "";
    if (source.length > JSON_LD_CHARS_MAX) continue;
    try {
      yield JSON.parse(source);
    } catch {
      // Pages do carry broken data; then it says nothing.
    }
  }
}

/** The first thing that the page's linked data calls a kind of article. */
function articleIn(linked: readonly unknown[]): Record<string, unknown> | null {
  for (const value of linked) {
    const found = findArticle(value, 0);
    if (found) return found;
  }
  return null;
}

function findArticle(value: unknown, depth: number): Record<string, unknown> | null {
  if (depth > 4 || typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (const one of value) {
      const found = findArticle(one, depth + 1);
      if (found) return found;
    }
    return null;
  }
  const record = value as Record<string, unknown>;
  const types = [record["@type"]].flat();
  if (types.some((type) => typeof type === "string" && ARTICLE.test(type))) return record;
  return findArticle(record["@graph"], depth + 1);
}

function text(data: Record<string, unknown> | null, key: string): string | null {
  const value = data?.[key];
  return typeof value === "string" ? value : null;
}
