// Comments under an article: parts of the page that their names or headings call so, where the rest of it is a text of its own.
import type { Container } from "../blocks/containers.js";
import type { LiveBlock } from "../blocks/draft.js";
import { attributeOf, localNameOf } from "../own.js";
import { Pace } from "../walk.js";
import { levelOf } from "./outline.js";
import { Lines } from "./lines.js";
import type { Vote } from "./vote.js";

/** Words in the names of what holds comments, in the languages of its makers. */
const WORDS = new Set(
  "comment comments commentlist commentarea commentsection commentthread commentbox usercomments disqus talkback kommentar kommentare leserkommentare commentaire commentaires comentario comentarios comentários commento commenti reacties kommentarer komentarze komentarz komentare yorumlar".split(
    " ",
  ),
);
/** What says whether there may be comments. */
const STATE = /^(?:open|closed|enabled|disabled|off|no|has|with|without|count|counter|number|link|links|icon)$/;
const REVIEWS = /^(?:reviews?|ratings?|rezension(?:en)?|reseñas?|avis)$/;
const WHOLE = /^(?:HTML|BODY|MAIN)$/;
const NAMES_CHARS_MAX = 300;
/** Without them, so much text must be left for the page to be an article. */
const PROSE_CHARS_MIN = 500;
const TEXT_CHARS_MIN = 900;
/** A part with more of what Readability took is the article. */
const VOTED_SHARE_MAX = 0.5;

/** The blocks of comments; none where they are what the page is for, as in a forum. */
export async function commentsOf(blocks: readonly LiveBlock[], vote: Vote): Promise<ReadonlySet<LiveBlock>> {
  const parts = new Parts();
  const pace = new Pace();
  const found = new Set<LiveBlock>();
  // A heading of comments holds up to the next one of its level.
  let level = 0;
  for (const block of blocks) {
    const own = block.kind === "heading" ? levelOf(block) : 0;
    if (own > 0 && own <= level) level = 0;
    if (own > 1 && Lines.section(block.text) === "comments") level = own;
    if (level > 0 || parts.holds(block.container) || Lines.opensComments(block.text)) found.add(block);
    if (pace.isDue) await pace.pause();
  }
  return areApart(blocks, found, vote) ? found : new Set();
}

/** Whether the rest of the page is a text, and Readability did not take the comments for it. */
function areApart(blocks: readonly LiveBlock[], found: ReadonlySet<LiveBlock>, vote: Vote): boolean {
  let [prose, text, voted, votedThere] = [0, 0, 0, 0];
  let isSaid = false;
  for (const block of blocks) {
    if (block.isControl) continue;
    const isThere = found.has(block);
    const chars = block.text.length * (vote?.(block) ?? 0);
    voted += chars;
    if (isThere) {
      votedThere += chars;
      isSaid ||= block.isProse;
    } else if (block.kind !== "heading") {
      if (block.isProse) prose += block.text.length;
      text += block.text.length * (1 - block.linked);
    }
  }
  return isSaid && (prose >= PROSE_CHARS_MIN || text >= TEXT_CHARS_MIN) && votedThere <= voted * VOTED_SHARE_MAX;
}

/** An element with a name of its own may hold boxes and be none. */
const isPart = ({ isBlock, element }: Container): boolean => isBlock || localNameOf(element).includes("-");

type Named = "comments" | "reviews" | null;

/** Elements that are named after comments, each looked at once. */
class Parts {
  readonly #known = new Map<Container, Named>();

  /** True in an element that is named so, unless it holds the page's title or reviews: those are what a page of a product is for. */
  holds(container: Container): boolean {
    const chain: Container[] = [];
    let named: Named = null;
    for (let at: Container | null = container; at; at = at.parent) {
      const known = this.#known.get(at);
      if (known !== undefined) {
        named = known;
        break;
      }
      chain.push(at);
    }
    for (const one of chain.reverse()) {
      if (named !== "reviews" && isPart(one) && !one.hasTitle && !WHOLE.test(one.tag))
        named = namedSo(one.element) ?? named;
      this.#known.set(one, named);
    }
    return named === "comments";
  }
}

function namedSo(element: Element): Named {
  const type = /(?:^|\/)(?:User)?(Comment|Review)s?$/.exec(attributeOf(element, "itemtype") ?? "")?.[1];
  if (type) return type === "Comment" ? "comments" : "reviews";
  const names = ["class", "id", "data-testid", "itemprop", "aria-label"].map(
    (name) => attributeOf(element, name) ?? "",
  );
  let found: Named = null;
  for (const name of [localNameOf(element), ...names].flatMap((some) => some.slice(0, NAMES_CHARS_MAX).split(/\s+/))) {
    const words = name
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[^\p{L}]+/u);
    if (words.some((word) => REVIEWS.test(word))) return "reviews";
    if (words.some((word) => WORDS.has(word)) && !words.some((word) => STATE.test(word))) found = "comments";
  }
  return found;
}
