// One file of tests in a page of its own.

import type { BrowserContext } from "@playwright/test";
import type { Site } from "../harness/server.ts";
import type { Subtest } from "./expectations.ts";
import { pageOf } from "./files.ts";

const FILE_MS_MAX = 180_000;

/** Runs a file. A file that does not end, or fails as a whole, has one failed subtest more. */
export async function runFile(context: BrowserContext, site: Site, file: string, script: string): Promise<Subtest[]> {
  const page = await context.newPage();
  try {
    await page.exposeFunction("pithClick", () => page.mouse.click(1, 1));
    await page.addInitScript({ content: script });
    await page.goto(site.url(pageOf(file)));
    const ended = page.waitForFunction("window.pithStatus !== undefined", undefined, { timeout: FILE_MS_MAX });
    const failed = await ended.then(
      () => null,
      (error: unknown) => ({ status: 2, message: String(error).split("\n")[0] ?? "" }),
    );
    const { status, message } = failed ?? (await page.evaluate<Omit<Subtest, "name">>("window.pithStatus"));
    const tests = await page.evaluate<Subtest[]>("window.pithTests");
    return status === 0 ? tests : [...tests, { name: "(the file)", status, message }];
  } finally {
    await page.close();
  }
}
