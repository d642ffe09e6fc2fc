// Where the text of a page begins and ends, and which element holds it.
import { type Container, isWithin, lineBoxOf } from "../blocks/containers.js";
import type { ItemKind } from "@pith/web";
import type { LiveBlock } from "../blocks/draft.js";
import { clean } from "../clean.js";
import { attributeOf, boxOf, page } from "../own.js";
import { linksHere } from "./address.js";
import { isSite, withoutSite } from "../site-name.js";
import { Lines, type Section } from "./lines.js";
import { openedOf } from "./openers.js";
import { siteTalk } from "./phrases.js";
import { titleLine } from "./title.js";

/** Of the prose of a page, the element that holds its text holds at least so much. */
const BODY_SHARE_MIN = 0.75;
const LINKED_MIN = 0.8;
/** A list item may hold its text in a few elements of its own. */
const ITEM_DEPTH_MAX = 4;
/** Edges of one column. */
const EDGE_MAX_PX = 24;
/** What holds one of several things, or what stands aside. */
const ITEM = /^(?:LI|ARTICLE|ASIDE|TD|NAV)$/;
/** Of the page's text, a box in it holds at most so much; and at least so many blocks. */
const BOX_SHARE_MAX = 0.3;
const BOX_BLOCKS_MIN = 3;
/** One long paragraph alone is no body. */
const BODY_BLOCKS_MIN = 3;

export interface Outline {
  /** True in the innermost element that holds nearly all of the prose, and in those like it below and above. */
  readonly isInside: (container: Container) => boolean;
  /** The blocks of the title, and of the first and last prose in the body; -1 where there is none. */
  readonly title: number;
  readonly first: number;
  readonly last: number;
  /** For each block: which kind of section it stands in. */
  readonly sections: readonly (Section | null)[];
  /** For each block: whether its heading is a link to another page. */
  readonly teasers: readonly boolean[];
  /** For each block: whether it stands under a heading that opens and closes its section. */
  readonly opened: readonly boolean[];
  /** The headings that are links to other pages. */
  readonly linkedHeads: ReadonlySet<LiveBlock>;
}

export function outlineOf(blocks: readonly LiveBlock[], isCore: (block: LiveBlock) => boolean): Outline {
  const body = bodyOf(blocks, isCore);
  const isInside = body ? insideOf(body) : () => true;
  const isText = (block: LiveBlock): boolean =>
    isCore(block) && body !== null && isInside(block.container) && siteTalk(block.text, block.words) === 0;
  const first = blocks.findIndex(isText);
  const leadsHere = linksHere();
  const linkedHeads = new Set(blocks.filter((block) => isLinkedHead(block) && !leadsHere(block.container)));
  const pageTitle = clean(page.title());
  // A title that is a link is the name of the site.
  const heading = blocks.findIndex(
    (block) => block.kind === "heading" && levelOf(block) === 1 && block.linked < 0.5 && !isSite(block.text, pageTitle),
  );
  return {
    isInside,
    title: heading >= 0 ? heading : titleLine(blocks.slice(0, first + 1), withoutSite(pageTitle)),
    first,
    last: blocks.findLastIndex(isText),
    sections: sectionsOf(blocks),
    opened: openedOf(blocks),
    teasers: teasersOf(blocks, linkedHeads),
    linkedHeads,
  };
}

/** True in `body`, and in its siblings with the same tag and names that stand in the same column. */
function insideOf(body: Container): (container: Container) => boolean {
  const known = new Map<Container, boolean>([[body, true]]);
  const names = attributeOf(body.element, "class");
  const { left, right } = boxOf(body.element);
  const isAlike = (one: Container): boolean => {
    if (one.tag !== body.tag || one.tag === "ARTICLE" || attributeOf(one.element, "class") !== names) return false;
    const box = boxOf(one.element);
    return Math.abs(box.left - left) < EDGE_MAX_PX && Math.abs(box.right - right) < EDGE_MAX_PX;
  };
  return (container) => {
    let at: Container | null = container;
    while (at && at.depth > body.depth) at = at.parent;
    if (!at || at.parent !== body.parent) return false;
    const told = known.get(at) ?? isAlike(at);
    known.set(at, told);
    return told;
  };
}

/** A heading that is a link names another page, unless it leads to this one. */
const isLinkedHead = (block: LiveBlock): boolean =>
  block.kind === "heading" && block.linked > LINKED_MIN && levelOf(block) > 1;

/** For each block: whether its heading is such a link. */
function teasersOf(blocks: readonly LiveBlock[], heads: ReadonlySet<LiveBlock>): boolean[] {
  let isTeaser = false;
  let item: Container | null = null;
  return blocks.map((block) => {
    if (block.kind === "heading") {
      isTeaser = heads.has(block);
      item = isTeaser ? itemAround(block.container) : null;
    }
    return isTeaser && block.kind !== "heading" && (!item || isWithin(block.container, item));
  });
}

/** The item of a list, or the part of the page, that a heading stands in. */
function itemAround(heading: Container): Container | null {
  for (let at: Container | null = heading; at; at = at.parent) if (ITEM.test(at.tag)) return at;
  return null;
}

/** Ends with the next heading that is not below it; what leads elsewhere also with the box that it stands in. */
function sectionsOf(blocks: readonly LiveBlock[]): (Section | null)[] {
  const chars = blocks.reduce((sum, { text }) => sum + text.length, 0);
  let open: { kind: Section; level: number; box: Container | null } | null = null;
  return blocks.map((block) => {
    if (open?.box && !isWithin(block.container, open.box)) open = null;
    if (block.kind !== "heading") return open?.kind ?? null;
    const level = levelOf(block);
    if (open && level <= open.level) open = null;
    const kind = Lines.section(block.text);
    const box = kind === "leads" ? boxAround(block.container, chars * BOX_SHARE_MAX) : null;
    if (kind && !(open && kind === "leads")) open = { kind, level, box };
    return open?.kind ?? null;
  });
}

/** The element around a heading and several blocks more, where it is a small part of the page. */
function boxAround(heading: Container, most: number): Container | null {
  for (let at: Container | null = heading; at && at.chars <= most; at = at.parent)
    if (at.blocks >= BOX_BLOCKS_MIN) return at;
  return null;
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
