// A number that stands alone, as beside a post.
/** Text of an element that counts votes: a number, arrows, a check mark. */
const TEXT_CHARS_MAX = 16;
const VOTES_MAX = 1_000_000;

/** The number of a text that has one and no words. */
export function countOf(text: string): number | null {
  const bare = text.trim();
  if (bare.length > TEXT_CHARS_MAX) return null;
  const found = /^[^\p{L}\d]*?([-−–]?)(\d{1,9})[^\p{L}\d]*$/u.exec(bare);
  if (!found) return null;
  const [, sign, digits] = found;
  return (sign ? -1 : 1) * Math.min(Number(digits), VOTES_MAX);
}
