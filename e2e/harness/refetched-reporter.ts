// What interruptions cost: the rows that cases attach, as one table at the end of the run and as results/refetched.json.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";
import { ROOT } from "./paths.ts";

/** Names the attachments that this collects. */
export const REFETCHED = "refetched";

export interface Refetched {
  /** What interrupted the download. */
  fault: string;
  store: string;
  size_bytes: number;
  interruptions: number;
  refetched_bytes: number;
}

const mib = (bytes: number): string => (bytes / (1 << 20)).toFixed(2);

export default class RefetchedReporter implements Reporter {
  readonly #rows: Refetched[] = [];

  onTestEnd(_: TestCase, { attachments }: TestResult): void {
    for (const { name, body } of attachments)
      if (name === REFETCHED && body) this.#rows.push(JSON.parse(body.toString()) as Refetched);
  }

  onEnd(): void {
    if (this.#rows.length === 0) return;
    const file = resolve(ROOT, "e2e/results/refetched.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(this.#rows, null, 1));
    console.log("\nFetched again, MiB\n\n| fault | store | file | interruptions | in all | per interruption |");
    console.log("|---|---|---|---|---|---|");
    for (const { fault, store, size_bytes, interruptions, refetched_bytes } of this.#rows) {
      const each = mib(refetched_bytes / Math.max(1, interruptions));
      console.log(
        `| ${fault} | ${store} | ${mib(size_bytes)} | ${interruptions} | ${mib(refetched_bytes)} | ${each} |`,
      );
    }
  }

  printsToStdio(): boolean {
    return false;
  }
}
