// Markdown that a browser shows as it is written: its headings, lists, quotes and code are read as such, without their signs.
import type { BlockKind } from "@pith/web";
import { withoutSigns } from "./markdown-signs.js";
import type { Stretch } from "./plain.js";

const HEADING = /^ {0,3}#{1,6}\s+/;
const ITEM = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?/;
const QUOTED = /^ {0,3}>\s?/;
const FENCE = /^\s*(?:```|~~~)/;
/** A line under a heading, between parts, or between the head and the rows of a table. */
const RULE = /^\s*(?:=+|-{2,}|(?:[-*_]\s*){3,}|\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?)\s*$/;
/** Such a line makes a heading of the one above it. */
const UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;
/** A row of a table, and the bar at its end. */
const ROW = /^\s*\|.*\|\s*$/;
const BAR = /\s*\|\s*$/;
/** What begins and ends the data about a file before its text; and the title in it. */
const HEAD = /^(?:---|\+\+\+)\s*$/;
const HEAD_LINES_MAX = 100;
/** A note, and where a link leads, which is named elsewhere. */
const NOTE = /^ {0,3}\[\^[^\]\s]+\]:\s+/;
const TARGET = /^ {0,3}\[[^\]^][^\]]*\]:\s+\S+(?:\s+["'(].*)?\s*$/;

/** The title that a file gives in the data before its text. */
export function titleInHead(text: string): string | null {
  const [first = "", ...lines] = text.split("\n").slice(0, HEAD_LINES_MAX);
  const end = HEAD.test(first) ? lines.findIndex((line) => HEAD.test(line)) : -1;
  const found = lines.slice(0, Math.max(end, 0)).map((line) => /^title\s*[:=]\s*(["']?)(.+)\1\s*$/.exec(line)?.[2]);
  return found.find(Boolean) ?? null;
}

/** A text without the data before it. */
export function withoutHead(text: string): string {
  const end = HEAD.test(text.split("\n", 1)[0] ?? "") ? text.slice(3).search(/^(?:---|\+\+\+)\s*$/m) : -1;
  return end < 0 ? text : text.slice(end + 6);
}

export class Markdown {
  kind: BlockKind = "paragraph";
  #isCode = false;
  /** Lines of the file so far, and whether they are data about it. */
  #lines = 0;
  #isHead = false;
  /** The line above is one of a paragraph. */
  #isBelowText = false;
  #isComment = false;

  /** The stretches of a text without signs. A heading ends with its line, and an item where the next one begins. */
  *stretches(data: string, at: number): Generator<Stretch> {
    let from = at;
    for (const line of data.split(/(?<=\n)/)) {
      yield* this.#line(line, from);
      from += line.length;
    }
  }

  /** True for a line of the data about the file. */
  #isOfHead(line: string): boolean {
    const isEdge = HEAD.test(line);
    if (++this.#lines === 1) return (this.#isHead = isEdge);
    if (!this.#isHead || this.#lines > HEAD_LINES_MAX) return (this.#isHead = false);
    if (isEdge) this.#isHead = false;
    return true;
  }

  *#line(line: string, from: number): Generator<Stretch> {
    if (this.#isOfHead(line)) return;
    const boundary = { text: "", from, begins: true };
    const isBelowText = this.#isBelowText;
    this.#isBelowText = false;
    if (FENCE.test(line)) {
      yield boundary;
      this.#isCode = !this.#isCode;
      this.kind = this.#isCode ? "code" : "paragraph";
      return;
    }
    if (this.#isCode) return yield { text: line, from, begins: false };
    const shown = this.#withoutComment(line);
    from += line.length - shown.length;
    yield* this.#text(shown, from, boundary, isBelowText);
  }

  /** A line without the comment that it begins in. */
  #withoutComment(line: string): string {
    const end = this.#isComment ? line.indexOf("-->") : -3;
    if (end === -1) return "\n";
    const shown = line.slice(end + 3);
    this.#isComment = shown.lastIndexOf("<!--") > shown.lastIndexOf("-->");
    return shown;
  }

  *#text(line: string, from: number, boundary: Stretch, isBelowText: boolean): Generator<Stretch> {
    if (!/\S/.test(line) || RULE.test(line) || TARGET.test(line)) {
      if (isBelowText && UNDERLINE.test(line)) this.kind = "heading";
      yield boundary;
      this.kind = "paragraph";
      return;
    }
    const [kind, mark] = markOf(line);
    if (mark > 0 && !(kind === "quote" && this.kind === "quote")) {
      yield boundary;
      this.kind = kind;
    }
    if (ROW.test(line)) yield boundary;
    yield* withoutMarks(line.slice(mark), from + mark);
    this.#isBelowText = kind === "paragraph" && this.kind === "paragraph";
    if (kind !== "heading") return;
    yield boundary;
    this.kind = "paragraph";
  }
}

/** What begins with a line, and how long its mark is. */
function markOf(line: string): [BlockKind, number] {
  const marks: [BlockKind, RegExp][] = [
    ["heading", HEADING],
    ["listItem", ITEM],
    ["quote", QUOTED],
    ["paragraph", NOTE],
  ];
  for (const [kind, mark] of marks) {
    const length = mark.exec(line)?.[0].length ?? 0;
    if (length > 0) return [kind, length];
  }
  return ["paragraph", 0];
}

/** A line without its signs, and a row of a table without the bars around it. */
function* withoutMarks(line: string, from: number): Generator<Stretch> {
  const [before = ""] = ROW.test(line) ? (/^\s*\|\s*/.exec(line) ?? []) : [];
  const text = ROW.test(line) ? line.slice(before.length).replace(BAR, "") : line;
  for (const kept of withoutSigns(text, from + before.length)) yield { ...kept, begins: false };
}
