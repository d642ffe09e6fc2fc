// What characters of a PDF stand for.

/** Ligatures, and letters in the shape that they have inside an Arabic word: fonts name them by code points of their own. */
const SHAPES = /[\uFB00-\uFB4F\uFB50-\uFDFF\uFE70-\uFEFC]/g;
/** Characters without a shape, and those of fonts that name none. */
// oxlint-disable-next-line no-control-regex
const NOTHING = /[\u0000-\u0008\u000E-\u001F\u200B\uFEFF\uFFFE\uFFFF]/g;

/** Text as it would be typed. */
export const normalize = (text: string): string =>
  text
    .replace(SHAPES, (one) => one.normalize("NFKC"))
    .replace(NOTHING, "")
    .replace(/\s+/g, " ");

/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u;

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
