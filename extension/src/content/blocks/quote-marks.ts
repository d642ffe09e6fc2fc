// Quotation marks that the browser draws around `q`.
import { parentOf, tagOf, closestTo } from "../own.js";

const MARKS = ["“", "”", "‘", "’"] as const;

/** The marks around an element, as they are drawn; null where none are. */
export function quoteMarksOf(element: Element, style: CSSStyleDeclaration): readonly [string, string] | null {
  if (tagOf(element) !== "Q" || getComputedStyle(element, "::before").content !== "open-quote") return null;
  if (style.quotes === "none") return null;
  const given = [...style.quotes.matchAll(/"([^"]{1,2})"/g)].map(([, mark]) => mark!);
  const marks = given.length >= 2 ? given : MARKS;
  const outer = parentOf(element);
  const isInner = outer !== null && closestTo(outer, "q") !== null && marks.length >= 4;
  return isInner ? [marks[2]!, marks[3]!] : [marks[0]!, marks[1]!];
}
