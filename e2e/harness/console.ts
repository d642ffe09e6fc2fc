// Collects console errors and uncaught exceptions from every page, the offscreen document, the service worker and
// their workers. A test fails if any is left that it did not expect.

import type { BrowserContext } from "@playwright/test";
import type { Targets } from "./targets.ts";

interface CdpValue {
  value?: unknown;
  description?: string;
}

export class ConsoleErrors {
  #found: string[] = [];
  #expected: RegExp[] = [];

  /** Starts listening. Messages that the extension's targets wrote before are included. */
  constructor(context: BrowserContext, targets: Pick<Targets, "listen"> | null) {
    context.on("console", (message) => {
      // Service workers have no page; they come through their target below.
      if (message.type() === "error" && message.page()) this.add(message.text(), message.location().url);
    });
    context.on("weberror", (error) =>
      this.add(error.error().stack ?? error.error().message, error.page()?.url() ?? ""),
    );
    targets?.listen((method, params, target) => {
      if (method === "Runtime.consoleAPICalled" && params.type === "error") {
        const values = params.args as CdpValue[];
        this.add(values.map((arg) => String(arg.description ?? arg.value)).join(" "), target.url);
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
  }

  /** One more, from where only somebody else can look. */
  add(text: string, where: string): void {
    this.#found.push(where ? `${text} (${where})` : text);
  }
}
