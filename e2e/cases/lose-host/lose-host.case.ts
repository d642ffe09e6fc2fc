// The host ends while it answers: the panel says so, and goes on with another.

import { expect, test } from "../../fixtures.ts";
import { FirefoxTargets } from "../../harness/firefox-extension.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test("a host that dies mid-answer is told of, and nothing old stays", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await panel.getByRole("textbox", { name: "Ask this page" }).fill("How old can peat become?");
  await panel.keyboard.press("Enter");
  await expect(panel.locator(".question")).toHaveCount(1);
  await extension.endHost();

  await expect(panel.getByRole("alert")).toContainText("The part of Pith that runs the model has stopped");
  await expect(panel.locator("#live")).toBeEmpty();
  await expect(panel.locator("#summary .passage")).toHaveCount(0);
  await expect(panel.locator(".question")).toHaveCount(0);

  await panel.getByRole("button", { name: "Try again" }).click();
  expect((await summaryLines(panel)).length).toBe(5);
  await expect(panel.getByRole("alert")).toHaveCount(0);
});

test("an update waits for the last page that is held", async ({ page, site, extension, context, launched }) => {
  test.skip(!(launched.targets instanceof FirefoxTargets), "Chrome itself waits until the host has ended");
  const targets = launched.targets as FirefoxTargets;
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await targets.offerUpdate();
  await panel.close();
  await page.waitForTimeout(1_000);
  expect(await targets.isUpdated()).toBe(false);
  await page.close();
  await expect.poll(() => targets.isUpdated()).toBe(true);
});
