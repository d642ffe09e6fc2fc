// What is on the page and is left out before anything is judged: struck out, closed, not shown yet, drawn, of another site.
import type { LeftOut, LeftOutKind } from "../wire.js";
import type { LiveBlock } from "./blocks/draft.js";
import type { Reading } from "./blocks/reading.js";
import { shortened } from "./classify/left-out.js";
import type { Sight } from "./sight/sight.js";

const TEXTS_MAX = 50;

/** `blocks`: all that were read, to find the words that head a closed section. */
export function unreadOf({ blocks, closed, elsewhere }: Reading, { unseen, unsure }: Sight): LeftOut[] {
  const struck = blocks.filter(({ isStruck }) => isStruck);
  const heads = new Map<Element, string>();
  for (const block of blocks)
    for (const element of openersOf(block)) if (!heads.has(element)) heads.set(element, block.text);
  const texts = closed.map(({ opener }) => heads.get(opener) ?? "").filter(Boolean);
  const found: [LeftOutKind, number, number, string[]][] = [
    ["struck", struck.length, sum(struck), struck.map(({ text }) => text.replaceAll("\t", " "))],
    ["formulas", elsewhere.formulas, 0, []],
    ["closed", closed.length, sum(closed), texts],
    ["unseen", unseen.count, unseen.words, []],
    ["unsure", unsure.count, unsure.words, []],
    ["drawings", elsewhere.drawings, elsewhere.words, []],
    ["foreignFrames", elsewhere.frames, 0, []],
  ];
  return found
    .filter(([, count]) => count > 0)
    .map(([kind, count, words, all]) => ({ kind, count, words, texts: all.slice(0, TEXTS_MAX).map(shortened) }));
}

const sum = (some: readonly { readonly words: number }[]): number => some.reduce((all, { words }) => all + words, 0);

/** The elements around a heading that may be what opens its section. */
function openersOf({ container, kind }: LiveBlock): Element[] {
  const found: Element[] = [];
  let at: LiveBlock["container"] | null = kind === "heading" ? container : null;
  for (let depth = 0; at && depth < 4; depth++, at = at.parent) found.push(at.element);
  return found;
}
