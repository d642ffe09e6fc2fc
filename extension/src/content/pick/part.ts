// The part of the page that the reader chose to read, in place of the whole.
import type { LiveBlock } from "../blocks/draft.js";
import { clean } from "../clean.js";
import { isUnread } from "../furniture.js";
import { childNodesOf, frameElementOf, frameIn, isElement, isShadowRoot, isText, nodeParentOf, tagOf } from "../own.js";

const LABEL_CHARS_MAX = 80;
/** Text that is looked at for a label. */
const LOOKED_CHARS_MAX = 2_000;
const NODES_MAX = 2_000;
/** Nodes above a text: a bound for hostile pages. */
const DEPTH_MAX = 10_000;

let part: Element | null = null;

/** The chosen part; null is the whole page. */
export const chosenPart = (): Element | null => part;

export function choosePart(element: Element | null): void {
  part = element;
}

/** From the next reading on, the whole page. */
export const readWhole = (): void => choosePart(null);

/** An element by its first words. */
export function labelOf(element: Element): string {
  const text = clean(firstTextOf(element));
  if (text.length <= LABEL_CHARS_MAX) return text || tagOf(element).toLowerCase();
  const cut = text.slice(0, LABEL_CHARS_MAX);
  const words = cut.slice(0, Math.max(cut.lastIndexOf(" "), LABEL_CHARS_MAX / 2));
  return `${words.replace(/[\s.,;:!?]+$/, "")}…`;
}

/** The first texts in an element, parted by spaces. */
function firstTextOf(element: Element): string {
  let text = "";
  const open: Node[] = [element];
  for (let count = 0; count < NODES_MAX && text.length < LOOKED_CHARS_MAX; count++) {
    const node = open.pop();
    if (!node) break;
    if (isText(node)) text += ` ${node.data.slice(0, LOOKED_CHARS_MAX)}`;
    else if (!isElement(node) || !isUnread(node)) {
      const frame = isElement(node) ? frameIn(node) : null;
      open.push(...(frame ? [frame.root] : [...childNodesOf(node)].slice(0, NODES_MAX).reverse()));
    }
  }
  return text;
}

/** The parent as it is shown: roots stand in their hosts, documents in their frames. */
export function shownParentOf(node: Node): Node | null {
  const parent = nodeParentOf(node);
  if (!parent) return null;
  if (isShadowRoot(parent)) return parent.host;
  return isElement(parent) ? parent : frameElementOf(node);
}

/** True for the element itself and for all that is shown in it. */
export function isShownIn(element: Element, node: Node): boolean {
  let at: Node | null = node;
  for (let depth = 0; at && at !== element && depth < DEPTH_MAX; depth++) at = shownParentOf(at);
  return at === element;
}

/** The blocks of which some text stands in an element. */
export function blocksIn(element: Element, blocks: readonly LiveBlock[]): LiveBlock[] {
  const known = new Map<Node, boolean>([[element, true]]);
  const isWithin = (text: Node): boolean => {
    const path: Node[] = [];
    let answer = false;
    for (let at: Node | null = text; at && path.length < DEPTH_MAX; at = shownParentOf(at)) {
      const told = known.get(at);
      if (told !== undefined) {
        answer = told;
        break;
      }
      path.push(at);
    }
    for (const node of path) known.set(node, answer);
    return answer;
  };
  return blocks.filter(({ nodes }) => [...new Set(nodes)].some((node) => node && isWithin(node)));
}
