// A model that repeats itself without end, as small ones do in languages that they hardly know.

/** The longest piece of text that is looked for, in UTF-16 units. */
const PIECE_CHARS_MAX = 240;
/** A piece has to stand so often at the end, and all of them have to be so long: a list or a refrain may repeat a few words. */
const TIMES = 4;
const CHARS_MIN = 64;

/** Where the repetitions begin that a text ends with, behind the first of them; null where it ends otherwise. */
export function loopStart(text: string): number | null {
  for (let piece = 1; piece <= PIECE_CHARS_MAX; piece++) {
    const chars = piece * Math.max(TIMES, Math.ceil(CHARS_MIN / piece));
    if (chars > text.length) continue;
    const start = text.length - chars;
    // Each unit is that which stands one piece before it.
    let at = text.length - 1;
    while (at >= start + piece && text[at] === text[at - piece]) at--;
    if (at >= start + piece) continue;
    // Earlier ones too.
    while (at >= piece && text[at] === text[at - piece]) at--;
    // What stands before the first one may end as it does: not in the middle of a sentence.
    const [sentence = ""] = /^.*?[.!?…。！？؟]+(\s|$)/su.exec(text.slice(at + 1, at + 1 + piece)) ?? [];
    return at + 1 + (sentence.length < piece ? sentence.length : 0);
  }
  return null;
}
