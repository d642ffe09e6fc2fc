// Collects console errors and uncaught exceptions from every page, the offscreen document, the service worker and
// their workers. A test fails if any is left that it did not expect.

import type { BrowserContext } from "@playwright/test";
import type { Targets } from "./targets.ts";

interface CdpValue {
  value?: unknown;
  description?: string;
}

/** Lines that are kept of a case's console. */
const LINES_MAX = 2_000;

export class ConsoleErrors {
  #found: string[] = [];
  /** All that was written, with the time since the case began. */
  #lines: string[] = [];
  #began_ms = performance.now();
  #expected: RegExp[] = [];

  /** Starts listening. Messages that the extension's targets wrote before are included. */
  constructor(context: BrowserContext, targets: Pick<Targets, "listen"> | null) {
    context.on("console", (message) => {
      // Service workers have no page; they come through their target below.
      if (!message.page()) return;
      if (message.type() === "error") this.add(message.text(), message.location().url);
      else this.#note(message.type(), message.text(), message.location().url);
    });
    context.on("weberror", (error) =>
      this.add(error.error().stack ?? error.error().message, error.page()?.url() ?? ""),
    );
    targets?.listen((method, params, target) => {
      if (method === "Runtime.consoleAPICalled") {
        const values = params.args as CdpValue[];
        const text = values.map((arg) => String(arg.description ?? arg.value)).join(" ");
        if (params.type === "error") this.add(text, target.url);
        else this.#note(String(params.type), text, target.url);
      } else if (method === "Runtime.exceptionThrown") {
        const details = params.exceptionDetails as { text: string; exception?: CdpValue };
        this.add(details.exception?.description ?? details.text, target.url);
      } else if (method === "Log.entryAdded") {
        const entry = params.entry as { level: string; text: string; url?: string };
        if (entry.level === "error") this.add(entry.text, entry.url ?? target.url);
      }
    });
  }

  /** Lets errors that match pass, for tests of bad input. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** Errors that nobody expected. */
  unexpected(): string[] {
    return this.#found.filter((text) => !this.#expected.some((pattern) => pattern.test(text)));
  }

  /** Forgets everything, for the next test in the same browser. */
  reset(): void {
    this.#found = [];
    this.#expected = [];
    this.#lines = [];
    this.#began_ms = performance.now();
  }

  /** All that the browser wrote since the case began. */
  get log(): string {
    return this.#lines.join("\n");
  }

  #note(type: string, text: string, where: string): void {
    const seconds = ((performance.now() - this.#began_ms) / 1e3).toFixed(2);
    if (this.#lines.length < LINES_MAX) this.#lines.push(`${seconds} s, ${type}: ${text} (${where})`);
  }

  /** One more, from where only somebody else can look. */
  add(text: string, where: string): void {
    this.#note("error", text, where);
    this.#found.push(where ? `${text} (${where})` : text);
  }
}
