import { flagAt, JOINER, JOINS, unseenAt } from "../text/seen.js";

// Characters that no reader sees: they carry hidden text, or make equal words look different to a program.

const [UNSEEN, FLAG] = [unseenAt(), flagAt()];
const SPACE = /[\s\u0085]/;

/** Of code: an empty line stays, more do not; and what an indent is in spaces. */
const LINES_MAX = 2;
const [TAB, INDENT_MAX] = [4, 40];

/** Collects a block's text: white space collapsed, invisible characters left out, each kept unit knowing where it came from. */
export class Cleaner<T> {
  text = "";
  /** For each code unit of `text`: its origin, and the offset there. */
  readonly origins: T[] = [];
  readonly offsets: number[] = [];
  /** The last two units of the text. To look for them in the text itself would copy all of it each time. */
  #tail = "";
  #space = false;
  #tabs = 0;
  /** Of code: ends of lines since the last unit, and the indent of the line at hand. */
  #lines = 0;
  #indent = 0;

  /** Takes a run of raw text. `isCode`: its lines and their indents stay. */
  add(raw: string, origin: T, isCode = false): void {
    for (let at = 0; at < raw.length;) {
      UNSEEN.lastIndex = FLAG.lastIndex = at;
      const flag = FLAG.exec(raw)?.[0];
      const unseen = UNSEEN.exec(raw);
      const unit = raw.charAt(at);
      if (flag) {
        this.#flush(origin, at);
        for (const end = at + flag.length; at < end; at++) this.#keep(raw.charAt(at), origin, at);
      } else if (unseen) {
        at += unseen[0].length;
      } else if (isCode && this.#tail && (unit === "\n" || (this.#lines > 0 && /[ \t]/.test(unit)))) {
        if (unit === "\n") [this.#lines, this.#indent] = [this.#lines + 1, 0];
        else this.#indent += unit === "\t" ? TAB : 1;
        at++;
      } else if (SPACE.test(unit)) {
        this.#space = true;
        at++;
      } else if (JOINER.test(unit) && !JOINS.test(this.#tail)) {
        at++;
      } else {
        this.#flush(origin, at);
        this.#keep(unit, origin, at++);
      }
    }
  }

  /** Puts other units in place of those from `from` on; each stands where one of those stood. */
  rewrite(from: number, units: readonly { readonly unit: string; readonly at: number }[]): void {
    const [origins, offsets] = [this.origins.slice(from), this.offsets.slice(from)];
    this.text = this.text.slice(0, from) + units.map(({ unit }) => unit).join("");
    this.#tail = this.text.slice(-2);
    this.origins.length = this.offsets.length = from;
    for (const { unit, at } of units) {
      for (let rest = unit.length; rest > 0; rest--) {
        this.origins.push(origins[at]!);
        this.offsets.push(offsets[at]!);
      }
    }
  }

  /** Takes a text that stands for something at one place. */
  insert(text: string, origin: T, offset: number): void {
    this.#flush(origin, offset);
    for (const unit of text.split("")) this.#keep(unit, origin, offset);
  }

  /** A place where words must not run together. */
  space(): void {
    this.#space = true;
  }

  /** The end of a line of code. `isAlways`: also of an empty one. */
  line(isAlways: boolean): void {
    if (this.#tail && (isAlways || this.#lines === 0)) [this.#lines, this.#indent] = [this.#lines + 1, 0];
  }

  /** A boundary between two cells of a table row. */
  tab(): void {
    this.#tabs++;
  }

  /** What parts the text so far from what comes now. */
  #flush(origin: T, offset: number): void {
    for (; this.#tabs > 0; this.#tabs--) this.#keep("\t", origin, offset);
    if (this.#lines > 0) {
      const lines = "\n".repeat(Math.min(this.#lines, LINES_MAX)) + " ".repeat(Math.min(this.#indent, INDENT_MAX));
      for (const unit of lines) this.#keep(unit, origin, offset);
    } else if (this.#space && this.#tail && !this.#tail.endsWith("\t")) this.#keep(" ", origin, offset);
    [this.#space, this.#lines, this.#indent] = [false, 0, 0];
  }

  #keep(unit: string, origin: T, offset: number): void {
    this.text += unit;
    this.#tail = this.#tail.slice(-1) + unit;
    this.origins.push(origin);
    this.offsets.push(offset);
  }
}

/** A string on its own, cleaned the same way. */
export function clean(raw: string): string {
  const cleaner = new Cleaner<null>();
  cleaner.add(raw, null);
  return cleaner.text;
}
