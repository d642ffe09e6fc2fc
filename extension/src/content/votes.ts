// How readers voted on the post that a block stands in, and whether it was accepted as the answer.
import type { Container } from "./blocks/containers.js";
import { attributeOf, findAllIn, textOf } from "./own.js";
import { countOf } from "./vote-count.js";

/** Elements that may count votes. Those of a page that has more are not looked at. */
const COUNTS = "[itemprop='upvoteCount'], [class*='vote'], [class*='score']";
const COUNTS_MAX = 2_000;
/** Levels above a block in which its post is looked for. */
const LEVELS_MAX = 8;
const ACCEPTED = /(?:^|[\s_-])accepted(?:[\s_-]|$)/i;

export interface Votes {
  votes?: number;
  accepted?: boolean;
}

/** Finds the votes of posts; made once for a page. */
export class VoteFinder {
  readonly #known = new Map<Container, number | "none" | "several">();
  readonly #hasAny: boolean;

  constructor(root: Element) {
    const { length } = findAllIn(root, COUNTS);
    this.#hasAny = length > 0 && length <= COUNTS_MAX;
  }

  /** Those of the smallest element around a block that has just one count. */
  of(block: Container): Votes {
    if (!this.#hasAny) return {};
    let at: Container | null = block;
    for (let level = 0; at && level < LEVELS_MAX; level++, at = at.parent) {
      const found = this.#in(at);
      if (found === "several") return {};
      if (found !== "none") return { votes: found, ...(isAccepted(at) && { accepted: true }) };
    }
    return {};
  }

  #in(container: Container): number | "none" | "several" {
    const known = this.#known.get(container);
    if (known !== undefined) return known;
    // A count is in several of these where one is around another.
    const counts = new Set<number>();
    for (const one of findAllIn(container.element, COUNTS)) {
      const count = countOf(textOf(one) ?? "");
      if (count !== null) counts.add(count);
      if (counts.size > 1) break;
    }
    const [first] = counts;
    const found = first === undefined ? "none" : counts.size > 1 ? "several" : first;
    this.#known.set(container, found);
    return found;
  }
}

/** Whether a post, or what is right around it, is marked as accepted. */
function isAccepted(post: Container): boolean {
  for (let at: Container | null = post, level = 0; at && level < 2; at = at.parent, level++) {
    if (attributeOf(at.element, "itemprop") === "acceptedAnswer") return true;
    if (ACCEPTED.test(attributeOf(at.element, "class") ?? "")) return true;
  }
  return false;
}
