// Signs of Markdown within a line, which are no text: what they stand around is read without them.

/** A part of a line that is read, and where it begins in its text. */
export interface Kept {
  readonly text: string;
  readonly from: number;
}

/** In characters: bounds of what stands between two signs, for hostile files. */
const SPAN = ".{1,120}?";
/** Elements that Markdown takes from HTML. */
const TAGS =
  "a|abbr|b|big|blockquote|br|center|code|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|kbd|li|ol|p|picture|pre|s|small|source|span|strong|sub|summary|sup|table|t(?:able|body|head|[dhr])|u|ul|video";
/** Code and what is escaped are read as they are; what is struck out no longer holds. */
const SIGNS = new RegExp(
  [
    `(?<tick>\`{1,3})(?!\`)(?<code>${SPAN})(?<!\`)\\k<tick>(?!\`)`,
    "\\\\(?<escaped>[!-/:-@\\[-`{-~])",
    "<!--(?:(?!-->).)*(?:-->|\\s*$)",
    `~~(?=\\S)${SPAN}~~`,
    "\\[\\^[^\\]\\s]{1,40}\\]",
    "<(?<address>(?:https?://|mailto:)[^\\s<>]{1,300})>",
    `</?(?<tag>${TAGS})(?:\\s[^<>]{0,300})?/?>`,
    `(?<![\\p{L}\\p{N}_])(?<line>_{1,3})(?=[^\\s_])(?<stressed>${SPAN})(?<=[^\\s_])\\k<line>(?![\\p{L}\\p{N}_])`,
    // Strong and emphasized text, links, pictures, and the signs that close a heading.
    "\\*\\*|__|`|(?<![\\p{L}\\p{N}_*])\\*(?=\\S)|(?<=\\S)\\*(?![\\p{L}\\p{N}_*])",
    "!?\\[(?=!\\[|[^\\[\\]]{0,160}\\][(\\[])",
    '\\]\\([^()\\s]{0,200}(?:\\s"[^"]{0,160}")?\\)|\\]\\[[^\\[\\]]{0,60}\\]',
    "\\s#+\\s*$",
  ].join("|"),
  "giu",
);
/** Elements that part words. */
const PARTS = /^(?:br|div|dd|dt|h\d|hr|li|p|table|t[dhr])$/;

/** The parts of a line that are read. */
export function* withoutSigns(text: string, from = 0): Generator<Kept> {
  let at = 0;
  for (const { 0: sign, index, groups = {} } of text.matchAll(SIGNS)) {
    if (index > at) yield { text: text.slice(at, index), from: from + at };
    const { code, escaped, address, stressed, tag } = groups;
    const inner = code ?? escaped ?? address ?? stressed;
    const start = from + index + (inner === undefined ? 0 : sign.indexOf(inner, stressed || code ? 1 : 0));
    if (stressed !== undefined) yield* withoutSigns(stressed, start);
    else if (inner !== undefined) yield { text: inner, from: start };
    else if (tag && PARTS.test(tag)) yield { text: " ", from: start };
    at = index + sign.length;
  }
  if (at < text.length) yield { text: text.slice(at), from: from + at };
}
