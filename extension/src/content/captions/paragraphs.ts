// Cues become paragraphs: what rolls over the screen twice is taken once, sentences go on from cue to cue.
import { clean } from "../clean.js";
import { linesOf } from "./cue-text.js";

/** A cue as the browser gives it; times in seconds. */
export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Paragraph {
  text: string;
  /** Null where nobody is named. */
  readonly speaker: string | null;
  /** From which place in the text on, which second. */
  readonly times: [offset: number, seconds: number][];
}

/** A pause that ends a paragraph, where a sentence ends before it, and where none does. */
const [PAUSE_S, LONG_PAUSE_S] = [3, 10];
/** Characters of a paragraph: from where on it ends with a sentence, and where it ends at a cue. */
const [PARAGRAPH_CHARS, PARAGRAPH_CHARS_MAX] = [500, 1_000];
/** Words of which a repetition is looked for, and pause after which nothing is one. */
const ROLLED_WORDS_MAX = 60;
const ROLLED_PAUSE_S = 2;
const SENTENCE_END = /[.!?…。！？．؟۔।॥]["'”’»)\]）」』]*$/u;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}、。，！？「」『』（）・]/u;

/** Collects cues in the order of their times. */
export class Paragraphs {
  readonly all: Paragraph[] = [];
  #open: Paragraph | null = null;
  #end = 0;
  /** The last words that were taken, and those of the last line, for comparison. */
  #recent: string[] = [];
  #last: readonly string[] = [];
  chars = 0;

  add({ start, end, text }: Cue): void {
    const pause = start - this.#end;
    if (pause > ROLLED_PAUSE_S) [this.#recent, this.#last] = [[], []];
    for (const line of linesOf(text)) {
      const fresh = clean(this.#unrolled(line.text));
      if (fresh) this.#take(fresh, line.speaker, start, pause);
    }
    this.#end = Math.max(this.#end, end);
  }

  #take(text: string, speaker: string | null | undefined, start: number, pause: number): void {
    const open = this.#open;
    const isEnded = !open || SENTENCE_END.test(open.text);
    const isOther = open !== null && speaker !== undefined && (speaker === null || speaker !== open.speaker);
    const isLong = open !== null && open.text.length > (isEnded ? PARAGRAPH_CHARS : PARAGRAPH_CHARS_MAX);
    if (!open || isOther || isLong || pause > (isEnded ? PAUSE_S : LONG_PAUSE_S)) {
      // A voice that the next cue does not name goes on, but for those of a dialogue.
      const voice = speaker === undefined ? (open?.speaker ?? null) : speaker;
      this.#open = { text, speaker: voice, times: [[0, start]] };
      this.all.push(this.#open);
    } else {
      const glue = UNSPACED.test(open.text.slice(-1)) && UNSPACED.test(text.charAt(0)) ? "" : " ";
      open.times.push([open.text.length + glue.length, start]);
      open.text += glue + text;
    }
    this.chars += text.length;
  }

  /** The part of a line that was not said just before. */
  #unrolled(line: string): string {
    const words = line.split(/\s+/).filter(Boolean);
    const keys = words.map(keyOf);
    const recent = this.#recent;
    // A line that grows word by word begins with all that it was before.
    const last = this.#last;
    let repeated = keys.length > last.length && last.every((key, at) => key === keys[at]) ? last.length : 0;
    this.#last = keys;
    for (let count = Math.min(keys.length, recent.length); count >= 1 && repeated === 0; count--) {
      // A single word may well be said twice, unless it is the whole line and long.
      if (count === 1 && (keys.length > 1 || (keys[0]?.length ?? 0) < 4)) break;
      const from = recent.length - count;
      if (keys.slice(0, count).every((key, at) => key === recent[from + at])) repeated = count;
    }
    // The whole line again, a line later.
    if (repeated === 0 && keys.length > 2 && ` ${recent.join(" ")} `.includes(` ${keys.join(" ")} `)) return "";
    this.#recent = [...recent, ...keys.slice(repeated)].slice(-ROLLED_WORDS_MAX);
    return words.slice(repeated).join(" ");
  }
}

const keyOf = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "") || word;
