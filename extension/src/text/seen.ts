// A text without what nobody sees of it: what a program judges must be what a reader's eye reads.

/** Controls, marks that override the direction, spaces without width, tags, characters that stand for missing ones. */
const NEVER =
  "\\0-\\x08\\v\\f\\x0E-\\x1F\\x7F-\\x9F\\u00AD\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u2028-\\u202E\\u2060-\\u206F\\u3164" +
  "\\uFEFF\\uFFA0\\uFFF0-\\uFFFF\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E00FF}\\u{E01F0}-\\u{E0FFF}\\p{Cs}";
const RTL = "[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}]";

/** Where a variation selector or a mark of direction changes nothing that anybody sees. */
const IDLE = [
  "(?<!\\p{Script=Mongolian})[\\u180B-\\u180D\\u180F]",
  "(?<![\\p{Extended_Pictographic}0-9#*])[\\uFE0E\\uFE0F]",
  "(?<!\\p{Script=Han})[\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]",
  `(?<!${RTL}[^\\p{Alphabetic}\\p{N}\\s]{0,2})[\\u061C\\u200E\\u200F](?!${RTL})`,
].join("|");

/** Matches one character that nobody sees, at `lastIndex`. Joiners are judged by what stands before them: `JOINS`. */
export const unseenAt = (): RegExp => new RegExp(`[${NEVER}]|${IDLE}`, "uy");

/** Joiners: part of the spelling in some scripts and of emoji, hidden marks elsewhere. */
export const JOINER = /[\u200C\u200D]/;
/** What a text ends with where a joiner belongs to its spelling. */
export const JOINS =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Script=Syriac}\p{Extended_Pictographic}\p{M}\p{Emoji_Modifier}]$/u;

/** The flags of England, Scotland and Wales are a black one with tags. */
const FLAG =
  "\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}";
export const flagAt = (): RegExp => new RegExp(FLAG, "uy");

const ANY = new RegExp(`(${FLAG})|[${NEVER}]|${IDLE}|(?<!${JOINS.source.slice(0, -1)})[\\u200C\\u200D]`, "gu");
/** The isolates that our own sentences put around names; they reach no further than their end. */
const ISOLATES = /[\u2068\u2069]/;

/** A text from outside as it is seen; ends of lines and tabs stay. */
export const seen = (text: string): string => text.replace(ANY, "$1");

/** A text on its way to the screen, which may be a sentence of ours with a name in isolates. */
export const shown = (text: string): string =>
  text.replace(ANY, (one, flag?: string) => flag ?? (ISOLATES.test(one) ? one : ""));

/** Longest name of a model, a server or a file on the screen. */
const NAME_CHARS_MAX = 80;

/** A name, cut where it is longer than any that is read. */
export function shortName(name: string): string {
  const chars = [...seen(name)];
  return chars.length > NAME_CHARS_MAX ? `${chars.slice(0, NAME_CHARS_MAX).join("").trimEnd()}…` : chars.join("");
}
