// The host ends while it answers: the panel says so, and goes on with another.

import { expect, test } from "../../fixtures.ts";
import { FirefoxTargets } from "../../harness/firefox-extension.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

/** What Firefox says of calls that were under way in a background page that it ends; no code runs there any more. */
const ENDED = /InvalidStateError: An exception was thrown \(moz-extension:.*background\.js\)/;

test("when the host dies mid-answer, what was on screen stays and is continued", async ({
  page,
  site,
  extension,
  context,
  errors,
}) => {
  errors.expect(ENDED);
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  const lines = await summaryLines(panel);
  const ask = async (question: string) => {
    await panel.getByRole("textbox", { name: "Ask this page" }).fill(question);
    await panel.keyboard.press("Enter");
  };
  await ask("How old can peat become?");
  await expect(panel.locator(".question").first().locator(".passage").first()).toBeVisible();
  const answer = await panel.locator(".question .passage").first().textContent();
  await ask("Where is the moor?");
  await expect(panel.locator(".question")).toHaveCount(2);
  await extension.endHost();

  // Everything is there; what was not finished says so.
  await panel.waitForTimeout(500);
  expect(await summaryLines(panel)).toEqual(lines);
  expect(await panel.locator(".question .passage").first().textContent()).toBe(answer);
  await expect(panel.locator("#live")).not.toContainText("Summary ready");
  const second = panel.locator(".question").nth(1);
  const continued = second.getByRole("button", { name: "Continue" });
  // It may have been answered just before the end.
  if (await continued.isVisible()) {
    await expect(second.getByRole("alert")).toContainText("What was written so far stays");
    await continued.click();
  }
  await expect(second.locator(".passage, .nothing").first()).toBeVisible();

  // The new host knows the page and the conversation.
  await ask("How old can peat become?");
  await expect(panel.locator(".question")).toHaveCount(3);
  await expect(panel.locator(".question").nth(2).locator(".passage").first()).toHaveText(answer ?? "");
  expect(await summaryLines(panel)).toEqual(lines);
  await expect(panel.getByRole("alert")).toHaveCount(0);
});

test("what was under way when the host died is unfinished, and continues at a click", async ({
  page,
  site,
  extension,
  context,
  launched,
  browserName,
}) => {
  test.skip(browserName === "firefox", "nothing can be run in a worker of an extension from outside");
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  const lines = await summaryLines(panel);
  await launched.targets.hangWorker();
  await panel.getByRole("textbox", { name: "Ask this page" }).fill("How old can peat become?");
  await panel.keyboard.press("Enter");
  await expect(panel.locator(".question")).toHaveCount(1);
  await extension.endHost();

  const question = panel.locator(".question");
  await expect(question.getByRole("alert")).toContainText("What was written so far stays");
  expect(await summaryLines(panel)).toEqual(lines);
  await question.getByRole("button", { name: "Continue" }).click();
  await expect(question.locator(".passage").first()).toBeVisible();
  await expect(panel.getByRole("alert")).toHaveCount(0);
  expect(await summaryLines(panel)).toEqual(lines);
});

test(
  "a worker that hangs is replaced: its request has an error of its own, and the others are answered",
  { tag: "@long" },
  async ({ page, site, extension, context, launched, browserName }) => {
    test.skip(browserName === "firefox", "nothing can be run in a worker of an extension from outside");
    // The worker may be silent for a minute.
    test.setTimeout(240_000);
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    const other = await context.newPage();
    await other.goto(site.url("/recipe/"));
    const { panel: otherPanel } = await summarize(context, extension, other);
    await summaryLines(otherPanel);
    const ask = async (of: typeof panel, question: string) => {
      await of.getByRole("textbox", { name: "Ask this page" }).fill(question);
      await of.keyboard.press("Enter");
    };
    await launched.targets.hangWorker();
    await ask(panel, "How old can peat become?");
    await ask(otherPanel, "How long does it bake?");
    await expect(panel.getByText("took too long and was terminated")).toBeVisible({ timeout: 120_000 });
    await expect(otherPanel.locator(".question .passage").first()).toBeVisible({ timeout: 60_000 });
    // The next one is answered by the new worker.
    await ask(panel, "How old can peat become?");
    await expect(panel.locator(".question .passage").first()).toBeVisible({ timeout: 60_000 });
  },
);

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
