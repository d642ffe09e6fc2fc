// Compares what the extension read of a page with the marks of that page.

import { words } from "./words.ts";

/** The marks of a page: `main` is its main text, a block a line; no line of `forbidden` must be read. */
export interface Marks {
  main: string[];
  forbidden: string[];
}

/** What `--json` prints of a page. Shares are between 0 and 1. */
export interface Score {
  name: string;
  words_main: number;
  words_read: number;
  precision: number;
  recall: number;
  f1: number;
  forbidden_read: number;
}

/** The words of the forbidden lines, and of those that were read. */
export interface Forbidden {
  words: number;
  read: number;
  lines: string[];
}

/** Reads main.txt. Lines that begin with "! " are forbidden; empty lines mean nothing. */
export function parseMarks(text: string): Marks {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const isForbidden = (line: string): boolean => line.startsWith("! ");
  return {
    main: lines.filter((line) => !isForbidden(line)),
    forbidden: lines.filter(isForbidden).map((line) => line.slice(2)),
  };
}

/** Compares words as multisets. `read` is the text of the page's blocks in their order. */
export function score(name: string, marks: Marks, read: string[]): { score: Score; forbidden: Forbidden } {
  const main = marks.main.flatMap(words);
  const got = read.flatMap(words);
  const left = count(main);
  let shared = 0;
  for (const word of got) {
    const times = left.get(word) ?? 0;
    if (times === 0) continue;
    left.set(word, times - 1);
    shared += 1;
  }
  const precision = got.length === 0 ? 0 : shared / got.length;
  const recall = main.length === 0 ? 0 : shared / main.length;
  const f1 = shared === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const forbidden = findForbidden(marks.forbidden, main, got);
  const forbidden_read = forbidden.words === 0 ? 0 : forbidden.read / forbidden.words;
  return {
    score: { name, words_main: main.length, words_read: got.length, precision, recall, f1, forbidden_read },
    forbidden,
  };
}

/** A line was read if its words occur in a row more often in what was read than in the main text. */
function findForbidden(lines: string[], main: string[], read: string[]): Forbidden {
  const found: Forbidden = { words: 0, read: 0, lines: [] };
  const [inMain, inRead] = [joined(main), joined(read)];
  for (const line of lines) {
    const own = words(line);
    found.words += own.length;
    if (own.length === 0 || occurrences(inRead, own) <= occurrences(inMain, own)) continue;
    found.read += own.length;
    found.lines.push(line);
  }
  return found;
}

const joined = (list: string[]): string => ` ${list.join("  ")} `;

function occurrences(text: string, sought: string[]): number {
  return text.split(joined(sought)).length - 1;
}

function count(list: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Words of the main text that were not read, and words read that the main text does not have; the longest runs first. */
export function differences(marks: Marks, read: string[]): { missing: string[]; added: string[] } {
  return { missing: surplus(marks.main, read), added: surplus(read, marks.main) };
}

/** Lines of `from` most of whose words are not in `other`; the longest first. */
function surplus(from: string[], other: string[]): string[] {
  const left = count(other.flatMap(words));
  const lines = from.map((line) => {
    const own = words(line);
    const lacking = own.filter((word) => {
      const times = left.get(word) ?? 0;
      if (times > 0) left.set(word, times - 1);
      return times === 0;
    });
    return { line, lacking: lacking.length, share: lacking.length / Math.max(1, own.length) };
  });
  return lines
    .filter(({ lacking, share }) => lacking > 0 && share > 0.5)
    .sort((a, b) => b.lacking - a.lacking)
    .map(({ line }) => line);
}
