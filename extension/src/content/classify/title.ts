// The line that is the page's title, where no heading is.
import type { LiveBlock } from "../blocks/draft.js";
import { wordsIn } from "../blocks/text.js";

const WORDS_MIN = 2;
const WORDS_MAX = 40;
/** Of a line's words, so many stand in the document's title, and of a part of that title so many in the line. */
const [SHARED_MIN, COVERED_MIN] = [0.8, 0.6];
const PARTS = /\s*[|｜]\s*|\s+[–—·•»›«-]+\s+|[:：]\s*/u;

const lower = (text: string): string[] => wordsIn(text.toLocaleLowerCase());

/** The place of the block that says what the document's title says: of several the largest, then the last; -1 where there is none. */
export function titleLine(blocks: readonly LiveBlock[], title: string): number {
  const whole = new Set(lower(title));
  const parts = [title, ...title.split(PARTS)].map(lower).filter(({ length }) => length >= WORDS_MIN);
  let found = -1;
  for (const [at, { text, words, linked, isControl, kind, size }] of blocks.entries()) {
    if (isControl || linked >= 0.5 || words < WORDS_MIN || words > WORDS_MAX || kind === "table") continue;
    const own = lower(text);
    const shared = own.filter((word) => whole.has(word)).length;
    if (shared < own.length * SHARED_MIN) continue;
    const ownWords = new Set(own);
    const isCovered = parts.some(
      (part) => part.filter((word) => ownWords.has(word)).length >= part.length * COVERED_MIN,
    );
    if (isCovered && size >= (blocks[found]?.size ?? 0)) found = at;
  }
  return found;
}
