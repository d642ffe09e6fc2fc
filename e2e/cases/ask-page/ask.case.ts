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
  await expect(football.getByText("Nothing on this page answers that.")).toBeVisible();
  await expect(football.locator("> .passages")).toBeHidden();

  await expect(panel.getByRole("textbox", { name: "Ask this page" })).toHaveValue("");
  await expect(panel.locator(".question")).toHaveCount(2);
});
