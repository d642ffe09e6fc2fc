// The lines of a letter in plain text: what it quotes, and the signature that ends it.

/** A line without its signs of quotation. */
export interface Line {
  readonly start: number;
  readonly end: number;
  /** It is quoted and the one before is not, or the other way round. */
  readonly isOther: boolean;
}

const QUOTE = /^[^\S\n]*(?:>[^\S\n]?)+/;
const SIGNATURE = /^-- ?\r?\n?$/;
/** A longer text under such a line is no signature. */
const SIGNATURE_CHARS_MAX = 1_000;

export class Letter {
  isQuoted = false;
  #isEnded = false;
  /** What comes next begins a line. */
  #isAtStart = true;

  /** The lines of the next part of the text; `left`: its characters from there to the end. A signature has none. */
  *linesOf(part: string, left: number): Generator<Line> {
    for (let start = 0; start < part.length && !this.#isEnded;) {
      const found = part.indexOf("\n", start);
      const end = found < 0 ? part.length : found + 1;
      const line = part.slice(start, end);
      const mark = this.#isAtStart ? (QUOTE.exec(line)?.[0].length ?? 0) : 0;
      const isQuoted = this.#isAtStart && line.trim() ? mark > 0 : this.isQuoted;
      this.#isEnded = this.#isAtStart && SIGNATURE.test(line) && left - start <= SIGNATURE_CHARS_MAX;
      this.#isAtStart = found >= 0;
      if (!this.#isEnded) yield { start: start + mark, end, isOther: isQuoted !== this.isQuoted };
      start = end;
    }
  }

  /** What comes next begins a line. */
  begin(): void {
    this.#isAtStart = true;
  }

  /** Goes over to what is quoted, or back. */
  turn(isOther: boolean): void {
    if (isOther) this.isQuoted = !this.isQuoted;
  }
}
