// Results against the list of expected failures.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";

/** A subtest that fails, and why. */
interface Failure {
  file: string;
  /** The name of the subtest; `*` is all of the file. */
  subtest: string;
  reason: string;
}

export interface Expectations {
  /** Files that were written for an echo model: they run on one. */
  echo: string[];
  failures: Failure[];
}

export interface Subtest {
  name: string;
  /** As testharness.js counts them: 0 passed, 3 precondition failed. */
  status: number;
  message: string | null;
}

export interface Line {
  file: string;
  passed: number;
  /** All that failed, those of the list too. */
  failed: number;
  expected_failures: number;
}

export const readExpectations = (): Expectations =>
  JSON.parse(readFileSync(resolve(ROOT, "e2e/wpt/expectations.json"), "utf8")) as Expectations;

/** Counts a file's subtests. `unexpected`: failures that are not listed, and listed ones that pass. */
export function score(
  file: string,
  subtests: readonly Subtest[],
  { failures }: Expectations,
): { line: Line; unexpected: string[]; notes: string[] } {
  const listed = failures.filter((failure) => failure.file === file);
  const line: Line = { file, passed: 0, failed: 0, expected_failures: 0 };
  const unexpected: string[] = [];
  const notes: string[] = [];
  for (const { name, status, message } of subtests) {
    const expected = listed.find(({ subtest }) => subtest === "*" || subtest === name);
    if (status === 0) {
      line.passed += 1;
      if (expected && expected.subtest !== "*") unexpected.push(`passes, but is listed: ${name}`);
      continue;
    }
    line.failed += 1;
    if (expected) {
      line.expected_failures += 1;
      notes.push(`expected: ${name}: ${expected.reason}`);
    } else unexpected.push(`${name}: ${message ?? `status ${status}`}`);
  }
  return { line, unexpected, notes };
}
