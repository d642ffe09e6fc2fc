// Two hundred summaries in a row, as quickly as they come: the backend changes, tabs are reloaded, closed and opened, and whatever the
// one before has left under way ends meanwhile. Each is there in time.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { choose, closeRealPanel, openPanel, press } from "../../helpers/panel.ts";
import { lighthouse } from "../../helpers/pages.ts";

const TIMES = Number(process.env.PITH_TIMES ?? 200);
/** A model is loaded on an emulated GPU in a few seconds, more where other programs need the cores. */
const EACH_MS = 60_000;

async function closeAll(context: BrowserContext): Promise<void> {
  const [keep, ...rest] = context.pages();
  for (const page of rest) await page.close();
  await keep!.goto("about:blank");
}

test(`${TIMES} summaries in a row`, { tag: "@long" }, async ({ context, site, extension }) => {
  test.setTimeout(2 * TIMES * EACH_MS);
  const backends = ["cpu", "cpu", "webgl2", "cpu", "auto"] as const;
  let page: Page | null = null;
  for (let time = 0; time < TIMES; time++) {
    await test.step(`the ${time + 1}th`, async () => {
      if (time % 3 === 0 || !page) {
        await closeAll(context);
        page = await context.newPage();
        // A longer one now and then: the software GPU takes seconds for each sentence.
        await page.goto(time % 15 === 0 ? site.url("/article/") : lighthouse(site));
      } else {
        await page.reload();
      }
      await choose(extension, { backend: backends[time % backends.length]!, length: "short" });
      const tab = await press(extension, page);
      // Now and then while its summary is under way.
      if (time % 2 === 0) await closeRealPanel(extension, tab);
      const panel = await openPanel(context, extension, tab);
      // The panel shows what it had of the page before it was reloaded, until that is read anew.
      const summary = panel.locator("#summary", { has: panel.locator(".facts:visible") });
      await expect.poll(() => summary.locator(".passage").count(), { timeout: EACH_MS }).toBeGreaterThan(1);
      await panel.close();
      if (time % 2 === 1) await closeRealPanel(extension, tab);
    });
  }
});
