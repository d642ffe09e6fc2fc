// What a text looks like, in any script.

/** A word; scripts that do not part words with spaces count by character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’.](?=[\p{L}\p{N}]))*/gu;
/** The end of a sentence, with what may close it. */
const SENTENCE_END = /[.!?…。！？．؟۔।॥:：]["'”’»)\]）」』]*$/u;
/** The end of a sentence, and the beginning of another. */
const SENTENCE_INSIDE = /[\p{Ll}\d)"'”’»][.!?…]\s+["“‘«¿¡(]?\p{Lu}|[。！？؟۔।॥]\s*\p{L}/u;
const PROSE_WORDS_MIN = 10;
/** Of a text set line by line: characters that are looked at, and what makes it prose. */
const SAMPLE_CHARS = 20_000;
const PLAIN_CHARS_MIN = 600;
const LETTERS_MIN = 0.8;
const LINE_WORDS_MIN = 6;

export const wordsIn = (text: string): string[] => text.match(WORD) ?? [];
export const countWords = (text: string): number => wordsIn(text).length;
export const endsSentence = (text: string): boolean => SENTENCE_END.test(text);

/** True for texts in sentences. */
export const isProse = (text: string): boolean =>
  (endsSentence(text) || SENTENCE_INSIDE.test(text)) && countWords(text.slice(0, 400)) >= PROSE_WORDS_MIN;

/** A letter: lines that quote another one, or the line before a signature. */
const LETTER_LINE = /^(?:>+ ?[^\s>]|-- ?$)/m;
const SIGNATURE_ALONE = /^\s*-- ?\r?\n[\s\S]{0,800}$/;
const LETTER_CHARS_MIN = 80;
const LETTER_LETTERS_MIN = 0.7;
const LETTER_LINE_WORDS_MIN = 3;

/** True where a `pre` holds a letter, which may be short, or the signature of one. */
export function readsAsLetter(raw: string): boolean {
  if (SIGNATURE_ALONE.test(raw)) return true;
  const text = raw.slice(0, SAMPLE_CHARS);
  if (text.length < LETTER_CHARS_MIN || !LETTER_LINE.test(text)) return false;
  const own = text.split("\n").filter((line) => /^[^>\s]/.test(line));
  return own.length > 0 && isInSentences(text, LETTER_LETTERS_MIN, LETTER_LINE_WORDS_MIN);
}

/** True where a `pre` holds prose in lines, such as a letter or a standard, and no code. */
export function readsAsText(raw: string): boolean {
  const text = raw.slice(0, SAMPLE_CHARS);
  if (text.length < PLAIN_CHARS_MIN || !/\n[^\S\n]*\n/.test(text)) return false;
  return isInSentences(text, LETTERS_MIN, LINE_WORDS_MIN);
}

function isInSentences(text: string, lettersMin: number, lineWordsMin: number): boolean {
  const lines = text.split("\n").filter((line) => /\S/.test(line));
  const letters = text.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  const endings = text.match(/[\p{L}\d)"'][.!?。！？؟।](?=\s|$)/gu)?.length ?? 0;
  return (
    letters / text.length >= lettersMin &&
    countWords(text) / lines.length >= lineWordsMin &&
    endings * 12 >= lines.length
  );
}
