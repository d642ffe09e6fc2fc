// Where the text of a page begins and ends, and which element holds it.
import { type Container, lineBoxOf } from "../blocks/containers.js";
import type { ItemKind } from "@pith/web";
import type { LiveBlock } from "../blocks/draft.js";
import { attributeOf, findIn, page } from "../own.js";
import { Lines, type Section } from "./lines.js";
import { siteTalk } from "./phrases.js";

/** Of the prose of a page, the element that holds its text holds at least so much. */
const BODY_SHARE_MIN = 0.75;
const LINKED_MIN = 0.8;
/** A list item may hold its text in a few elements of its own. */
const ITEM_DEPTH_MAX = 4;
/** One long paragraph alone is no body. */
const BODY_BLOCKS_MIN = 3;

export interface Outline {
  /** The innermost element that holds nearly all of the prose. */
  readonly body: Container | null;
  /** The blocks of the title, and of the first and last prose in the body; -1 where there is none. */
  readonly title: number;
  readonly first: number;
  readonly last: number;
  /** For each block: which kind of section it stands in. */
  readonly sections: readonly (Section | null)[];
  /** For each block: whether its heading is a link to another page. */
  readonly teasers: readonly boolean[];
}

export function outlineOf(blocks: readonly LiveBlock[], isCore: (block: LiveBlock) => boolean): Outline {
  const body = bodyOf(blocks, isCore);
  const isText = (block: LiveBlock): boolean =>
    isCore(block) && body !== null && isWithin(block.container, body) && siteTalk(block.text, block.words) === 0;
  // A title that is a link is the name of the site.
  const title = blocks.findIndex((block) => block.kind === "heading" && levelOf(block) === 1 && block.linked < 0.5);
  return {
    body,
    title,
    first: blocks.findIndex(isText),
    last: blocks.findLastIndex(isText),
    sections: sectionsOf(blocks),
    teasers: teasersOf(blocks),
  };
}

/** A heading that is a link names another page, unless it leads to its own place in this one. */
function teasersOf(blocks: readonly LiveBlock[]): boolean[] {
  let isTeaser = false;
  return blocks.map((block) => {
    if (block.kind === "heading")
      isTeaser = block.linked > LINKED_MIN && levelOf(block) > 1 && !leadsHere(block.container);
    return isTeaser && block.kind !== "heading";
  });
}

/** True where the link of a heading names a place in the page. */
function leadsHere(heading: Container): boolean {
  for (let at: Container | null = heading; at; at = at.parent) {
    const link = at.tag === "A" ? at.element : findIn(at.element, "a[href]");
    const id = /^#(.+)$/.exec((link && attributeOf(link, "href")) ?? "")?.[1];
    if (link) return id !== undefined && page.find(`[id="${CSS.escape(id)}"], [name="${CSS.escape(id)}"]`) !== null;
    if (at.isBlock) break;
  }
  return false;
}

/** Ends with the next heading that is not below it. */
function sectionsOf(blocks: readonly LiveBlock[]): (Section | null)[] {
  let open: { kind: Section; level: number } | null = null;
  return blocks.map((block) => {
    if (block.kind !== "heading") return open?.kind ?? null;
    const level = levelOf(block);
    if (open && level <= open.level) open = null;
    const kind = Lines.section(block.text);
    if (kind && !(open && kind === "leads")) open = { kind, level };
    return open?.kind ?? null;
  });
}

/** The innermost element that holds nearly all of the core. */
function bodyOf(blocks: readonly LiveBlock[], isCore: (block: LiveBlock) => boolean): Container | null {
  const sums = new Map<Container, number>();
  const add = (to: Container, chars: number): void => void sums.set(to, (sums.get(to) ?? 0) + chars);
  let total = 0;
  for (const block of blocks) {
    for (let at: Container | null = block.container; at && !sums.has(at); at = at.parent) sums.set(at, 0);
    if (!isCore(block)) continue;
    total += block.text.length;
    add(block.container, block.text.length);
  }
  const inward = [...sums.keys()].sort((a, b) => b.depth - a.depth);
  for (const one of inward) if (one.parent) add(one.parent, sums.get(one) ?? 0);
  const holdsText = (one: Container): boolean =>
    one.isBlock && one.blocks >= BODY_BLOCKS_MIN && (sums.get(one) ?? 0) >= total * BODY_SHARE_MIN;
  return total > 0 ? (inward.find(holdsText) ?? null) : null;
}

export function isWithin(container: Container, outer: Container): boolean {
  for (let at: Container | null = container; at && at.depth >= outer.depth; at = at.parent)
    if (at === outer) return true;
  return false;
}

/** True for what explains a term. */
export function isDefinition(container: Container): boolean {
  const box = lineBoxOf(container);
  return box.tag === "DD" || box.parent?.tag === "DD";
}

/** What the markup of a list says of an item. */
export function itemOf({ container }: LiveBlock): ItemKind | null {
  const box = lineBoxOf(container);
  for (let at: Container | null = box; at && at.depth > box.depth - ITEM_DEPTH_MAX; at = at.parent) {
    if (at.tag === "DT" || at.tag === "SUMMARY") return "term";
    if (at.tag === "DD") return "definition";
    if (at.tag === "LI") return at.parent?.tag === "OL" ? "ordered" : null;
  }
  return null;
}

/** 1 to 6; a `summary` or a term is below all of them. */
export function levelOf({ container }: LiveBlock): number {
  for (let at: Container | null = container; at; at = at.parent) {
    const [, level] = /^H([1-6])$/.exec(at.tag) ?? [];
    if (level) return Number(level);
    if (at.role === "heading") return Number(at.element.ariaLevel) || 2;
    if (at.kind !== "heading") break;
  }
  return 7;
}
