import { clean } from "./clean.js";
import { attributeOf, innerTextOf, isRendered, page, textOf } from "./own.js";

/** What a page says about itself. */
export interface Metadata {
  title: string;
  /** The author's own description. */
  description: string | null;
  /** BCP 47. */
  language: string | null;
}

const DESCRIPTION_CHARS_MAX = 600;
const DESCRIPTION_CHARS_MIN = 20;
/** Of a plain text, to look for a title in. */
const PLAIN_CHARS_MAX = 4_000;
const TITLE_CHARS_MAX = 120;
const JSON_LD_CHARS_MAX = 200_000;
const ARTICLE = /(?:Article|BlogPosting|WebPage|Posting|Report|Recipe|Course|Book|Product|CreativeWork|HowTo)$/;

export function readMetadata(): Metadata {
  const data = jsonLd();
  return { title: title(data), description: description(data), language: language() };
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

/** The first thing that the page's linked data calls a kind of article. */
function jsonLd(): Record<string, unknown> | null {
  for (const script of page.findAll("script[type='application/ld+json' i]")) {
    const source = textOf(script) ?? "";
    if (source.length > JSON_LD_CHARS_MAX) continue;
    try {
      const found = findArticle(JSON.parse(source), 0);
      if (found) return found;
    } catch {
      // Pages do carry broken data; then it says nothing.
    }
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
