// What `cargo xtask reading` prints.

import type { Forbidden, Score } from "./score.ts";

/** The corpus passes with these or better. */
export const F1_AVERAGE_MIN = 0.975;
export const F1_PAGE_MIN = 0.85;
/** Of the words of all forbidden lines. */
export const FORBIDDEN_MAX = 0.03;
/** The same where pages of packages could not be fetched, of whose clutter nearly nothing is read. */
const FORBIDDEN_MAX_WITHOUT_PACKAGES = 0.035;

const WORST = 5;
/** Lines quoted of a page, and how much of each. */
const QUOTED = 4;
const QUOTED_LENGTH = 100;

/** A page that was read. */
export interface Row {
  kind: string;
  score: Score;
  forbidden: Forbidden;
  missing: string[];
  added: string[];
  time_ms: number;
}

const share = (value: number): string => value.toFixed(3);
const mean = (list: number[]): number => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length);

/** One line a page while pages are read, then averages and the worst pages. */
export class Report {
  readonly #rows: Row[] = [];
  readonly #skipped: string[] = [];
  readonly #json: boolean;

  constructor(json: boolean) {
    this.#json = json;
    if (!json) {
      const head = ["name".padEnd(32), "kind".padEnd(14), " main", " read", "precision", "recall", "   F1"];
      console.log(`${head.join("  ")}  forbidden`);
    }
  }

  add(row: Row): void {
    this.#rows.push(row);
    const { name, words_main, words_read, precision, recall, f1, forbidden_read } = row.score;
    if (this.#json) return console.log(JSON.stringify(row.score));
    const cells = [
      name.padEnd(32),
      row.kind.padEnd(14),
      String(words_main).padStart(5),
      String(words_read).padStart(5),
      share(precision).padStart(9),
      share(recall).padStart(6),
      share(f1),
    ];
    console.log(`${cells.join("  ")}  ${share(forbidden_read).padStart(9)}${f1 < F1_PAGE_MIN ? "  !" : ""}`);
  }

  skip(name: string, reason: string): void {
    this.#skipped.push(`${name}: ${reason}`);
  }

  /** Prints the end; true where the corpus passes. With `--json` it goes to stderr. */
  finish(): boolean {
    const say = this.#json ? console.error : console.log;
    for (const line of this.#skipped) say(`skipped   ${line}`);
    const rows = this.#rows;
    if (rows.length === 0) {
      say("no page was read");
      return false;
    }
    const average = (of: (score: Score) => number): number => mean(rows.map(({ score }) => of(score)));
    const f1 = average((score) => score.f1);
    const total = (of: (row: Row) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
    const forbidden =
      total((row) => row.forbidden.read) /
      Math.max(
        1,
        total((row) => row.forbidden.words),
      );
    const worst = rows.toSorted((a, b) => a.score.f1 - b.score.f1);
    const below = worst.filter(({ score }) => score.f1 < F1_PAGE_MIN).length;
    for (const row of worst.slice(0, WORST)) explain(row, say);
    const kinds = new Set(rows.map(({ kind }) => kind)).size;
    const time = total((row) => row.time_ms) / rows.length;
    const averages = `precision ${share(average((one) => one.precision))}, recall ${share(average((one) => one.recall))}`;
    say(`\n${rows.length} pages of ${kinds} kinds, ${(time / 1000).toFixed(2)} s a page`);
    say(`average   ${averages}, F1 ${share(f1)} (at least ${F1_AVERAGE_MIN})`);
    say(`pages     ${below} with F1 below ${F1_PAGE_MIN}`);
    const most = this.#skipped.length > 0 ? FORBIDDEN_MAX_WITHOUT_PACKAGES : FORBIDDEN_MAX;
    say(`forbidden ${(100 * forbidden).toFixed(1)} % of the marked words were read (at most ${100 * most} %)`);
    return f1 >= F1_AVERAGE_MIN && below === 0 && forbidden <= most;
  }
}

/** The lines that cost a page most. */
function explain({ score, forbidden, missing, added }: Row, say: (line: string) => void): void {
  say(`\n${score.name}: F1 ${share(score.f1)}, precision ${share(score.precision)}, recall ${share(score.recall)}`);
  const quote = (line: string): string =>
    line.length > QUOTED_LENGTH ? `${line.slice(0, QUOTED_LENGTH)}...` : line.replaceAll("\t", " ");
  const lists: [string, string[]][] = [
    ["not read", missing],
    ["read too", added],
    ["forbidden", forbidden.lines],
  ];
  for (const [label, lines] of lists) {
    for (const line of lines.slice(0, QUOTED)) say(`  ${label.padEnd(9)} ${quote(line)}`);
    if (lines.length > QUOTED) say(`  ${label.padEnd(9)} and ${lines.length - QUOTED} more`);
  }
}
