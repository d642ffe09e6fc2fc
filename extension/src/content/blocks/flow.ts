// How a box stands to the text around it: in its line, apart in it, beside it, or as a block of its own.
import {
  boxOf,
  childNodesOf,
  findIn,
  firstChildOf,
  isElement,
  isHtml,
  isText,
  isXml,
  page,
  parentOf,
  previousNodeOf,
  tagOf,
  textOf,
} from "../own.js";
import { isFormulaBox } from "../formulas/formula.js";
import { isApart, isBlock } from "../sight/look.js";
import type { Sight } from "../sight/sight.js";
import type { Draft } from "./draft.js";

/** "beside": it is taken out of the line, which goes on behind it. */
export type Flow = "line" | "apart" | "beside" | "block";

/** Elements of phrases, whatever box the page makes of them. */
export const PHRASES = new Set(
  "A ABBR B BDI BDO CITE CODE DATA DEL DFN EM FONT I INS KBD MARK Q S SAMP SMALL SPAN STRONG SUB SUP TIME TT U VAR".split(
    " ",
  ),
);
/** Letters, of the size of those around, from which on an initial is large. */
const INITIAL_MIN = 1.4;
const INITIAL_CHARS_MAX = 3;
/** A box with more text is a part of the page, however it is placed. */
const BESIDE_CHARS_MAX = 600;
/** A box in a line that is as narrow as one letter parts no words; in ems. */
const LETTER_EM_MAX = 1.2;
/** A box in a line is not much higher than the line; in ems. */
const LINE_EM_MAX = 2.6;
const CHIP_EM_MIN = 0.2;
export const OF_ITS_OWN =
  "h1, h2, h3, h4, h5, h6, p, ul, ol, dl, table, section, article, button, input, select, [role=button], [role=heading]";
export class Flows {
  readonly #sight: Sight;
  readonly #hasMath = page.find("math") !== null;
  /** Elements of XML have no style that would part them. */
  readonly #isXml = isXml(page.root());
  /** The box of a formula that stands in the middle of a sentence. */
  #formulaBox: Element | null = null;
  #lineBox: Element | null = null;
  /** By element: whether its text stands beside its elements in one line of flexible boxes. */
  readonly #mixed = new Map<Element, boolean>();

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /** In a box whose own boxes part words only. */
  get isInLineBox(): boolean {
    return this.#lineBox !== null;
  }

  /** How an element stands to the text of the line so far. */
  begin(element: Element, style: CSSStyleDeclaration, text: string): Flow {
    const flow = this.#of(element, style, text !== "");
    if (!this.#lineBox && isLine(element, style) && (text !== "" || holdsLetters(element, style)))
      this.#lineBox = element;
    // The formula of a sentence may stand on a line of its own.
    const isWithin = flow === "block" && this.#hasMath && text !== "" && !/[.!?]$/.test(text);
    if (!isWithin || !isFormulaBox(element)) return flow;
    this.#formulaBox = element;
    return "apart";
  }

  /** Ends an element that begins no line of its own; true where the line ends with it all the same. */
  end(element: Element, draft: Draft): boolean {
    const isFormula = this.#formulaBox === element;
    if (isFormula) this.#formulaBox = null;
    if (isFormula || isApart(this.#sight.styleOf(element))) draft.space();
    return isFormula && !goesOnAfter(element);
  }

  /** To be called for every element that is left, first of all. */
  leave(element: Element): void {
    if (this.#lineBox === element) this.#lineBox = null;
  }

  #of(element: Element, style: CSSStyleDeclaration, hasText: boolean): Flow {
    if (this.#isXml && !isHtml(element)) return "block";
    if (!isBlock(style)) return isApart(style) || isChip(element, style) ? "apart" : "line";
    if (this.#lineBox && isLetterWide(element, style)) return "line";
    const isOut = style.position === "absolute" || style.position === "fixed" || style.float !== "none";
    if (isOut) {
      if (isInitial(element, style)) return "line";
      return hasText && (textOf(element) ?? "").length <= BESIDE_CHARS_MAX ? "beside" : "block";
    }
    return PHRASES.has(tagOf(element)) && this.#isInText(element) ? "apart" : "block";
  }

  #isInText(element: Element): boolean {
    const parent = parentOf(element);
    if (!parent || !/flex|grid/.test(this.#sight.styleOf(parent).display)) return false;
    const known = this.#mixed.get(parent);
    if (known !== undefined) return known;
    const found = [...childNodesOf(parent)].some((one) => isText(one) && /[\p{L}\p{N}]{2}/u.test(one.data));
    this.#mixed.set(parent, found);
    return found;
  }
}

/** A box with room around its text, right behind another element. */
function isChip(element: Element, { paddingInlineStart, fontSize }: CSSStyleDeclaration): boolean {
  if (Number.parseFloat(paddingInlineStart) < Number.parseFloat(fontSize) * CHIP_EM_MIN) return false;
  const before = previousNodeOf(element);
  return before !== null && isElement(before);
}

/** True for a box in a line that holds boxes of its own, all of them in that line. */
function isLine(element: Element, style: CSSStyleDeclaration): boolean {
  if (!style.display.startsWith("inline-") || findIn(element, OF_ITS_OWN)) return false;
  const { top, bottom } = boxOf(element);
  return bottom - top <= Number.parseFloat(style.fontSize) * LINE_EM_MAX;
}

/** Such a box, or one that begins with one. */
function holdsLetters(element: Element, style: CSSStyleDeclaration): boolean {
  const first = firstChildOf(element);
  return isLetterWide(element, style) || (first !== null && isLetterWide(first, style));
}

/** A digit that rolls into its place has such a box, with all ten digits in it. */
function isLetterWide(element: Element, style: CSSStyleDeclaration): boolean {
  const { left, right } = boxOf(element);
  return right > left && right - left <= Number.parseFloat(style.fontSize) * LETTER_EM_MAX;
}

/** A large first letter. */
function isInitial(element: Element, style: CSSStyleDeclaration): boolean {
  const parent = parentOf(element);
  if (!parent) return false;
  const outer_px = Number.parseFloat(getComputedStyle(parent).fontSize);
  if (Number.parseFloat(style.fontSize) < outer_px * INITIAL_MIN) return false;
  const text = (textOf(element) ?? "").trim();
  return text !== "" && [...text].length <= INITIAL_CHARS_MAX && /\p{L}/u.test(text);
}

/** True where the text goes on behind an element: small letters or a sign within a sentence. */
function goesOnAfter(element: Element): boolean {
  const parent = parentOf(element);
  if (!parent) return false;
  const children = [...childNodesOf(parent)];
  const next = children
    .slice(children.indexOf(element) + 1)
    .find((one) => isElement(one) || (isText(one) && /\S/.test(one.data)));
  return next !== undefined && isText(next) && /^\s*[\p{Ll},.;:)]/u.test(next.data);
}
