// The name of the site and the heading of the page, which titles and first headings may both be.
import { wordsIn } from "./blocks/text.js";
import { clean } from "./clean.js";
import { attributeOf, closestTo, findIn, innerTextOf, isRendered, page, textOf } from "./own.js";

const HEADINGS_MAX = 20;

/** The only first heading; else the first below it that the title names. The name of the site is none. */
export function headingOfPage(whole: string): string | null {
  const [first, ...more] = headings("h1").filter((one) => !isSite(one, whole));
  if (first) return more.length === 0 ? first : null;
  const inTitle = (one: string): boolean => wordsIn(one).length > 1 && whole.toLowerCase().includes(one.toLowerCase());
  return headings("h2").find((one) => inTitle(one) && !isSite(one, whole)) ?? null;
}

/** What parts the name of a site from the title. */
const PARTING = /\s[|·•–—-]\s/;
/** What a first heading stands in, or is, where it is the name of the site. */
const SITE_NAMES =
  "a[rel=home], a[href='/'], [class*=logo i], [id*=logo i], [class*=brand i], [class*=site-title i], [class*=site-name i], [class*=masthead i], [id*=masthead i]";

/** True for the part of a title that names the site: the last of several, or what the site calls itself. */
export function isSite(heading: string, whole: string): boolean {
  if (heading === meta("og:site_name")) return true;
  const parts = whole.split(PARTING);
  if (parts.length < 2 || !parts.includes(heading)) return false;
  return (parts.at(-1) === heading && headings("h2").some((one) => parts.includes(one))) || isSiteHeading(heading);
}

/** True where a first heading with these words is called the name of the site. */
function isSiteHeading(heading: string): boolean {
  const first = [...page.findAll("h1")].slice(0, HEADINGS_MAX).find((one) => clean(textOf(one) ?? "") === heading);
  return first !== undefined && (closestTo(first, SITE_NAMES) !== null || findIn(first, SITE_NAMES) !== null);
}

/** A title without the name of its site, where the site says so or the first heading is that name. */
export function withoutSite(whole: string): string {
  const parts = whole.split(PARTING);
  const isOfSite =
    (parts.length > 1 && parts.at(-1) === meta("og:site_name")) ||
    headings("h1").some((one) => parts.at(-1) === one && isSite(one, whole));
  return isOfSite ? whole.slice(0, whole.length - parts.at(-1)!.length).replace(/\s[|·•–—-]\s*$/, "") : whole;
}

/** The headings that are shown. */
export function headings(selector: string): string[] {
  return [...page.findAll(selector)]
    .slice(0, HEADINGS_MAX)
    .filter((one) => one instanceof HTMLElement && isRendered(one))
    .map((one) => clean(innerTextOf(one as HTMLElement)))
    .filter(Boolean);
}

export function meta(name: string): string | null {
  return contentOf(`meta[name='${name}' i], meta[property='${name}' i]`)?.trim() || null;
}

export function contentOf(selector: string): string | null {
  const found = page.find(selector);
  return found && attributeOf(found, "content");
}
