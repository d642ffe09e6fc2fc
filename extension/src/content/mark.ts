// Shows a passage on the page: scrolls to it and marks it, until Escape or the next one.
import type { Source } from "../wire.js";
import { locate } from "./locate.js";

/** The name in the style sheet that comes with this script. */
const NAME = "pith-passage";

let unmark: (() => void) | null = null;

/** True when the passage was found and marked. */
export async function show(source: Source): Promise<boolean> {
  clear();
  const range = await locate(source);
  if (!range) return false;
  scrollTo(range);
  const removeMark = "highlights" in CSS ? highlight(range) : wrap(range);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") clear();
  };
  addEventListener("keydown", onKey, true);
  unmark = () => {
    removeEventListener("keydown", onKey, true);
    removeMark();
  };
  return true;
}

/** Takes the mark away. */
export function clear(): void {
  unmark?.();
  unmark = null;
}

function highlight(range: Range): () => void {
  CSS.highlights.set(NAME, new Highlight(range));
  return () => void CSS.highlights.delete(NAME);
}

/** For browsers without highlights: each piece of text gets an element around it. */
function wrap(range: Range): () => void {
  const marks = textsIn(range).map(({ node, start, end }) => {
    const piece = document.createRange();
    piece.setStart(node, start);
    piece.setEnd(node, end);
    const mark = document.createElement("mark");
    mark.className = NAME;
    piece.surroundContents(mark);
    return mark;
  });
  return () => {
    for (const mark of marks) {
      const parent = mark.parentNode;
      mark.replaceWith(...mark.childNodes);
      // Joins the pieces into the node that was there before, so that remembered places stay true.
      parent?.normalize();
    }
  };
}

function textsIn(range: Range): { node: Text; start: number; end: number }[] {
  const root = range.commonAncestorContainer;
  if (root instanceof Text) return [{ node: root, start: range.startOffset, end: range.endOffset }];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: { node: Text; start: number; end: number }[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (!range.intersectsNode(node)) continue;
    const start = node === range.startContainer ? range.startOffset : 0;
    const end = node === range.endContainer ? range.endOffset : node.length;
    if (end > start) found.push({ node, start, end });
  }
  return found;
}

function scrollTo(range: Range): void {
  const element = range.startContainer.parentElement;
  if (!element) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  const tall = element.getBoundingClientRect().height > innerHeight * 0.8;
  if (!tall) {
    element.scrollIntoView({ block: "center", behavior });
    return;
  }
  // The middle of a long paragraph need not be the passage: bring the paragraph in, then go on to it.
  element.scrollIntoView({ block: "start", behavior: "instant" });
  scrollerOf(element).scrollBy({ top: range.getBoundingClientRect().top - innerHeight / 3, behavior });
}

function scrollerOf(element: Element): Element {
  for (let one = element.parentElement; one; one = one.parentElement) {
    if (one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  }
  return document.scrollingElement ?? document.documentElement;
}
