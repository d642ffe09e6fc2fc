// Lines of lists, of versions, and those above a text that are set like headings.
import { type Container, lineBoxOf, outerOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import type { Judged } from "./judged.js";
import { isBeside, LABEL_WORDS_MAX, LINKED_MAX, type Subject } from "./subject.js";
import { hasVersion } from "./values.js";

/** Of the rows of a list: where so many are read, the others are too, unless much speaks against them. */
const LIST_READ_MIN = 0.5;
const LIST_ROWS_MIN = 3;
const LIST_SCORE_MIN = -2;
const BULLET = /^[•·‣▪◦●○■*–-]\s/u;
/** A line above a text is read with it where not more speaks against it. */
const LABEL_SCORE_MIN = -1;
const LARGER_MIN = 1.1;

/** The rest of lists of which most is read, and of rows with bullets of which any is. */
export function* lists(page: Subject): Generator<void> {
  const lists = new Map<Container, Judged[]>();
  const bullets = new Map<Container, Judged[]>();
  for (const one of page.judged) {
    yield;
    const row = lineBoxOf(one.block.container);
    const holder = outerOf(row);
    if (!holder || one.block.kind === "heading" || one.block.kind === "table") continue;
    const kin = BULLET.test(one.block.text) ? bullets : lists;
    const rows = kin.get(holder) ?? [];
    if (rows.length === 0 || lineBoxOf(rows[0]!.block.container).tag === row.tag) rows.push(one);
    kin.set(holder, rows);
  }
  for (const [holder, rows] of lists) if (rows.length === holder.blocks) yield* readList(page, rows, LIST_READ_MIN);
  for (const rows of bullets.values()) yield* readList(page, rows, 0);
}

function* readList(page: Subject, rows: readonly Judged[], least: number): Generator<void> {
  yield;
  const read = rows.filter(({ isRead }) => isRead).length;
  if (rows.length < LIST_ROWS_MIN || read === 0 || read < rows.length * least) return;
  for (const one of rows) if (one.score > LIST_SCORE_MIN && page.isOpen(one, false)) one.isRead = true;
}

/** Names and dates of versions above what is read of them. */
export function* versions(page: Subject): Generator<void> {
  for (const [at, one] of page.judged.entries()) {
    yield;
    const [before, next, after] = [page.judged[at - 1], page.judged[at + 1], page.judged[at + 2]];
    const { text, kind, linked, words } = one.block;
    if (words > LABEL_WORDS_MAX || one.features.control || !hasVersion(text)) continue;
    const isDate = (other: Judged | undefined): boolean =>
      other !== undefined && page.facts.lines.isDated(other.block.text) && isBeside(other.block, one.block);
    const [date, below] = isDate(next) ? [next, after] : isDate(before) ? [before, next] : [null, next];
    if (!below?.isRead || !page.isOpen(one, true)) continue;
    if (kind !== "heading" && linked < LINKED_MAX) one.isRead = true;
    if (date && page.isOpen(date, true)) date.isRead = true;
  }
}

/** Lines that are set like headings, above what is read. */
export function* labels(page: Subject): Generator<void> {
  for (let at = page.judged.length - 2; at >= 0; at--) {
    yield;
    const [one, next] = [page.judged[at]!, page.judged[at + 1]!];
    if (one.isRead || !next.isRead || next.block.kind === "heading" || one.block.kind !== "paragraph") continue;
    if (one.score <= LABEL_SCORE_MIN || !one.features.amidText || one.features.byline) continue;
    if (isBeside(one.block, next.block) && standsOut(one.block, next.block) && page.isLabel(one)) one.isRead = true;
  }
}

/** It is set in larger or heavier letters than the block below. */
function standsOut(one: LiveBlock, below: LiveBlock): boolean {
  const weightOf = ({ container }: LiveBlock): number => Number(getComputedStyle(container.element).fontWeight) || 0;
  return one.size > below.size * LARGER_MIN || weightOf(one) > weightOf(below);
}
