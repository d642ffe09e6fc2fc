// The GPU's process dies while a page is read: the panel says that the model is loaded again, and the summary comes.

import { expect, test } from "../../fixtures.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test("a summary survives the loss of the GPU, and the panel says what happens", async ({
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
  await page.goto(site.url("/recipe/"));
  const { panel } = await summarize(context, extension, page, { backend: "webgl2" });
  const progress = panel.locator("#summary article > .progress .progress-words");
  await expect(progress).toContainText("Reading passages", { timeout: 120_000 });
  const browser = await context.browser()!.newBrowserCDPSession();
  await browser.send("Browser.crashGpuProcess");
  await expect(progress).toContainText("Computation was interrupted; loading the model again");
  await expect(panel.locator("#summary .facts")).toBeVisible({ timeout: 240_000 });
  expect((await summaryLines(panel)).length).toBeGreaterThan(2);
  await expect(panel.getByRole("alert")).toHaveCount(0);
  await expect(panel.locator(".ran-on")).toContainText("GPU");
});
