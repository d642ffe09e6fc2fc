// Finds the names of authors: short texts that the markup calls so, or that begin a line with a time.
import { common, type Container } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import type { Verdict } from "../classify/classify.js";
import type { Judged } from "../classify/judged.js";
import type { Lines } from "../classify/lines.js";
import { attributeOf, containsNode, parentOf, tagOf } from "../own.js";
import { Pace } from "../walk.js";
import { nameIn, senderIn, type Strength, strengthOf } from "./names.js";

/** A name that stands at a text. */
export interface Marker {
  readonly name: string;
  readonly strength: Strength;
  /** The number of its block among all blocks of the page, and the element around that block's text. */
  readonly at: number;
  readonly container: Container;
  /** The same for names that are set in the same way. */
  readonly kind: string;
  /** A time stands in its line. */
  readonly isDated: boolean;
}

/** Bounds for hostile pages. */
const MARKERS_MAX = 5_000;
const PARTS_MAX = 8;
const LEVELS_MAX = 4;
/** A line about a text is no longer; in a longer text a name can only stand at its beginning. */
const LINE_CHARS_MAX = 200;
const WRAPPER_CHARS_MAX = 90;
/** A time alone, or a name beside one, and the levels between them and the element around both. */
const TIME_CHARS_MAX = 60;
const BESIDE_LEVELS_MAX = 3;
const KIND_LEVELS = 3;
/** Elements that set a name apart from the rest of its line. */
const APART = /^(?:A|B|STRONG|CITE|BDI|SPAN|EM|H[2-6]|DT|TD|TH|LABEL|DIV)$/;
const CLOCK = /(?:^|[\s([])\d{1,2}:\d{2}(?::\d{2})?(?:[\s)\]]|$)/;
const PERSONAL = ["data-author", "data-username", "data-user", "data-user-id", "data-sender", "email"];

/** A piece of a block: the text in one element, as it is seen. */
interface Piece {
  readonly element: Element;
  readonly node: Node;
  text: string;
}

interface Found {
  readonly name: string;
  readonly strength: Strength;
  readonly piece: Piece;
}

/** An address of mail, as archives write it. */
const ADDRESS = /@|\sat\s/;

/** All names on the page, one for each block. */
export async function findMarkers({ judged, facts }: Verdict): Promise<Marker[]> {
  const pace = new Pace();
  const markers: Marker[] = [];
  for (const [at, { block, features }] of judged.entries()) {
    const isDated =
      (features.dated ?? 0) > 0 ||
      (block.text.length <= LINE_CHARS_MAX && CLOCK.test(block.text)) ||
      hasTimeBeside(judged, at);
    const marker = markerIn(block, at, isDated, facts.lines);
    if (marker && markers.push(marker) >= MARKERS_MAX) break;
    if (pace.isDue) await pace.pause();
  }
  return markers;
}

/** A time stands alone before or behind a short text, in the same part of the page. */
function hasTimeBeside(judged: readonly Judged[], at: number): boolean {
  const own = judged[at]?.block;
  if (!own || own.text.length > TIME_CHARS_MAX) return false;
  return [judged[at - 1], judged[at + 1]].some((beside) => {
    if (!beside || beside.block.text.length > TIME_CHARS_MAX) return false;
    const { container, text } = beside.block;
    const isTime = (beside.features.dated ?? 0) > 0 || (beside.features.line ?? 0) > 0 || CLOCK.test(text);
    return (
      isTime && /\d/.test(text) && common(container, own.container).depth >= own.container.depth - BESIDE_LEVELS_MAX
    );
  });
}

function markerIn(block: LiveBlock, at: number, isDated: boolean, lines: Lines): Marker | null {
  const { container, text } = block;
  const sender = senderIn(text);
  if (sender) return { name: sender, strength: 1, at, container, kind: kindOf(container.element, 1), isDated: true };
  const isLine = text.length <= LINE_CHARS_MAX;
  // In a paragraph somebody may be mentioned.
  const pieces = isLine && !(block.isProse && !isDated) ? piecesOf(block, PARTS_MAX) : piecesOf(block, 1);
  let best = null as Found | null;
  for (const [place, piece] of pieces.entries()) {
    const name = nameIn(piece.text);
    const strength = hintedAt(piece, pieces[place - 1], container);
    // The address of somebody whose name stands before it.
    if (!name && best && strength > best.strength && ADDRESS.test(piece.text)) best = { ...best, strength };
    if (!name || isTime(name) || lines.kind(name) || lines.isDated(name)) continue;
    const isWholeTitle = block.kind === "heading" && piece.text.length === text.length;
    const isFirst = !best && isDated && !isWholeTitle && APART.test(tagOf(piece.element)) && isLine;
    if (strength > (best?.strength ?? 0) || isFirst) best = { name, strength, piece };
  }
  if (!best) return null;
  const { name, strength, piece } = best;
  return { name, strength, at, container, kind: kindOf(piece.element, strength), isDated };
}

/** The beginning of a block, by the elements that its text stands in. */
function piecesOf({ text, nodes }: LiveBlock, most: number): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < Math.min(text.length, LINE_CHARS_MAX); at++) {
    const node = nodes[at];
    const last = pieces.at(-1);
    if (!node) break;
    if (node === last?.node) {
      last.text += text.charAt(at);
      continue;
    }
    const element = parentOf(node);
    if (pieces.length === most || !element) break;
    pieces.push({ element, node, text: text.charAt(at) });
  }
  return pieces;
}

/** What the elements around a piece say, as far as nothing stands before it in them. */
function hintedAt({ element, node }: Piece, before: Piece | undefined, container: Container): Strength {
  let best: Strength = 0;
  const top = wrapperOf(container);
  let at: Element | null = element;
  for (let level = 0; at && level < LEVELS_MAX; level++, at = parentOf(at)) {
    if (before && containsNode(at, before.node)) break;
    const strength = strengthOf({
      names: `${attributeOf(at, "class") ?? ""} ${attributeOf(at, "id") ?? ""} ${attributeOf(at, "data-testid") ?? ""}`,
      rel: attributeOf(at, "rel") ?? "",
      itemprop: attributeOf(at, "itemprop") ?? "",
      href: attributeOf(at, "href") ?? "",
      isPerson: at === element && PERSONAL.some((name) => attributeOf(at as Element, name) !== null),
    });
    if (strength > best) best = strength;
    if (at === top || !containsNode(top, node)) break;
  }
  return best;
}

/** The outermost element around a block that has hardly more text than it. */
function wrapperOf(container: Container): Element {
  let at = container;
  while (at.parent && at.parent.chars <= WRAPPER_CHARS_MAX && at.parent.chars > 0) at = at.parent;
  return at.element;
}

/** Tags and first classes of the elements around a name: numbers and states of posts are in further classes. */
function kindOf(element: Element, strength: Strength): string {
  const kinds: string[] = [String(Math.min(strength, 1))];
  for (let at: Element | null = element; at && kinds.length <= KIND_LEVELS; at = parentOf(at)) kinds.push(signOf(at));
  return kinds.join("<");
}

/** An element by its tag and its first class, without numbers. */
function signOf(element: Element): string {
  const [first = ""] = (attributeOf(element, "class") ?? "").trim().split(/\s+/, 1);
  return `${tagOf(element)}.${first.replace(/\d+/g, "")}`;
}

const isTime = (name: string): boolean => /\d/.test(name) && /^[\d\s:.,/-]*(?:[ap]m)?$/i.test(name);
