// What characters of a PDF stand for.
import { seen } from "../../../text/seen.js";

/** Ligatures, and letters in the shape that they have inside an Arabic word: fonts name them by code points of their own. */
const SHAPES = /[\uFB00-\uFB4F\uFB50-\uFDFF\uFE70-\uFEFC]/g;

/** Text as it would be typed. */
export const normalize = (text: string): string =>
  seen(text.replace(SHAPES, (one) => one.normalize("NFKC")).replace(/\s+/g, " "));

/** What a font gives letters that it cannot name: the replacement character, and code points for private use. */
const NAMELESS = /[\uFFFD\uE000-\uF8FF]|\uDB80[\uDC00-\uDFFF]/g;
/** Fewer are bullets and signs. */
const NAMELESS_MIN = 3;

/** True where most letters are no characters. */
export function isGarbled(text: string): boolean {
  const count = text.match(NAMELESS)?.length ?? 0;
  return count >= NAMELESS_MIN && count * 2 > text.replace(/\s/g, "").length;
}

/** Letters one by one with a space between them, and words with more than one: what is set with space between its letters. */
const SPACED = /^\s*(?:[\p{L}\p{N}&.,:'’-] +){2,}[\p{L}\p{N}&.,:'’-]\s*$/u;
/** So many of them, or so many capitals, are no list of letters. */
const [SPACED_MIN, SPACED_CAPITALS_MIN] = [6, 3];

/** The text without the spaces between its letters. `isSpaced`: the text beside it is set so. */
export function closeUp(text: string, isSpaced: boolean): string {
  if (!SPACED.test(text)) return text;
  const letters = text.match(/\p{L}/gu) ?? [];
  const isCapital = letters.every((one) => /\p{Lu}/u.test(one));
  if (!isSpaced && letters.length < SPACED_MIN && !(isCapital && letters.length > SPACED_CAPITALS_MIN)) return text;
  return text.replace(/(\S) (?=\S)/g, "$1").replace(/ {2,}/g, " ");
}

/** Scripts that are written without spaces. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u;

/** True where nothing belongs between two lines that end and begin so. */
export const joinsTightly = (end: string, start: string): boolean =>
  UNSPACED.test(end.slice(-1)) && UNSPACED.test(start.slice(0, 1));

/** A hyphen at the end of a line, after a letter. */
export const HYPHEN_END = /(?<=\p{L})[-\u2010\u00AD]$/u;

/** What a search compares: letters and digits only, since lines are joined and hyphens are dropped. */
export const bare = (text: string): string => [...text].map(bareCharacter).join("");

/** The same of one code point: none, one or several characters. */
export const bareCharacter = (one: string): string =>
  one
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Words of a text; every character of an unspaced script counts as one. */
export const countWords = (text: string): number =>
  (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu) ?? [])
    .length;
