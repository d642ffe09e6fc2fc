// What is printed of a case, for people and as one line of JSON.

export interface Result {
  name: string;
  section: string;
  backend: string;
  nmse: number | null;
  limit: number | null;
  greedy_equal: boolean | null;
  pass: boolean;
  reason: string;
}

const number = (value: number | null): string => (value === null ? "-" : value.toExponential(1));

/** One line for people. */
export function line({ name, section, nmse, limit, greedy_equal, pass, reason }: Result): string {
  const greedy = greedy_equal === null ? "-" : greedy_equal ? "equal" : "differs";
  const verdict = pass ? "pass" : reason.startsWith("unsupported") ? "UNSUPPORTED" : "FAIL";
  const cells = [
    verdict.padEnd(11),
    `${section}/${name}`.padEnd(34),
    `nmse ${number(nmse)} <= ${number(limit)}`.padEnd(24),
  ];
  return `${cells.join(" ")} greedy ${greedy.padEnd(7)} ${reason}`.trimEnd();
}

/** Prints results as they come and counts them. */
export class Report {
  readonly #json: boolean;
  readonly #results: Result[] = [];

  constructor(json: boolean) {
    this.#json = json;
  }

  add(result: Result): void {
    this.#results.push(result);
    // JSON has no infinity: a case without a number gives null.
    console.log(this.#json ? JSON.stringify(result) : line(result));
  }

  /** Prints the sum; true where every case passed and there was one. */
  finish(): boolean {
    const passed = this.#results.filter((result) => result.pass).length;
    const unsupported = this.#results.filter(
      (result) => !result.pass && result.reason.startsWith("unsupported"),
    ).length;
    const failed = this.#results.length - passed - unsupported;
    if (!this.#json) console.log(`${passed} passed, ${failed} failed, ${unsupported} unsupported`);
    return passed === this.#results.length && passed > 0;
  }
}
