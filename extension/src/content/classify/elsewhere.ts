// What a page shows beside its article and is about other things: streams of teasers, live feeds, galleries of other news.
import { type Container, isInOne } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import type { Vote } from "./vote.js";

/** Prose of an article that Readability took, which is no teaser. */
const ARTICLE_CHARS_MIN = 700;
const VOTED_MIN = 0.5;
const ITEMS_MIN = 3;
/** The heading of a slide: "3/50 A title". */
const SLIDE = /^\p{N}{1,3}\s?\/\s?\p{N}{1,3}(?!\p{N})/u;

export interface Elsewhere {
  /** The page has an article of its own, beside what else it lists. */
  readonly hasArticle: boolean;
  /** True for a block that Readability left out, in something that is about other things. */
  readonly holds: (block: LiveBlock) => boolean;
}

/** `teasers`: for each block, whether its heading is a link to another page; `heads`: those headings. */
export function elsewhereOf(
  blocks: readonly LiveBlock[],
  teasers: readonly boolean[],
  heads: ReadonlySet<LiveBlock>,
  vote: Vote,
): Elsewhere {
  const slides = blocks.filter(({ kind, text }) => kind === "heading" && SLIDE.test(text));
  const boxes = new Set([...itemsOf([...heads]), ...itemsOf(slides), ...asidesOf(blocks)]);
  if (boxes.size === 0) return { hasArticle: false, holds: () => false };
  // Without a vote all prose outside of such things is the article.
  const isTaken = (block: LiveBlock): boolean =>
    vote ? vote(block) >= VOTED_MIN : block.isProse && !isInOne(block.container, boxes);
  let article = 0;
  for (const [at, block] of blocks.entries()) {
    if (!isTaken(block)) continue;
    for (let one: Container | null = block.container; one; one = one.parent) boxes.delete(one);
    if (block.isProse && block.kind === "paragraph" && !teasers[at]) article += block.text.length;
  }
  const hasArticle = article >= ARTICLE_CHARS_MIN;
  return { hasArticle, holds: ({ container }) => hasArticle && isInOne(container, boxes) };
}

function asidesOf(blocks: readonly LiveBlock[]): Set<Container> {
  const found = new Set<Container>();
  for (const { container } of blocks)
    for (let at: Container | null = container; at; at = at.parent) if (isAside(at)) found.add(at);
  return found;
}

/** What stands aside and is as long as an article; less is judged as a part of the page. */
const isAside = ({ tag, role, prose }: Container): boolean =>
  (tag === "ASIDE" || role === "complementary") && prose >= ARTICLE_CHARS_MIN;

/** The elements around one heading each, of which an element holds several. */
function itemsOf(heads: readonly LiveBlock[]): Container[] {
  const counts = new Map<Container, number>();
  for (const { container } of heads)
    for (let at: Container | null = container; at; at = at.parent) counts.set(at, (counts.get(at) ?? 0) + 1);
  const items = new Map<Container, Container[]>();
  for (const { container } of heads) {
    let item = container;
    if (counts.get(item) !== 1) continue;
    while (item.parent && counts.get(item.parent) === 1) item = item.parent;
    if (!item.parent) continue;
    const known = items.get(item.parent);
    if (known) known.push(item);
    else items.set(item.parent, [item]);
  }
  return [...items.values()].filter(({ length }) => length >= ITEMS_MIN).flat();
}
