// Pages in a language that the built-in model was not trained on, and code that a sentence announces.

import { expect, test } from "../../fixtures.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test(
  "questions about a page in German are answered by keywords, and the panel says why",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/german/"));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await expect(panel.locator("#summary .encoder-note")).toContainText("questions about this page (German)");
    await panel.getByRole("textbox", { name: "Ask this page" }).fill("Was ist das Thema?");
    await panel.keyboard.press("Enter");
    await panel.getByRole("textbox", { name: "Ask this page" }).fill("Wann wurde das Gebäude eröffnet?");
    await panel.keyboard.press("Enter");
    const second = panel.locator(".question").filter({ hasText: "eröffnet" });
    await expect(second.getByText("Found by keywords only", { exact: false })).toBeVisible();
    await expect(second.locator(".ran-on")).toBeHidden();
  },
);

test("a passage that announces code shows the code", async ({ page, site, extension, context }) => {
  const filler = (at: number) =>
    `<p>Paragraph ${at} tells of the harbour, of its boats, and of what the tide brings and takes every day of the year.</p>`;
  // A short command would stand in the sentence itself.
  const listing = Array.from({ length: 12 }, (_, at) => `arbor branch --delete experimental-${at}`).join("\n");
  site.handle("/code", (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(`<!doctype html><html lang="en"><title>Branches</title><main><h1>Branches</h1>${filler(1)}${filler(2)}
      <p>To delete a branch that was merged, run this command in a terminal:</p>
      <pre><code>${listing}</code></pre>${filler(3)}${filler(4)}</main></html>`);
  });
  await page.goto(site.url("/code"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await panel.getByRole("textbox", { name: "Ask this page" }).fill("How do I delete a merged branch?");
  await panel.keyboard.press("Enter");
  const first = panel.locator(".question .passages .passage").first();
  await expect(first).toContainText("To delete a branch");
  await expect(first.locator("code")).toContainText("arbor branch --delete experimental-0");
});
