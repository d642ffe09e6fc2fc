// Questions to the page.

import { expect, test } from "../../fixtures.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { markedText, summarize, summaryLines } from "../../helpers/panel.ts";

test("a question is answered by the best passages, each leading to its place", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);

  const ask = async (question: string) => {
    await panel.getByRole("textbox", { name: "Ask this page" }).fill(question);
    await panel.keyboard.press("Enter");
    return panel.locator(".question").filter({ has: panel.getByRole("heading", { name: question }) });
  };
  const puffins = await ask("Where do the puffins dig their burrows?");
  await expect(puffins.locator(".passages .passage").first()).toContainText("puffins");
  await puffins.locator(".passages .passage").first().click();
  await expect.poll(() => markedText(page)).toContain("puffins");

  const football = await ask("Who won the football championship?");
  await expect(football.getByText("The page does not seem to say.")).toBeVisible();
  await expect(football.locator("> .passages")).toBeHidden();

  await expect(panel.getByRole("textbox", { name: "Ask this page" })).toHaveValue("");
  await expect(panel.locator(".question")).toHaveCount(2);
});

test("a question is asked of the page on the screen, which is read first where the tab has moved on", async ({
  page,
  site,
  extension,
  context,
  browserName,
}) => {
  test.skip(browserName === "firefox", "Firefox ends the permission for a page with its document");
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await page.goto(site.url("/article/"));
  await expect(panel.getByText("This tab shows another page now.")).toBeVisible();
  await panel.getByRole("button", { name: "Summarize it" }).click();
  await expect(panel.getByRole("heading", { level: 1 })).not.toHaveText("Skerry Point");
  await summaryLines(panel);
  await page.goBack();
  await expect(panel.getByText("This tab shows another page now.")).toBeVisible();

  const question = "Where do the puffins dig their burrows?";
  await panel.getByRole("textbox", { name: "Ask this page" }).fill(question);
  await panel.keyboard.press("Enter");
  await expect(panel.getByRole("heading", { level: 1 })).toHaveText("Skerry Point");
  const puffins = panel.locator(".question").filter({ has: panel.getByRole("heading", { name: question }) });
  await expect(puffins.locator(".passages .passage").first()).toContainText("puffins");
});
