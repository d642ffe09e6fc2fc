// Rows of facts, and the boxes that hold facts.
import { type Container, lineBoxOf, outerOf } from "../blocks/containers.js";
import { hasRating } from "../blocks/rating-text.js";
import { type Run, runsOf } from "./rows.js";
import { isValue, type Subject } from "./subject.js";

/** Rows with one label, in so many places. */
const AUTHORS_MIN = 3;
/** Where more of the rows are dates, they say who wrote the text and when. */
const DATED_SHARE_MAX = 0.4;

/** Rows of facts, with the box that they stand in. */
export function* rows(page: Subject): Generator<void> {
  const runs: Run[] = [];
  for (const run of runsOf(page.blocks)) {
    if (run) runs.push(run);
    yield;
  }
  const labels = new Map<string, number>();
  for (const label of runs.flatMap(labelsOf)) labels.set(label, (labels.get(label) ?? 0) + 1);
  for (const run of runs) {
    const members = run.rows.flatMap(({ from, to }) => page.judged.slice(from, to));
    // Where every post has such rows, they are of its author.
    if (labelsOf(run).some((label) => (labels.get(label) ?? 0) >= AUTHORS_MIN)) continue;
    const dated = members.filter(({ features }) => features.dated).length;
    if (dated > members.length * DATED_SHARE_MAX || !members.every((one) => page.isOpen(one, true))) continue;
    for (const one of members) one.isRead = true;
    const box = page.boxOf(run.holder);
    if (box) page.found.add(box);
    readBeside(page, run);
  }
}

/** Prices and ratings next to rows of facts, in the same element. */
function readBeside(page: Subject, { rows, holder }: Run): void {
  const [before, after] = [(rows[0]?.from ?? 0) - 1, rows.at(-1)?.to ?? 0];
  for (const one of [page.judged[before], page.judged[after]])
    if (one && outerOf(lineBoxOf(one.block.container)) === holder) page.readValue(one);
}

/** What else stands in the boxes of facts, and in those that rate the page's subject. */
export function* boxes(page: Subject): Generator<void> {
  for (const one of page.judged) {
    yield;
    if (one.isRead || !one.features.amidText || !isValue(one.block) || !hasRating(one.block.text)) continue;
    const box = page.boxOf(lineBoxOf(one.block.container));
    if (box && page.readValue(one)) page.found.add(box);
  }
  if (page.found.size === 0) return;
  for (const one of page.judged) {
    yield;
    if (one.isRead || one.block.kind === "heading" || !page.isOpen(one, false)) continue;
    for (let at: Container | null = one.block.container; at; at = at.parent)
      if (page.found.has(at) && page.isFramed(at)) one.isRead = true;
  }
}

const labelsOf = ({ rows }: Run): string[] => [...new Set(rows.flatMap(({ pair }) => pair?.label || []))];
