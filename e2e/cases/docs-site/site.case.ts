// The documentation site, as `cargo xtask docs` and the stage `site` build it: no other host is asked, everything can be reached.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { serve, type Site } from "../../harness/server.ts";
import { expectAccessible } from "../demo-site/steps.ts";

const BUILT = resolve(ROOT, "dist/docs");
const PAGES = ["index", "guides/chat", "migrate/wllama", "reference/models"];

test.use({ withExtension: false });
test.skip(!existsSync(BUILT), "the site was not built: cargo xtask docs");

let docs: Site;
test.beforeAll(async () => void (docs = await serve({ "/": BUILT })));
test.afterAll(() => docs.close());

test("pages ask no other host, fit a narrow window and have no violations", { tag: "@long" }, async ({ page }) => {
  test.setTimeout(300_000);
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(docs.origin) && !request.url().startsWith("data:")) elsewhere.push(request.url());
  });
  for (const name of PAGES) {
    await page.goto(docs.url(`/${name}.html`));
    await expectAccessible(page, `docs-${name.replaceAll("/", "-")}`);
    await page.setViewportSize({ width: 390, height: 800 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, `${name} in a narrow window`).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(elsewhere).toEqual([]);
});

test("search finds a guide by keyboard, without a server", async ({ page }) => {
  await page.goto(docs.url("/start.html"));
  // The page hears keys once its script runs.
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("searchbox")).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await page.getByRole("searchbox").fill("sliding window context is full");
  await expect(page.getByRole("option").first()).toContainText("Chat with history");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/guides\/chat/);
  await expect(page.getByRole("heading", { name: "Chat with history" })).toBeVisible();
});
