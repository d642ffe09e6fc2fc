// A label and its value, side by side or one below the other, in boxes that are no table.
import { type Box, height } from "../sight/geometry.js";
import { boxOf, childNodesOf, findIn, isElement, nextOf, parentOf, previousOf, tagOf, textOf } from "../own.js";
import type { Sight } from "../sight/sight.js";
import { OF_ITS_OWN } from "./flow.js";

/** The cells of a row of labels and values are short. */
const CELL_CHARS_MAX = 70;
const CELL_HEIGHT_MAX_PX = 120;
const NO_CELL =
  /^(?:H[1-6]|LI|DT|DD|TD|TH|P|BUTTON|NAV|UL|OL|DL|TABLE|ARTICLE|SECTION|MAIN|ASIDE|HEADER|FOOTER|FORM|LABEL)$/;

export class LabelRows {
  readonly #sight: Sight;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /** True where an element and the next one are a label and its value, side by side. */
  isRowWithNext(element: Element): boolean {
    const next = nextOf(element);
    const parent = this.#boxAround(element);
    if (!next || !parent || tagOf(parent) === "TR" || tagOf(parent) === "NAV") return false;
    const isRow = /flex|grid|table-row/.test(this.#sight.styleOf(parent).display);
    const isTile = !isRow && this.#isTile(parent);
    return (
      (isRow || isTile || this.#isFloatPair(element, next)) &&
      this.#isCell(element) &&
      this.#isCell(next) &&
      !(isLink(element) && isLink(next)) &&
      (isTile || areInLine(boxOf(element), boxOf(next)))
    );
  }

  /** The element whose box holds that of another. */
  #boxAround(element: Element): Element | null {
    let at = parentOf(element);
    while (at && this.#sight.styleOf(at).display === "contents") at = parentOf(at);
    return at;
  }

  /** A label at the left and its value at the right. */
  #isFloatPair(element: Element, next: Element): boolean {
    const sides = [element, next].map((one) => this.#sight.styleOf(one).float);
    return sides[0] !== "none" && sides[1] === "right" && nextOf(next) === null;
  }

  /** One of several boxes side by side that hold a label and its value each, one below the other. */
  #isTile(box: Element): boolean {
    const outer = parentOf(box);
    if (!outer || !/flex|grid/.test(this.#sight.styleOf(outer).display) || NO_CELL.test(tagOf(box))) return false;
    const beside = nextOf(box) ?? previousOf(box);
    return beside !== null && holdsPair(box) && holdsPair(beside);
  }

  #isCell(element: Element): boolean {
    if (NO_CELL.test(tagOf(element)) || this.#sight.of(element) === "nothing") return false;
    // Its text may be that of the whole page.
    if (height(boxOf(element)) > CELL_HEIGHT_MAX_PX) return false;
    const text = (textOf(element) ?? "").trim();
    return text.length <= CELL_CHARS_MAX && /[\p{L}\p{N}]/u.test(text) && !findIn(element, OF_ITS_OWN);
  }
}

/** Two elements, of which one has a number. */
function holdsPair(box: Element): boolean {
  const children = [...childNodesOf(box)].filter((one) => isElement(one) || /\S/.test(textOf(one) ?? ""));
  return children.length === 2 && children.every(isElement) && /\p{N}/u.test(textOf(box) ?? "");
}

const isLink = (element: Element): boolean => tagOf(element) === "A" || findIn(element, "a") !== null;

/** Their middles are at one height, and one is beside the other. */
function areInLine(a: Box, b: Box): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return (
    shared > Math.max(a.bottom - a.top, b.bottom - b.top) * 0.5 && (a.right <= b.left + 1 || b.right <= a.left + 1)
  );
}
