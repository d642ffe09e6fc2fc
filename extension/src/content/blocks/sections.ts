// Sections that open and close: what heads them, and which of them are closed.
import {
  attributeOf,
  boxOf,
  closestTo,
  containsNode,
  findAllIn,
  findIn,
  isHtml,
  isRendered,
  isShadowRoot,
  nextOf,
  parentOf,
  rootOf,
  tagOf,
  textOf,
} from "../own.js";
import { height } from "../sight/geometry.js";
import type { Sight } from "../sight/sight.js";
import { countWords } from "./text.js";

/** A section that is closed. */
export interface Closed {
  /** What is pressed to open it: a `details`, a button or a label. */
  readonly opener: Element;
  /** Words in it. */
  readonly words: number;
}

const HEADING = "h1, h2, h3, h4, h5, h6, [role=heading]";
const OPENER = /^(?:BUTTON|LABEL|SUMMARY)$/;
const NO_TEXT = /^(?:SCRIPT|STYLE|TEMPLATE|NOSCRIPT|SVG|IMG|INPUT)$/;
/** Parts of the site, whose menus open and close as well. */
const SITE =
  "nav, menu, form, [role=navigation], [role=menubar], [role=menu], [role=toolbar], [role=search], [role=dialog]";
const MENU = /^(?:menu|listbox|dialog|navigation|tree|search|tooltip)$/;
const WORDS_MIN = 3;
const HEAD_CHARS_MAX = 200;
const LINKED_MAX = 0.7;
const LOOKED_AT_CHARS = 20_000;
/** Bounds for hostile pages. */
const CLOSED_MAX = 500;
const LINKS_MAX = 50;

export class Sections {
  readonly closed: Closed[] = [];
  readonly #sight: Sight;

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  /** Looks at an element that is seen; true for a button or label that heads a section. */
  isHead(element: Element): boolean {
    if (tagOf(element) === "DETAILS" && isHtml(element)) {
      this.#lookAtDetails(element);
      return false;
    }
    if (/^(?:H[2-6]|DT)$/.test(tagOf(element))) {
      this.#lookAtHeading(element);
      return false;
    }
    if (!isOpener(element)) return false;
    const head = textOf(element) ?? "";
    if (head.length > HEAD_CHARS_MAX || countWords(head) === 0 || closestTo(element, SITE)) return false;
    const panel = panelOf(element);
    const words = panel ? wordsOfText(panel) : 0;
    const isClosed = panel !== null && words >= WORDS_MIN && this.#isShut(panel);
    if (isClosed) this.#add(element, words);
    return (
      findIn(element, HEADING) !== null ||
      (words >= WORDS_MIN && (isClosed || !findIn(panel!, "input, select, textarea")))
    );
  }

  /** A heading that can be pressed, and what it opens. */
  #lookAtHeading(heading: Element): void {
    const panel = nextOf(heading);
    if (!panel || this.#sight.of(panel) !== "nothing" || NO_TEXT.test(tagOf(panel))) return;
    if (this.#sight.styleOf(heading).cursor !== "pointer" || closestTo(heading, SITE) || isOfLinks(panel)) return;
    const words = wordsOfText(panel);
    if (words >= WORDS_MIN) this.#add(heading, words);
  }

  #lookAtDetails(details: Element): void {
    const words = wordsClosedIn(details);
    if (words >= WORDS_MIN) this.#add(details, words);
  }

  #add(opener: Element, words: number): void {
    if (this.closed.length < CLOSED_MAX) this.closed.push({ opener, words });
  }

  #isShut(panel: Element): boolean {
    return this.#sight.of(panel) !== "all" || height(boxOf(panel)) < 2;
  }
}

/** The closed `details` that are shown in `root`. */
export function closedDetailsIn(root: Element): Closed[] {
  return [...findAllIn(root, "details:not([open])")]
    .slice(0, CLOSED_MAX)
    .filter((one) => isHtml(one) && isRendered(one))
    .map((opener) => ({ opener, words: wordsClosedIn(opener) }))
    .filter(({ words }) => words >= WORDS_MIN);
}

/** Words that a `details` element keeps closed; none where it is a part of the site. */
function wordsClosedIn(details: Element): number {
  if (attributeOf(details, "open") !== null || closestTo(details, SITE)) return 0;
  const summary = findIn(details, "summary");
  return wordsOfText(details) - (summary ? wordsOfText(summary) : 0);
}

function isOpener(element: Element): boolean {
  const tag = tagOf(element);
  const isButton = tag === "BUTTON" || /^button$/i.test(attributeOf(element, "role") ?? "");
  if (tag === "LABEL") return switchOf(element) !== null;
  return (
    isButton &&
    (attributeOf(element, "aria-expanded") !== null || findIn(element, HEADING) !== null) &&
    attributeOf(element, "aria-haspopup") === null
  );
}

/** The check box or radio button that a label switches. */
function switchOf(label: Element): Element | null {
  const id = attributeOf(label, "for");
  const root = rootOf(label);
  const field = id ? byId(root, id) : findIn(label, "input");
  return field && /^(?:checkbox|radio)$/i.test(attributeOf(field, "type") ?? "") ? field : null;
}

const byId = (root: Node, id: string): Element | null =>
  (isShadowRoot(root) ? DocumentFragment.prototype : Document.prototype).getElementById.call(root as Document, id);

/** What a button or label opens: what it names, or what stands next to it or to its heading. */
function panelOf(opener: Element): Element | null {
  const id = attributeOf(opener, "aria-controls");
  const named = id ? byId(rootOf(opener), id.split(/\s+/)[0] ?? "") : null;
  const next = nextOf(opener);
  const parent = parentOf(opener);
  const beside = parent && /^H[1-6]$|^DT$/.test(tagOf(parent)) ? nextOf(parent) : null;
  const panel = named ?? (next && !OPENER.test(tagOf(next)) && tagOf(next) !== "INPUT" ? next : beside);
  if (!panel || containsNode(panel, opener) || MENU.test(attributeOf(panel, "role") ?? "")) return null;
  return isOfLinks(panel) ? null : panel;
}

function isOfLinks(panel: Element): boolean {
  const chars = (textOf(panel) ?? "").trim().length;
  const linked = [...findAllIn(panel, "a")]
    .slice(0, LINKS_MAX)
    .reduce((sum, link) => sum + (textOf(link) ?? "").length, 0);
  return chars > 0 && linked > chars * LINKED_MAX;
}

const wordsOfText = (element: Element): number => countWords((textOf(element) ?? "").slice(0, LOOKED_AT_CHARS));
