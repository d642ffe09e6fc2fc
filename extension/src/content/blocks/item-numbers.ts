// The numbers of a numbered list, which the browser draws: read where the page's text refers to one of them.
import { markOf } from "../../text/item-marks.js";
import { attributeOf, childNodesOf, isElement, tagOf } from "../own.js";
import type { Container } from "./containers.js";
import { type LiveBlock, placeOf } from "./draft.js";

/** Bounds for hostile pages. */
const ITEMS_MAX = 5_000;
/** Words that a number of an item stands behind. */
const REFERENCE =
  /(?<![\p{L}\d])(?:steps?|items?|points?|numbers?|no\.|rules?|clauses?|options?|schritte?n?|punkte?n?|nr\.|regeln?|étapes?|points?|règles?|pasos?|puntos?|reglas?|passos?|pontos?|passi|passo|punti|stap(?:pen)?|krok(?:u|i|ów)?|punkt(?:u|y|ów)?|шаг(?:а|и)?|пункт(?:а|ы)?|الخطوة|चरण|ステップ|手順|步骤|第|단계)\s?\(?(\d{1,4}|[a-z]|[ivxl]{1,6})(?![\p{L}\d])/giu;
const IN_BRACKETS = /\(([a-z]|[ivxl]{1,6})\)/g;
/** Puts the numbers of a list before its items where the page's text names one of them. */
export function withItemNumbers(blocks: readonly LiveBlock[]): LiveBlock[] {
  const numbers = new Numbers();
  const marks = new Map<LiveBlock, { list: Element; mark: string }>();
  const done = new Set<Element>();
  for (const block of blocks) {
    const item = block.kind === "listItem" ? itemAround(block.container) : null;
    if (!item || done.has(item.element)) continue;
    done.add(item.element);
    const mark = numbers.of(item);
    if (mark && item.parent && !hasMark(block.text, mark)) marks.set(block, { list: item.parent.element, mark });
  }
  if (marks.size === 0) return [...blocks];
  const named = referencesIn(blocks);
  const lists = new Set(
    [...marks.values()].filter(({ mark }) => named.has(mark.toLowerCase())).map(({ list }) => list),
  );
  return blocks.map((block) => {
    const found = marks.get(block);
    return found && lists.has(found.list) ? numbered(block, `${found.mark}. `) : block;
  });
}

/** True where the page writes the number itself. */
const hasMark = (text: string, mark: string): boolean =>
  text.replace(/^\(/, "").startsWith(mark) && /^[.):\s]/.test(text.replace(/^\(/, "").slice(mark.length));

function referencesIn(blocks: readonly LiveBlock[]): Set<string> {
  const found = new Set<string>();
  for (const { text } of blocks)
    for (const pattern of [REFERENCE, IN_BRACKETS])
      for (const [, name = ""] of text.matchAll(pattern)) found.add(name.toLowerCase());
  return found;
}

function itemAround(inner: Container): Container | null {
  let at: Container | null = inner;
  while (at && at.tag !== "LI") at = at.parent;
  return at && at.parent?.tag === "OL" ? at : null;
}

/** `mark` stands where the text begins. */
function numbered(block: LiveBlock, mark: string): LiveBlock {
  const [node, offset] = [block.nodes[0], block.offsets[0]];
  if (!node || offset === undefined) return block;
  const units = mark.split("");
  const place = -1 - placeOf(offset);
  return {
    ...block,
    text: mark + block.text,
    nodes: [...units.map(() => node), ...block.nodes],
    offsets: [...units.map(() => place), ...block.offsets],
  };
}

class Numbers {
  readonly #known = new Map<Element, ReadonlyMap<Element, number>>();

  of({ element, parent }: Container): string | null {
    if (!parent) return null;
    const values = this.#known.get(parent.element) ?? valuesOf(parent.element);
    this.#known.set(parent.element, values);
    const value = values.get(element);
    const { display, listStyleType } = getComputedStyle(element);
    return value === undefined || display !== "list-item" ? null : markOf(value, listStyleType);
  }
}

/** The value of each item, by the list's `start` and `reversed` and the items' own `value`. */
function valuesOf(list: Element): Map<Element, number> {
  const items = [...childNodesOf(list)]
    .filter((one): one is Element => isElement(one) && tagOf(one) === "LI")
    .slice(0, ITEMS_MAX);
  const isReversed = attributeOf(list, "reversed") !== null;
  const start = Number.parseInt(attributeOf(list, "start") ?? "");
  let next = Number.isNaN(start) ? (isReversed ? items.length : 1) : start;
  return new Map(
    items.map((item) => {
      const own = Number.parseInt(attributeOf(item, "value") ?? "");
      const value = Number.isNaN(own) ? next : own;
      next = value + (isReversed ? -1 : 1);
      return [item, value];
    }),
  );
}
