import { clean } from "./clean.js";
import { attributeOf, innerTextOf, isRendered, page, textOf } from "./own.js";

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
/** Of a plain text, to look for a title in. */
const PLAIN_CHARS_MAX = 4_000;
const TITLE_CHARS_MAX = 120;
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
  return { title: title(data), description: description(data), language: language(), types: types(linked) };
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

function title(data: Record<string, unknown> | null): string {
  const whole = clean(page.title());
  const heading = soleHeading();
  // A title often carries the site's name behind a dash or bar: the heading is the part that counts.
  if (heading && whole.toLowerCase().includes(heading.toLowerCase())) return heading;
  const given = clean(meta("og:title") ?? text(data, "headline") ?? "") || whole || heading;
  return given || plainTitle() || clean(location.hostname + location.pathname);
}

/** The first line of a plain text, as long as a title may be. */
function plainTitle(): string {
  if (page.contentType() !== "text/plain") return "";
  const text = (textOf(page.body()) ?? "").slice(0, PLAIN_CHARS_MAX);
  const line =
    text
      .split("\n")
      .map(clean)
      .find((one) => /\p{L}/u.test(one)) ?? "";
  return line.length <= TITLE_CHARS_MAX ? line : "";
}

function soleHeading(): string | null {
  const headings = [...page.findAll("h1")].filter(
    (one) => one instanceof HTMLElement && isRendered(one),
  ) as HTMLElement[];
  return headings.length === 1 && headings[0] ? clean(innerTextOf(headings[0])) || null : null;
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

function language(): string | null {
  const said =
    attributeOf(page.root(), "lang") ||
    attributeOf(page.body(), "lang") ||
    contentOf("meta[http-equiv='content-language' i]") ||
    meta("og:locale")?.replace("_", "-");
  try {
    return said ? (Intl.getCanonicalLocales(said.trim())[0] ?? null) : null;
  } catch {
    return null;
  }
}

function meta(name: string): string | null {
  return contentOf(`meta[name='${name}' i], meta[property='${name}' i]`)?.trim() || null;
}

function contentOf(selector: string): string | null {
  const found = page.find(selector);
  return found && attributeOf(found, "content");
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
