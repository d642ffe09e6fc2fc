// Rows that name facts: a label and a value each, several of them below each other.
import { type Container, lineBoxOf, outerOf } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { parentOf } from "../own.js";
import { hasNumber, isRunOfPairs, labelled, type Labelled, pairOf, pricesIn } from "./values.js";

/** Blocks that belong to one row, by their place among all blocks. */
export interface Row {
  readonly from: number;
  readonly to: number;
  /** The element around the row, and the one around all of its kind. */
  readonly box: Container;
  readonly holder: Container;
  readonly pair: Labelled | null;
}

/** Rows of one kind that follow each other. */
export interface Run {
  readonly rows: readonly Row[];
  readonly holder: Container;
}

const ROWS_MIN = 3;
/** Without colons, so many of the rows must have a number. */
const NUMBERS_SHARE_MIN = 0.34;
/** Where more of the rows are prices, they are a list of things to buy. */
const PRICES_SHARE_MAX = 0.6;
const CHARS_MAX = 240;

/** The list of definitions that a container stands in. */
function definitionsOf(container: Container): Container | null {
  for (let at: Container | null = container; at; at = at.parent) if (at.tag === "DL") return at;
  return null;
}

/** All runs of rows with a label and a value each; null for each step in between. */
export function* runsOf(blocks: readonly LiveBlock[]): Generator<Run | null> {
  let open: Row[] = [];
  for (let at = 0; at < blocks.length;) {
    const row = rowAt(blocks, at);
    const last = open.at(-1);
    if (last && (!row?.pair || !isAlike(last, row))) {
      if (holdsFacts(open, blocks)) yield { rows: open, holder: last.holder };
      open = [];
    }
    if (row?.pair) open.push(row);
    at = row ? row.to : at + 1;
    yield null;
  }
  const last = open.at(-1);
  if (last && holdsFacts(open, blocks)) yield { rows: open, holder: last.holder };
}

const isAlike = (a: Row, b: Row): boolean => a.holder === b.holder && a.box.tag === b.box.tag;

/** The row that begins with the block `at`. */
function rowAt(blocks: readonly LiveBlock[], at: number): Row | null {
  const [block, next] = [blocks[at], blocks[at + 1]];
  if (!block || block.kind === "table" || block.kind === "code" || block.kind === "heading" || block.isControl)
    return null;
  const box = lineBoxOf(block.container);
  const holder = outerOf(box) ?? box;
  const pairs = next && twoBlocks(block, next);
  if (pairs) return { from: at, to: at + 2, ...pairs };
  if (block.text.length > CHARS_MAX) return null;
  const whole = isRunOfPairs(block.text) ? { label: "", value: block.text } : null;
  return { from: at, to: at + 1, box, holder, pair: whole ?? labelled(block.text) ?? twoParts(block) };
}

/** A term and its definition, or the only two blocks of an element. */
function twoBlocks(one: LiveBlock, two: LiveBlock): Pick<Row, "box" | "holder" | "pair"> | null {
  if (one.text.length + two.text.length > CHARS_MAX) return null;
  const [first, second] = [lineBoxOf(one.container), lineBoxOf(two.container)];
  const list = definitionsOf(first);
  if (list && first.tag === "DT" && definitionsOf(second) === list && second.tag !== "DT")
    return { box: first, holder: list, pair: pairOf(one.text.replace(/[\s:：]+$/u, ""), two.text) };
  const box = outerOf(first);
  if (!box || box.blocks !== 2 || outerOf(second) !== box || two.kind === "heading" || two.isControl) return null;
  return { box, holder: outerOf(box) ?? box, pair: pairOf(one.text.replace(/[\s:：]+$/u, ""), two.text) };
}

/** A label and a value in elements of their own. */
function twoParts({ text, nodes }: LiveBlock): Labelled | null {
  const cuts = [0];
  for (let at = 1; at < nodes.length && cuts.length < 4; at++) {
    const [before, node] = [nodes[at - 1], nodes[at]];
    if (before && node && before !== node && parentOf(before) !== parentOf(node)) cuts.push(at);
  }
  const [, cut] = cuts;
  return cuts.length === 2 && cut !== undefined ? pairOf(text.slice(0, cut), text.slice(cut)) : null;
}

/** Enough rows, which are neither prices of several things nor only names. */
function holdsFacts(rows: readonly Row[], blocks: readonly LiveBlock[]): boolean {
  const texts = rows.map(({ from, to }) =>
    blocks
      .slice(from, to)
      .map(({ text }) => text)
      .join(" "),
  );
  if (rows.length === 1) return rows[0]?.pair?.label === "";
  const numbers = texts.filter(hasNumber).length;
  const prices = texts.filter((text) => pricesIn(text) > 0).length;
  const colons = texts.filter((text) => labelled(text) !== null).length;
  const isList = rows[0]?.holder.tag === "DL";
  if (prices > rows.length * PRICES_SHARE_MAX) return false;
  if (rows.length < ROWS_MIN) return isList && numbers === rows.length;
  return isList || colons > rows.length / 2 || numbers >= rows.length * NUMBERS_SHARE_MIN;
}
