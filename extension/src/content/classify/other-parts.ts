// Parts that look like text and are not this page's: what the site says under a heading of its own, and further articles below the first.
import { type Container, isInOne } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { endsSentence, wordsIn } from "../blocks/text.js";
import { attributeOf } from "../own.js";
import type { Judged } from "./judged.js";
import { levelOf } from "./outline.js";

const SITE_TALK_MIN = 0.5;
/** A longer text under such a heading, or a sentence, is about something. */
const TALK_WORDS_MAX = 8;
const ARTICLES_MAX = 50;
const ARTICLE_NAME = /article|post|story|entry/i;

/** What stands under a heading by which the site speaks of itself goes with that heading. */
export function leaveOutUnderHeadings(judged: readonly Judged[]): void {
  for (const [at, heading] of judged.entries()) {
    if (heading.block.kind !== "heading") continue;
    const under = judged.slice(at + 1, endOf(judged, at));
    const isTalk = (heading.features.siteTalk ?? 0) >= SITE_TALK_MIN && !under.some(isText);
    if (isTalk) for (const one of under) one.isRead = false;
  }
}

/** Up to the next heading. */
function endOf(judged: readonly Judged[], from: number): number {
  let at = from + 1;
  while (judged[at] && judged[at]!.block.kind !== "heading") at++;
  return at;
}

const isText = ({ block, isRead }: Judged): boolean =>
  isRead && (block.words > TALK_WORDS_MAX || endsSentence(block.text));

/** Where the page is named after one of its articles, others like it are further ones, as a site adds them while one scrolls. */
export function leaveOutArticles(judged: readonly Judged[], pageTitle: string): void {
  const headings = judged.filter(({ block }) => block.kind === "heading" && levelOf(block) === 1);
  const own = headings.filter(({ block }) => isNamed(block, pageTitle));
  const [first, ...more] = own;
  if (!first || more.length > 0) return;
  const others = new Set<Container>();
  for (const { block } of headings.slice(0, ARTICLES_MAX)) {
    const other = block === first.block ? null : articleLike(first.block.container, block.container);
    if (other) others.add(other);
  }
  if (others.size === 0) return;
  for (const one of judged) if (isInOne(one.block.container, others)) one.isRead = false;
}

/** The page's title has all of its words. */
function isNamed({ text }: LiveBlock, title: string): boolean {
  const here = new Set(wordsIn(title.toLowerCase()));
  const words = wordsIn(text.toLowerCase());
  return words.length > 0 && words.every((word) => here.has(word));
}

/** The part that holds `other`, where it is one of the same kind as that which holds `own`. */
function articleLike(own: Container, other: Container): Container | null {
  let [a, b] = [own, other];
  while (a.parent !== b.parent) {
    if (a.depth >= b.depth && a.parent) a = a.parent;
    else if (b.parent) b = b.parent;
    else return null;
  }
  if (a === b || a.tag !== b.tag || a.tag === "H1") return null;
  if (a.tag === "ARTICLE") return b;
  const names = attributeOf(a.element, "class") ?? "";
  return names === attributeOf(b.element, "class") && ARTICLE_NAME.test(names) ? b : null;
}
