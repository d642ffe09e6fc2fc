// Raised and lowered texts, marks of notes and drawn quotation marks, while they are read.
import { attributeOf, closestTo, findIn, nextNodeOf, page, parentOf, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import type { Draft } from "./draft.js";
import { PHRASES } from "./flow.js";
import { quoteMarksOf } from "./quote-marks.js";
import { type Shift, shiftOf, type Written, written } from "../../text/raised.js";

interface Open {
  readonly element: Element;
  readonly shift: Shift | null;
  readonly draft: Draft;
  /** Where its text begins in that of the draft. */
  readonly from: number;
}

const CHARS_MAX = 60;
/** Of the line before it: what is looked at. */
const BEFORE_CHARS = 60;
const AFTER_CHARS = 8;
/** A mark that stands in the line as a link: "1", "[12]", "*". */
const LINKED_MARK = /^(?:\[?\d{1,3}\]?|[*†‡§¶‖]{1,3}|[¹²³⁰⁴-⁹]{1,3}|\[[^[\]]{1,20}\])$/u;
/** What a list of works calls one of them: "12", "Knu84", "ABC+19", "Brandt2019a". */
const WORK = "(?:\\d{1,3}|\\p{Lu}[\\p{L}'’.\\-]{0,20}\\+?\\s?(?:\\d{2}|(?:19|20)\\d{2})[a-z]?)";
const WORKS = `${WORK}(?:[,;–\\-\\s]+${WORK})*`;
const CITED = new RegExp(`^\\[${WORKS}\\]$`, "u");
/** The same where the brackets stand around the links. */
const WORKS_ONLY = new RegExp(`^${WORKS}$`, "u");
const OPEN_CITED = new RegExp(`\\s?\\[(?:${WORKS}[,;]\\s*)?$`, "u");

export class Shifts {
  readonly #sight: Sight;
  readonly #open: Open[] = [];
  readonly #quotes: { readonly element: Element; readonly end: string }[] = [];
  #decimal: string | null = null;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  begin(element: Element, style: CSSStyleDeclaration, draft: Draft): void {
    const tag = tagOf(element);
    const marks = quoteMarksOf(element, style);
    if (marks) {
      draft.put(marks[0], element);
      this.#quotes.push({ element, end: marks[1] });
    }
    const parent = parentOf(element);
    const shift = this.#open.some(({ shift }) => shift !== null)
      ? null
      : shiftOf(tag, style, parent && this.#sight.styleOf(parent));
    if (shift || tag === "CITE" || (tag === "A" && leadsHere(element)))
      this.#open.push({ element, shift, draft, from: draft.text.length });
  }

  end(element: Element, draft: Draft): void {
    const quote = this.#quotes.at(-1);
    if (quote?.element === element) {
      this.#quotes.pop();
      if (draft.text !== "") draft.put(quote.end, element);
    }
    const open = this.#open.at(-1);
    if (open?.element !== element) return;
    this.#open.pop();
    const { shift, from } = open;
    if (open.draft !== draft || draft.text.length <= from || draft.text.length - from > CHARS_MAX) return;
    const text = draft.text.slice(from);
    const before = draft.text.slice(Math.max(0, from - BEFORE_CHARS), from);
    if (!shift) {
      if (this.#open.length > 0) return;
      const bracket = bracketBefore(element, before, text);
      if (bracket !== null) {
        draft.rewrite(from - bracket, []);
        draft.skip("]");
      } else if (isLinkedMark(element, before, text)) leaveOut(draft, from, text, element);
      return;
    }
    const link = findIn(element, "a[href]") ?? closestTo(element, "a[href]");
    const leadsToNote = link !== null && leadsHere(link);
    const found = written(before, text, { shift, leadsToNote, decimal: this.#point(), after: textAfter(element) });
    if (!found) return;
    if (found.units.length === 0) return leaveOut(draft, from, text, element);
    const space: Written[] = /^\s/.test(text) ? [{ unit: " ", at: 0 }] : [];
    draft.rewrite(from - found.from, [...space, ...found.units]);
  }

  /** The sign between whole numbers and decimals in the page's language. */
  #point(): string {
    try {
      const parts = new Intl.NumberFormat(attributeOf(page.root(), "lang") || "en").formatToParts(1.5);
      return (this.#decimal ??= parts.find(({ type }) => type === "decimal")?.value ?? ".");
    } catch {
      return (this.#decimal = ".");
    }
  }
}

/** Takes a mark out of its line; the space before it stays, but none before a sign. */
function leaveOut(draft: Draft, from: number, text: string, element: Element): void {
  draft.rewrite(from, []);
  if (/^\s/.test(text) && !/^\s*[.,;:!?)\]]/.test(textAfter(element))) draft.space();
}

/** A link to a place in this page. */
const leadsHere = (link: Element): boolean => /#./.test(attributeOf(link, "href") ?? "");

/** A mark in the line itself: at the end of a word, and a link to a note; or numbers of works in brackets. */
function isLinkedMark(element: Element, before: string, text: string): boolean {
  if (tagOf(element) === "CITE") {
    const link = findIn(element, "a[href]");
    return CITED.test(text.trim()) && link !== null && leadsHere(link);
  }
  if (CITED.test(text.trim())) return /\S/.test(before);
  const isGlued = !/^\s/.test(text) && /\S$/.test(before) && !/[[(\d]$/.test(before);
  return isGlued && LINKED_MARK.test(text);
}

/** Where the last of works in brackets ends, each of them a link to its place in a list: how much of the line before it goes too. */
function bracketBefore(element: Element, before: string, text: string): number | null {
  if (tagOf(element) !== "A" || !WORKS_ONLY.test(text.trim()) || !/^\s*\]/.test(textAfter(element))) return null;
  const [open] = OPEN_CITED.exec(before) ?? [];
  return open === undefined || open.length === before.length ? null : open.length;
}

/** The beginning of the text behind an element. */
function textAfter(element: Element): string {
  let at: Node | null = element;
  while (at && !nextNodeOf(at)) at = at === element || PHRASES.has(tagOf(at as Element)) ? parentOf(at) : null;
  const next = at && nextNodeOf(at);
  return next ? (textOf(next) ?? "").slice(0, AFTER_CHARS) : "";
}
