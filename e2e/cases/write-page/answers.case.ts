// A conversation with the page, in a language model's words.

import { existsSync } from "node:fs";
import { expect, test } from "../../fixtures.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { ask, chooseWriter, storeModel, WRITE_MS, writtenLines } from "../../helpers/language-model.ts";
import { markedText, summarize, summaryLines } from "../../helpers/panel.ts";

test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
test.describe.configure({ timeout: 3 * WRITE_MS });
test.use({ actionTimeout: 30_000 });
// The browser is shared: another test has chosen.
test.beforeEach(({ extension }) => chooseWriter(extension, null));

test("answers are written from passages, a follow-up reuses the prompt, and nothing is invented", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await storeModel(panel, extension);

  const first = await ask(panel, "How old can peat become?");
  await expect(first.locator(".passage").first()).toBeVisible();
  const lines = await writtenLines(first);
  test.skip(lines.length === 0, "the model may not write this");
  await expect(panel.locator("#live")).toHaveText(/^Answer written\. Lines: \d\.$/);
  await first.locator(".written:enabled").first().click();
  await expect.poll(() => markedText(page)).not.toBeNull();

  const second = await ask(panel, "What is it made of?");
  expect((await writtenLines(second)).length).toBeGreaterThan(0);
  await second.getByText(/^Written by /).click();
  await expect(second.getByText(/[1-9]\d* of them were reused/)).toBeVisible();

  // The page does not answer: nobody is asked to write.
  const none = await ask(panel, "Who won the football world championship in 1974?");
  await expect(none.getByText("The page does not seem to say.")).toBeVisible();
  await expect(none.locator(".written")).toHaveCount(0);

  await first.getByRole("button", { name: "Another answer" }).click();
  await expect(first).toHaveAttribute("aria-busy", "true");
  await first.getByRole("button", { name: "Cancel" }).click();
  await expect(first.getByText("Stopped.")).toBeVisible({ timeout: 1_000 });

  await panel.getByRole("button", { name: "New conversation" }).click();
  await expect(panel.locator(".question")).toHaveCount(0);
  await expect(panel.getByRole("textbox", { name: "Ask this page" })).toBeFocused();
});

test("questions are suggested, and asked with the keyboard", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const suggestions = panel.locator(".suggestion");
  await expect(suggestions).toHaveCount(3);
  const text = await suggestions.first().innerText();
  await suggestions.first().focus();
  await panel.keyboard.press("Enter");
  await expect(panel.locator(".question h3")).toHaveText(text);
  await expect(suggestions).toHaveCount(2);
  await expect(panel.locator(".question .passage").first()).toBeVisible({ timeout: WRITE_MS });
});
