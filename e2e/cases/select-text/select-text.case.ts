// Text that is selected on a page: what is sent can be edited, and comes from the page itself.

import { expect, test } from "../../fixtures.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize } from "../../helpers/panel.ts";
import { clickMenu, select } from "../../helpers/selection.ts";

// The panel may only be opened by a gesture: the click in the menu is none here.
test.beforeEach(({ errors }) => errors.expect(/sidePanel|user gesture|user input|inline style/));

test("what is sent can be edited, and without a model the key sentences come", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await select(page, "article, main, body");
  await clickMenu(extension, page, "summarize");
  await expect(panel.getByRole("combobox", { name: "Action" })).toHaveValue("summarize");
  const quote = panel.locator("#act-text");
  await expect(quote).toHaveValue(/^\S[^]*built in 1867[^]*\S$/);
  await expect(panel.getByRole("textbox", { name: "Instruction" })).toHaveValue(/at most three sentences/);
  await expect(panel.getByText("Without a language model, Pith selects the key sentences")).toBeVisible();
  await panel.getByRole("textbox", { name: "Instruction" }).press("Enter");
  const act = panel.getByRole("article", { name: "Summarize" });
  await expect(act.locator("ul.answer li").first()).toBeVisible();
  await expect(act.getByText(/^Key sentences of the selected text/)).toBeVisible();

  // The other actions say what they need, before and after.
  await select(page, "p");
  await clickMenu(extension, page, "explain");
  await expect(panel.getByText("This action needs a language model.")).toBeVisible();
  await expect(panel.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
  await panel.keyboard.press("Escape");
  await expect(quote).toBeHidden();
});
