// A page while the facts of its subject are looked for.
import { type Container, isWithin, lineBoxOf, outerOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { hasRating, isRatingLabel } from "../blocks/rating-text.js";
import { Boxes } from "./boxes.js";
import type { PageFacts } from "./features.js";
import type { Judged } from "./judged.js";
import { LeadBoxes } from "./lead-boxes.js";
import { hasPrice } from "./values.js";
import type { Feature } from "./weights.js";

/** What a block in one of these is about is another thing than the page. */
const CLOSED: readonly Feature[] = [
  "control",
  "navigation",
  "footer",
  "notice",
  "advertisement",
  "share",
  "related",
  "comments",
  "underLeads",
  "underNotes",
  "underComments",
  "teaser",
  "siteTalk",
];
export const LINKED_MAX = 0.5;
/** Of the page's text, a box of facts holds at most so much. */
const BOX_SHARE_MAX = 0.3;
const [PRICE_WORDS_MAX, RATING_WORDS_MAX] = [12, 16];
export const LABEL_WORDS_MAX = 10;
const SENTENCE_INSIDE = /[.!?。！？](?:\s+\p{L}|$)/u;

export class Subject {
  /** Boxes whose headings are read with what they hold. */
  readonly found = new Set<Container>();
  readonly judged: readonly Judged[];
  readonly blocks: readonly LiveBlock[];
  readonly facts: PageFacts;
  /** Characters of the page, and those in prose. */
  chars = 0;
  prose = 0;
  readonly #frames = new Boxes();
  readonly #leads = new LeadBoxes();
  /** Prices and ratings that are read. */
  readonly #values = new Set<string>();

  constructor(judged: readonly Judged[], facts: PageFacts) {
    this.judged = judged;
    this.facts = facts;
    this.blocks = judged.map(({ block }) => block);
  }

  *survey(): Generator<void> {
    for (const { block, isRead } of this.judged) {
      yield;
      this.chars += block.text.length;
      if (block.isProse) this.prose += block.text.length;
      if (isRead && isValue(block)) this.#values.add(block.text);
    }
    yield* this.#leads.find(this.judged, this.chars);
  }

  /** Reads a price or a rating, once; true where it was read now. */
  readValue(one: Judged): boolean {
    const { text } = one.block;
    const isDated = one.features.dated && !isRatingLabel(text);
    if (one.isRead || isDated || !isValue(one.block) || !this.isOpen(one, true)) return false;
    if (this.#values.has(text)) return false;
    this.#values.add(text);
    one.isRead = true;
    return true;
  }

  /** The box with a frame around a container, where it is a small part of the page; else the container. */
  boxOf(container: Container): Container | null {
    let box: Container | null = container.chars <= this.chars * BOX_SHARE_MAX ? container : null;
    for (let at: Container | null = container; at?.parent && at.tag !== "BODY"; at = at.parent) {
      if (at.chars > this.chars * BOX_SHARE_MAX || at.linked > at.chars * BOX_SHARE_MAX) break;
      if (at.isBlock && this.isFramed(at)) box = at;
    }
    return box;
  }

  /** It is set apart from what is around it. */
  isFramed(box: Container): boolean {
    return box.tag === "ASIDE" || this.#frames.hasFrame(box);
  }

  /** A few words that may be the label of what stands beside them. */
  isLabel(one: Judged): boolean {
    const { words, text } = one.block;
    return words <= LABEL_WORDS_MAX && /\p{L}/u.test(text) && !SENTENCE_INSIDE.test(text) && this.isOpen(one, false);
  }

  /** It may be about the page's subject. `isFact`: lines that look like dates or counts may be facts. */
  isOpen({ block, features }: Judged, isFact: boolean): boolean {
    if (block.linked >= LINKED_MAX && !hasRating(block.text)) return false;
    if (CLOSED.some((name) => (features[name] ?? 0) > 0)) return false;
    if (features.afterText && features.outsideBody && !features.main) return false;
    const line = features.line ? this.facts.lineOf(block) : null;
    if (line && !(isFact && (line === "counts" || line === "date"))) return false;
    if (features.dated && !isFact) return false;
    return this.#leads.of(block.container) === null;
  }
}

/** A short line with a price or a rating, and not a sentence. */
export function isValue({ text, words, linked }: LiveBlock): boolean {
  if (words > RATING_WORDS_MAX) return false;
  if (hasRating(text)) return true;
  return (
    words <= PRICE_WORDS_MAX && linked === 0 && hasPrice(text) && !SENTENCE_INSIDE.test(text) && !text.startsWith("+")
  );
}

/** In the same small part of the page. */
export const isBeside = (a: LiveBlock, b: LiveBlock): boolean => {
  const box = outerOf(lineBoxOf(a.container));
  return box !== null && (isWithin(b.container, box) || box === lineBoxOf(b.container));
};
