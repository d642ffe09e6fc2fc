// What the panel says of itself: its shortcut, its language, its news for screen readers; and how narrow it can be.

import { expect, test } from "../../fixtures.ts";
import { cutOff } from "../../helpers/inspect.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const COMMANDS = "chrome.commands.getAll()";

// In Firefox Playwright hides the caret with a style of its own, which the panel's policy does not let in.
test.beforeEach(({ errors }) => errors.expect(/blocked an inline style/));

test("the shortcut is one that the browser accepts, and the settings name it", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  const commands = await extension.evaluate<{ name: string; shortcut: string }[]>("background.js", COMMANDS);
  const [action] = commands.filter(({ name }) => name === "_execute_action");
  expect(action?.shortcut).toMatch(/\+J$/);
  await panel.getByRole("button", { name: "Settings" }).click();
  await expect(panel.locator("#settings").getByText(`Keyboard shortcut: ${action!.shortcut}`)).toBeVisible();
});

test("the document has the language of its texts", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  const own = await extension.evaluate<string>("background.js", `chrome.i18n.getMessage("language")`);
  expect(own).toMatch(/^en/);
  await expect(panel.locator("html")).toHaveAttribute("lang", own);
  await expect(panel.locator("html")).toHaveAttribute("dir", "ltr");
});

test("each result is announced once it is there, quick ones too", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const live = panel.locator("#live");
  await expect(live).toHaveText("Summary ready. Key sentences: 5.");
  for (let round = 0; round < 3; round += 1) {
    await panel.getByRole("button", { name: "Summarize again" }).click();
    await expect(live).toHaveText("Summary ready. Key sentences: 5.");
    // The model is warm: the answer may be there before the panel hears that it began.
    await panel.getByRole("textbox", { name: "Ask this page" }).fill(`How old can peat become, after ${round} years?`);
    await panel.keyboard.press("Enter");
    await expect(live).toHaveText(/^Answer ready. Passages: \d\.$|^The page does not seem to say\.$/);
  }
});

test("a panel of 160 pixels has no sideways scrolling", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page, { width: 160 });
  await summaryLines(panel);
  await panel.getByRole("button", { name: "Settings" }).click();
  expect(await cutOff(panel)).toEqual([]);
  expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(160);
});
