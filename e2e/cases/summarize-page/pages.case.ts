// Every page of e2e/pages: what its summary and its answers must contain, and must not.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { JOINTS, sentenceCount, summarize, summaryLines, unmarked } from "../../helpers/panel.ts";
import { testPages, type Expected } from "../../helpers/pages.ts";

/** Read much as others of them; of another case a megabyte too. */
const LIKE_OTHERS = ["blog", "documentation", "german", "megabyte", "news", "recipe", "soup", "tokens"];

test("there are pages to try", () => {
  expect(testPages.length).toBeGreaterThanOrEqual(12);
});

for (const { name, expected, open } of testPages) {
  test(name, { tag: LIKE_OTHERS.includes(name) ? "@long" : [] }, async ({ page, site, extension, context }) => {
    await page.goto(await open(site));
    const { panel } = await summarize(context, extension, page);
    if (expected.error) {
      await expect(panel.getByRole("alert")).toBeVisible();
      await expect(panel.getByRole("alert").locator("code")).toContainText(expected.error);
      return;
    }
    const lines = await summaryLines(panel);
    await checkSummary(panel, lines, expected);
    for (const { question, contains } of expected.ask ?? []) await checkAnswer(panel, question, contains, expected);
    const last = panel.locator("#summary .passage").last();
    await last.click();
    await expect.poll(() => unmarked(page, lines.at(-1) ?? "")).toMatch(JOINTS);
    if (expected.verbatim)
      for (const one of [page, panel]) expect(await one.evaluate(() => "pwned" in globalThis)).toBe(false);
  });
}

async function checkSummary(panel: Page, lines: string[], expected: Expected): Promise<void> {
  await expect(panel.locator("#page-title")).toHaveText(expected.title);
  const author = panel.getByRole("figure");
  if (expected.description) await expect(author.locator("p")).toHaveText(expected.description);
  else await expect(author).toBeHidden();
  expect(await sentenceCount(panel), "sentences found").toBeGreaterThanOrEqual(expected.minSentences);
  const summary = [expected.description ?? "", ...lines].join("\n").toLowerCase();
  for (const part of expected.mustContain) expect(summary).toContain(part.toLowerCase());
  for (const part of expected.mustNotContain) expect(summary).not.toContain(part.toLowerCase());
}

async function checkAnswer(panel: Page, question: string, contains: string, expected: Expected): Promise<void> {
  await panel.getByRole("textbox", { name: "Ask this page" }).fill(question);
  await panel.keyboard.press("Enter");
  const answer = panel
    .locator(".question")
    .filter({ has: panel.getByRole("heading", { name: question, exact: true }) });
  await expect(answer.locator(".note, .nothing").filter({ visible: true }).first()).toBeVisible();
  const passages = await answer.locator(".passage").allTextContents();
  expect(passages.slice(0, 3).join("\n"), question).toContain(contains);
  for (const part of expected.mustNotContain)
    expect(passages.join("\n").toLowerCase()).not.toContain(part.toLowerCase());
}
