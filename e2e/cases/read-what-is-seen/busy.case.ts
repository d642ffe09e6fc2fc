// A page whose thread is busy cannot answer: cancel works all the same, and what it answers later is dropped.

import { expect, test } from "../../fixtures.ts";
import { choose, closeRealPanel, openPanel, press, summaryLines } from "../../helpers/panel.ts";

const BUSY_MS = 6_000;
const CANCEL_MS_MAX = 500;

test("cancel ends the wait for a busy page at once; its late answer changes nothing", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(site.url("/article/"));
  await choose(extension);
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const panel = await openPanel(context, extension, tab);
  await summaryLines(panel);
  const before = await panel.locator("#summary .facts").innerText();

  // Begins at once, and not before the answer to this call has left.
  await page.evaluate((busy_ms) => {
    setTimeout(() => {
      for (const end = performance.now() + busy_ms; performance.now() < end;);
      document.title = "awake";
    }, 50);
  }, BUSY_MS);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await panel.getByRole("button", { name: "Summarize again" }).click();
  const cancel = panel.getByRole("button", { name: "Cancel" });
  await expect(cancel).toBeVisible();
  const from_ms = Date.now();
  await cancel.click();
  await expect(panel.locator("#summary .stopped")).toBeVisible({ timeout: CANCEL_MS_MAX });
  await expect(cancel).toBeHidden({ timeout: CANCEL_MS_MAX });
  expect(Date.now() - from_ms).toBeLessThan(CANCEL_MS_MAX * 2);
  await expect(panel.locator("#live")).toHaveText("Stopped.");

  // The page wakes and answers: the panel stays as it was.
  await expect.poll(() => page.title(), { timeout: BUSY_MS * 2 }).toBe("awake");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await expect(panel.locator("#summary .stopped")).toBeVisible();
  expect(await panel.locator("#summary .facts").innerText()).toBe(before);

  await panel.locator("#summary .stopped").getByRole("button", { name: "Try again" }).click();
  await expect(panel.locator("#summary .stopped")).toBeHidden();
  await summaryLines(panel);
});
