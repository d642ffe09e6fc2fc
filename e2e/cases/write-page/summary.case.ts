// A language model writes a summary beside the key sentences, which wait for nothing.

import { existsSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { chooseWriter, storeModel, WRITE_MS, writtenLines } from "../../helpers/language-model.ts";
import { markedText, summarize, summaryLines } from "../../helpers/panel.ts";

test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
test.describe.configure({ timeout: 2 * WRITE_MS });
test.use({ actionTimeout: 30_000 });
// The browser is shared: another test has chosen.
test.beforeEach(({ extension }) => chooseWriter(extension, null));

const writing = (panel: Page) => panel.locator("#writing");
const button = (panel: Page, name: string) => writing(panel).getByRole("button", { name, exact: true });

test("lines come with their sources, while the key sentences are there", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page, { length: "short" });
  await summaryLines(panel);
  await expect(writing(panel)).toBeHidden();
  await storeModel(panel, extension);

  await button(panel, "Write a summary").click();
  await expect(writing(panel)).toHaveAttribute("aria-busy", "true");
  await expect(panel.locator("#live")).toHaveText(/^SmolLM2 writes\.$|^Loading the model/);
  await expect(panel.locator(".result .passage").first()).toBeVisible();
  const lines = await writtenLines(writing(panel));
  if (lines.length === 0) return expect(panel.locator(".result .passage").first()).toBeVisible();
  await expect(panel.locator("#live")).toHaveText(`Summary written. Lines: ${lines.length}.`);
  await expect(
    writing(panel).getByText(/^Written from passages that Pith selected: \d+ words, \d+% of the page\.$/),
  ).toBeVisible();
  await writing(panel)
    .getByText(/^Written by /)
    .click();
  await expect(writing(panel).getByRole("meter")).toBeVisible();

  // A press marks the passage that supports the line; the key sentences are folded away.
  await expect(panel.locator(".result .passage").first()).toBeHidden();
  const line = writing(panel).locator(".written:enabled").first();
  await line.click();
  await expect(line).toHaveAttribute("aria-current", "location");
  await expect.poll(() => markedText(page)).not.toBeNull();

  // Nothing that a model writes is anything but text.
  expect(await writing(panel).locator("a, img, svg, iframe").count()).toBe(0);
});

test(
  "cancelled at once, it keeps its lines; it writes again, and at another length",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page, { length: "medium" });
    await summaryLines(panel);
    await storeModel(panel, extension);
    await button(panel, "Write a summary").click();
    await writing(panel).locator(".written, .reason:visible").first().waitFor({ timeout: WRITE_MS });
    const first = await writing(panel).locator(".written").count();
    test.skip(first === 0, "the model may not write this");
    await button(panel, "Cancel").click();
    await expect(writing(panel).getByText("Stopped", { exact: true })).toBeVisible({ timeout: 1_000 });
    await expect(writing(panel)).not.toHaveAttribute("aria-busy");
    expect(await writing(panel).locator(".written").count()).toBeGreaterThanOrEqual(first);
    await expect(panel.locator(".result .passage").first()).toBeVisible();

    await button(panel, "Write again").click();
    await expect(writing(panel)).toHaveAttribute("aria-busy", "true");
    const medium = await writtenLines(writing(panel));
    await button(panel, "Shorter").click();
    await expect(writing(panel)).toHaveAttribute("aria-busy", "true");
    const short = await writtenLines(writing(panel));
    expect(short.length).toBeLessThan(medium.length);
    await expect(button(panel, "Shorter")).toBeHidden();
    await expect(button(panel, "Longer")).toBeVisible();
  },
);

test(
  "another tab's key sentences do not wait for the model",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page, { length: "long" });
    await summaryLines(panel);
    await storeModel(panel, extension);
    await button(panel, "Write a summary").click();
    await expect(writing(panel).locator(".progress-words")).toHaveText(/Writing|Testing/, { timeout: WRITE_MS });

    const other = await context.newPage();
    await other.goto(site.url("/recipe/"));
    const { panel: otherPanel } = await summarize(context, extension, other);
    expect((await summaryLines(otherPanel)).length).toBeGreaterThan(0);
    await expect(writing(panel)).toHaveAttribute("aria-busy", "true");
    await expect(writing(otherPanel)).toContainText(/Waiting|Loading|Testing|Writing/);
  },
);
