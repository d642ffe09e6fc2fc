// The GPU's process dies while a question is answered: the panel says that the model is loaded again, and the answer comes.

import { expect, test } from "../../fixtures.ts";
import { ask } from "../../helpers/language-model.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test("an answer survives the loss of the GPU, and the panel says what happens", async ({
  page,
  site,
  extension,
  context,
  browserName,
  errors,
}) => {
  test.skip(browserName === "firefox", "only Chromium has a command that ends the GPU's process");
  test.setTimeout(400_000);
  errors.expect(/./);
  // Few sentences: the software GPU takes seconds for each.
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page, { backend: "webgl2" });
  await summaryLines(panel);
  const question = await ask(panel, "Where do the puffins dig?");
  const progress = question.locator(".progress .progress-words");
  await expect(progress).toContainText("Reading passages", { timeout: 120_000 });
  const browser = await context.browser()!.newBrowserCDPSession();
  await browser.send("Browser.crashGpuProcess");
  await expect(progress).toContainText("Computation was interrupted; loading the model again");
  await expect(question.locator(".ran-on")).toContainText("GPU", { timeout: 240_000 });
  await expect(question.locator(".passage").first()).toContainText("puffins");
  await expect(panel.getByRole("alert")).toHaveCount(0);
});
