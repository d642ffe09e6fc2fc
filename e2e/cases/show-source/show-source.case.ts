// Clicking a sentence leads to its passage on the page.

import { expect, test } from "../../fixtures.ts";
import { JOINTS, markedText, press, summarize, summaryLines, unmarked } from "../../helpers/panel.ts";

test("each sentence marks exactly its own text and brings it into view", async ({ page, site, extension, context }) => {
  await page.setViewportSize({ width: 900, height: 500 });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page, { length: "long" });
  const lines = await summaryLines(panel);
  expect(lines.length).toBeGreaterThanOrEqual(5);
  for (const [index, line] of lines.entries()) {
    const button = panel.locator("#summary .passage").nth(index);
    await button.click();
    await expect.poll(() => unmarked(page, line)).toMatch(JOINTS);
    await expect(button).toHaveAttribute("aria-current", "location");
    await expect(panel.locator("[aria-current]")).toHaveCount(1);
    const inView = await page.evaluate(() => {
      const [range] = CSS.highlights.get("pith-passage") ?? [];
      const box = (range as Range).getBoundingClientRect();
      return box.top >= 0 && box.top < innerHeight;
    });
    expect(inView, line).toBe(true);
  }
  await panel.keyboard.press("Escape");
  await expect.poll(() => markedText(page)).toBeNull();
});

test(
  "Escape on the page takes the mark away",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await panel.locator("#summary .passage").first().click();
    await expect.poll(() => markedText(page)).not.toBeNull();
    await page.bringToFront();
    await page.keyboard.press("Escape");
    await expect.poll(() => markedText(page)).toBeNull();
  },
);

test(
  "a page that has drawn itself anew is searched for the same words",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page);
    const [line = ""] = await summaryLines(panel);
    await page.evaluate(() => {
      const article = document.querySelector("article");
      article?.replaceWith(article.cloneNode(true));
    });
    await panel.locator("#summary .passage").first().click();
    await expect.poll(() => unmarked(page, line)).toMatch(JOINTS);
    await page.evaluate(() => document.querySelector("article")?.remove());
    await panel.locator("#summary .passage").nth(1).click();
    await expect(panel.getByText("This passage is no longer on the page.")).toBeVisible();
  },
);

test(
  "another page in the tab is noticed and can be summarised",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context, browserName }) => {
    const paragraph = "Salt was once worth as much as silver, and roads were built to carry it across the mountains. ";
    site.handle("/salt", (_, response) => {
      response
        .setHeader("content-type", "text/html")
        .end(
          `<!doctype html><title>Salt roads</title><article><h1>Salt roads</h1><p>${paragraph.repeat(6)}</p></article>`,
        );
    });
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await page.goto(site.url("/salt"));
    // The same site: in Chromium the permission still holds, in Firefox it ends with the document.
    if (browserName === "firefox") {
      await expect(panel.getByRole("alert")).toContainText("Pith reads a page only when you ask it to.");
      await press(extension, page);
    } else {
      await expect(panel.getByText("This tab shows another page now.")).toBeVisible();
      await panel.getByRole("button", { name: "Summarize it" }).click();
    }
    await expect(panel.getByRole("heading", { level: 1 })).toHaveText("Salt roads");
    await summaryLines(panel);
    await expect(panel.getByText("This tab shows another page now.")).toBeHidden();
  },
);
