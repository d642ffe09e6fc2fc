import type { BlockKind } from "@pith/web";
import { attributeOf, boxOf, isFrame, isHtml, tagOf } from "../own.js";

/** An element around blocks, with sums over the text in it. */
export interface Container {
  readonly element: Element;
  readonly parent: Container | null;
  readonly depth: number;
  readonly tag: string;
  readonly role: string;
  /** Where the left edge of its frame is, in the page's window. */
  readonly frameLeft: number;
  readonly isBlock: boolean;
  readonly isLink: boolean;
  /** The kind that it gives to blocks in it. */
  readonly kind: BlockKind | null;
  /** Blocks, characters, characters in links and characters in prose. */
  blocks: number;
  chars: number;
  linked: number;
  prose: number;
  hasTitle: boolean;
  /** More text may come. */
  isOpen: boolean;
}

const KINDS: Record<string, BlockKind> = {
  H1: "heading",
  H2: "heading",
  H3: "heading",
  H4: "heading",
  H5: "heading",
  H6: "heading",
  SUMMARY: "heading",
  LI: "listItem",
  DT: "listItem",
  DD: "listItem",
  BLOCKQUOTE: "quote",
  PRE: "code",
  CAPTION: "caption",
  FIGCAPTION: "caption",
};
const ROLES: Record<string, BlockKind> = { heading: "heading", listitem: "listItem" };
/** Where an element lies in several of these, the first one named decides. */
const RANK: readonly BlockKind[] = ["caption", "code", "heading", "listItem", "quote"];

/** `kind`: what it is, whatever its element says. */
export function containerOf(
  element: Element,
  parent: Container | null,
  isBlock: boolean,
  kind: BlockKind | null,
): Container {
  const tag = tagOf(element);
  const role = attributeOf(element, "role")?.toLowerCase() ?? "";
  return {
    element,
    parent,
    depth: parent ? parent.depth + 1 : 0,
    tag,
    role,
    frameLeft: (parent?.frameLeft ?? 0) + (parent && isFrame(parent.element) ? boxOf(parent.element).left : 0),
    isBlock,
    isLink: tag === "A" || role === "link" || (parent?.isLink ?? false),
    kind: ranked(kind ?? ROLES[role] ?? (isHtml(element) ? (KINDS[tag] ?? null) : null), parent?.kind ?? null),
    blocks: 0,
    chars: 0,
    linked: 0,
    prose: 0,
    hasTitle: false,
    isOpen: true,
  };
}

function ranked(own: BlockKind | null, outer: BlockKind | null): BlockKind | null {
  if (!own || !outer) return own ?? outer;
  return RANK.indexOf(own) < RANK.indexOf(outer) ? own : outer;
}

type Sums = Pick<Container, "blocks" | "chars" | "linked" | "prose" | "hasTitle">;

function sum(to: Container, { blocks, chars, linked, prose, hasTitle }: Sums): void {
  to.blocks += blocks;
  to.chars += chars;
  to.linked += linked;
  to.prose += prose;
  to.hasTitle ||= hasTitle;
}

/** Adds a block to its container. An inline element may be closed before the block that ends with it. */
export function count(container: Container, sums: Sums): void {
  for (let at: Container | null = container; at; at = at.parent) {
    sum(at, sums);
    if (at.isOpen) return;
  }
}

/** Adds the sums of a container that is complete to those of its parent. */
export function close(container: Container): void {
  container.isOpen = false;
  if (container.parent) sum(container.parent, container);
}

/** The innermost element around a container, or itself, that begins a line of its own. */
export function lineBoxOf(container: Container): Container {
  let at = container;
  while (!at.isBlock && at.parent) at = at.parent;
  return at;
}

/** The innermost element that begins a line of its own around another. */
export const outerOf = ({ parent }: Container): Container | null => parent && lineBoxOf(parent);

/** True for `outer` and for what is in it. */
export function isWithin(container: Container, outer: Container): boolean {
  for (let at: Container | null = container; at && at.depth >= outer.depth; at = at.parent)
    if (at === outer) return true;
  return false;
}

/** True in any of these. */
export function isInOne(container: Container, outer: ReadonlySet<Container>): boolean {
  for (let at: Container | null = container; at; at = at.parent) if (outer.has(at)) return true;
  return false;
}

/** The innermost container around both. */
export function common(a: Container, b: Container): Container {
  let [one, other] = [a, b];
  while (one !== other) {
    if (one.depth >= other.depth && one.parent) one = one.parent;
    else if (other.parent) other = other.parent;
    else return one;
  }
  return one;
}
