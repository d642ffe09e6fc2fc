// Prices and ratings: beside the title, in plans, and in cards.
import { type Container, isWithin, lineBoxOf, outerOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import type { Judged } from "./judged.js";
import { isBeside, isValue, LINKED_MAX, type Subject } from "./subject.js";

/** Of the page's prose, the box around the title holds at most so much. */
const TITLE_PROSE_SHARE_MAX = 0.2;
const TITLE_BLOCKS_MAX = 60;
/** Of the page's text, a card holds at most so much. */
const CARD_SHARE_MAX = 0.4;
const CARD_LEVELS = 3;
/** Of a card's text, so much is read by itself. */
const CARD_READ_MIN = 0.4;
/** Alone in the text, a value is read where not more speaks against it. */
const AMID_SCORE_MIN = -1;
const [PLANS_MIN, PLAN_LINES_MIN, PLAN_BLOCKS_MAX] = [2, 4, 60];

/** Prices and ratings in the box of the title, and between the title and the text. */
export function* besideTitle(page: Subject): Generator<void> {
  const { title, first } = page.facts.outline;
  const own = page.blocks[title];
  if (!own) return;
  const box = titleBox(page, own);
  for (const [at, one] of page.judged.entries()) {
    const isOpening = at > title && at < first;
    if (isOpening || (box && isWithin(one.block.container, box))) page.readValue(one);
    yield;
  }
}

function titleBox(page: Subject, { container }: LiveBlock): Container | null {
  let box: Container | null = null;
  for (let at = outerOf(lineBoxOf(container)); at?.parent; at = outerOf(at)) {
    if (at.prose > page.prose * TITLE_PROSE_SHARE_MAX || at.blocks > TITLE_BLOCKS_MAX || at.tag === "BODY") break;
    box = at;
  }
  return box;
}

/** Several boxes alike, each with a price and what one gets for it. */
export function* plans(page: Subject): Generator<void> {
  const groups = new Map<Container, Map<Container, number>>();
  for (const [place, one] of page.judged.entries()) {
    yield;
    if (one.isRead || !one.features.amidText || !isValue(one.block) || !page.isOpen(one, true)) continue;
    let card = outerOf(lineBoxOf(one.block.container));
    for (let level = 0; card && level < CARD_LEVELS; level++, card = outerOf(card)) {
      const holder = outerOf(card);
      if (!holder || card.blocks > PLAN_BLOCKS_MAX || card.chars > page.chars * CARD_SHARE_MAX) break;
      groups.set(holder, (groups.get(holder) ?? new Map<Container, number>()).set(card, place));
    }
  }
  for (const cards of groups.values()) {
    yield;
    const members = [...cards].map(([card, place]) => planIn(page, card, place));
    if (members.length < PLANS_MIN || !members.every((of) => of.length >= PLAN_LINES_MIN)) continue;
    for (const one of members.flat()) one.isRead = true;
    for (const card of cards.keys()) page.found.add(card);
  }
}

/** The lines of a card around the block `at`; none where it leads to a page about what it offers. */
function planIn(page: Subject, card: Container, at: number): Judged[] {
  let from = at;
  while (from > 0 && isWithin(page.blocks[from - 1]!.container, card)) from--;
  const members: Judged[] = [];
  for (let place = from; place < page.judged.length; place++) {
    const one = page.judged[place]!;
    if (!isWithin(one.block.container, card)) break;
    if (one.block.kind !== "heading" && page.isOpen(one, isValue(one.block))) members.push(one);
  }
  return (page.blocks[from]?.linked ?? 1) < LINKED_MAX ? members : [];
}

/** Prices and ratings in cards of which other text is read, with the lines beside them. */
export function* cards(page: Subject): Generator<void> {
  if (!page.judged.some(({ block, isRead }) => !isRead && isValue(block))) return;
  const read = new Map<Container, number>();
  for (const { block, isRead } of page.judged) {
    if (!isRead || block.kind === "heading") continue;
    for (let at: Container | null = block.container; at; at = at.parent)
      read.set(at, (read.get(at) ?? 0) + block.text.length);
    yield;
  }
  for (const [at, one] of page.judged.entries()) {
    yield;
    if (one.isRead || !isValue(one.block)) continue;
    const [before, after] = [page.judged[at - 1], page.judged[at + 1]];
    const card = cardOf(page, one.block, read);
    if (!card) {
      const isAmid = [before, after].some((other) => other?.isRead && isBeside(other.block, one.block));
      if (isAmid && one.features.amidText && one.score > AMID_SCORE_MIN) page.readValue(one);
      continue;
    }
    if (!page.readValue(one)) continue;
    page.found.add(card);
    for (const beside of [page.judged[at - 1], page.judged[at + 1]])
      if (beside && isWithin(beside.block.container, card) && beside.block.kind !== "heading" && page.isLabel(beside))
        beside.isRead = true;
  }
}

function cardOf(page: Subject, { container }: LiveBlock, read: ReadonlyMap<Container, number>): Container | null {
  let at = outerOf(lineBoxOf(container));
  for (let level = 0; at && level < CARD_LEVELS; level++, at = outerOf(at)) {
    if (at.chars > page.chars * CARD_SHARE_MAX) return null;
    if ((read.get(at) ?? 0) > (at.chars - at.linked) * CARD_READ_MIN) return at;
  }
  return null;
}
