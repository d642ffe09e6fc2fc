// How written text looks and who can use it: axe in every state, light and dark, narrow, from right to left.

import { existsSync } from "node:fs";
import { expect, test } from "../../fixtures.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { cutOff, inspect, NOT_IN_FIREFOX, shots } from "../../helpers/inspect.ts";
import { ask, chooseWriter, storeModel, WRITE_MS, writtenLines } from "../../helpers/language-model.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test.describe.configure({ timeout: 3 * WRITE_MS });
test.use({ actionTimeout: 30_000 });
// In Firefox Playwright hides the caret with a style of its own, which the panel's policy does not let in.
test.beforeEach(({ errors }) => errors.expect(/blocked an inline style/));
// The browser is shared: another test has chosen.
test.beforeEach(({ extension }) => chooseWriter(extension, null));

test("a model that is gone has no violations", async ({ page, site, extension, context }) => {
  await chooseWriter(extension, "was-here-once.gguf");
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await expect(panel.getByRole("alert")).toBeVisible();
  await inspect(panel, "writer-gone");
  await panel.getByRole("button", { name: "Settings" }).click();
  await inspect(panel, "writer-settings");
});

test("written text has no violations", async ({ page, site, extension, context }) => {
  test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page, { length: "short" });
  await summaryLines(panel);
  await storeModel(panel, extension);
  const writing = panel.locator("#writing");
  await writing.getByRole("button", { name: "Write a summary" }).click();
  await expect(writing).toHaveAttribute("aria-busy", "true");
  await inspect(panel, "writing", NOT_IN_FIREFOX);
  if ((await writtenLines(writing)).length > 0) {
    await writing.locator(".written:enabled").first().click();
    await writing.getByText(/^Written by /).click();
  }
  await inspect(panel, "written", NOT_IN_FIREFOX);

  const question = await ask(panel, "How old can peat become?");
  await writtenLines(question);
  await question.scrollIntoViewIfNeeded();
  await inspect(panel, "conversation", NOT_IN_FIREFOX);

  for (const width of [320, 160]) {
    await panel.setViewportSize({ width, height: 820 });
    expect(await cutOff(panel)).toEqual([]);
    await panel.screenshot({ path: shots(`panel-written-${width}.png`) });
  }
  await panel.setViewportSize({ width: 380, height: 820 });
  await panel.evaluate(() => document.documentElement.setAttribute("dir", "rtl"));
  expect(await cutOff(panel)).toEqual([]);
  await panel.screenshot({ path: shots("panel-written-right-to-left.png") });
});
