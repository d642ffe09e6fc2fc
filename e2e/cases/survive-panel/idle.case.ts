// Firefox ends a background page that is idle, and there it hosts the worker.

import { expect, test } from "../../fixtures.ts";
import { openPanel, summarize, summaryLines } from "../../helpers/panel.ts";

test.skip(
  ({ browserName }) => browserName !== "firefox",
  "in Chrome the host is a document that does not end by itself",
);
test.use({ freshProfile: true });

/** Longer than Firefox lets a background page be idle. */
const IDLE_MS = 45_000;

test(
  "idleness does not end what holds a page, and does once its tab is closed",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    test.setTimeout(200_000);
    await page.goto(site.url("/article/"));
    const { panel, tab } = await summarize(context, extension, page);
    const lines = await summaryLines(panel);
    await panel.close();
    await page.waitForTimeout(IDLE_MS);
    const again = await openPanel(context, extension, tab);
    await expect(again.locator("#summary .facts")).toBeVisible({ timeout: 2_000 });
    expect(await summaryLines(again)).toEqual(lines);
    await again.close();
    await page.close();
    const isRunning = async () => (await extension.targets()).some((url) => url.includes("_generated_background_page"));
    expect(await isRunning()).toBe(true);
    await expect.poll(isRunning, { timeout: IDLE_MS }).toBe(false);
  },
);
