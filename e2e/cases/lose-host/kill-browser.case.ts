// The browser is killed: with a history, what was on the screen is there again and goes on.

import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { expect, extensionOf, test, type Extension } from "../../fixtures.ts";
import { killBrowser, launch, type Launched } from "../../harness/launch.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { records, turnHistory } from "../../helpers/history.ts";
import { ask, storeModel, WRITE_MS, writtenLines } from "../../helpers/language-model.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

/** Drafts are kept this often, and a little is on its way. */
const KEPT_MS = 2_500;

const NO_PROFILE = "Playwright starts no Firefox with the profile of another one";

const writing = (panel: Page) => panel.locator("#writing");

test(
  "a summary that was being written when the browser was killed goes on where it was",
  { tag: "@long" },
  async ({ site, browserName }, info) => {
    test.skip(browserName === "firefox", NO_PROFILE);
    test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
    test.setTimeout(4 * WRITE_MS);
    const profile = info.outputPath("profile");
    const options = { length: "long" } as const;
    const open = async (browser: Launched): Promise<{ panel: Page; extension: Extension }> => {
      const extension = extensionOf(browser);
      const page = await browser.context.newPage();
      await page.goto(site.url("/article/"));
      return { extension, ...(await summarize(browser.context, extension, page, options)) };
    };
    const before = await launch({ profile });
    const { panel, extension } = await open(before);
    const keySentences = await summaryLines(panel);
    await turnHistory(panel, true);
    await storeModel(panel, extension);
    await writing(panel).getByRole("button", { name: "Write a summary" }).click();
    await expect(writing(panel)).toHaveAttribute("aria-busy", "true");
    const whole = await writtenLines(writing(panel));
    test.skip(whole.length < 4, "the model may not write this");
    const asked = await ask(panel, "How old can peat become?");
    const answer = await writtenLines(asked);

    // The same text once more, and the end in the middle of it.
    await panel.getByRole("button", { name: "Summarize again" }).click();
    const written = writing(panel).locator(".written");
    await expect(writing(panel)).toHaveAttribute("aria-busy", "true");
    await expect(written.nth(2)).toBeVisible({ timeout: WRITE_MS });
    await setTimeout(KEPT_MS);
    const shown = await written.allInnerTexts();
    expect(shown.length).toBeLessThan(whole.length);
    await killBrowser(before);

    const after = await launch({ profile });
    const { panel: again } = await open(after);
    // Behind what was written.
    expect((await summaryLines(again)).slice(-keySentences.length)).toEqual(keySentences);
    await expect(again.locator(".question .written")).toHaveText(answer);
    const alert = writing(again).getByRole("alert");
    await expect(alert).toContainText("What was written so far stays");
    const left = await writing(again).locator(".written").allInnerTexts();
    expect(left.length).toBeGreaterThanOrEqual(3);
    expect(left).toEqual(whole.slice(0, left.length));
    const begun_ms = Date.now();
    await writing(again).getByRole("button", { name: "Continue" }).click();
    await expect(writing(again)).toHaveAttribute("aria-busy", "true");
    expect((await writing(again).locator(".written").count()) >= left.length).toBe(true);
    expect(await writtenLines(writing(again))).toEqual(whole);
    const figures = `${left.length} of ${whole.length} lines were there; the rest came in ${Date.now() - begun_ms} ms`;
    info.annotations.push({ type: "continued", description: figures });
    await after.close();
  },
);

test("after a crash answers are there again where there is a history, and until the tab is closed", async ({
  site,
  browserName,
}, info) => {
  test.skip(browserName === "firefox", NO_PROFILE);
  test.slow();
  const profile = info.outputPath("profile");
  let browser = await launch({ profile });
  const open = async () => {
    const page = await browser.context.newPage();
    await page.goto(site.url("/article/"));
    return { page, ...(await summarize(browser.context, extensionOf(browser), page)) };
  };
  const crash = async () => {
    await setTimeout(KEPT_MS);
    await killBrowser(browser);
    browser = await launch({ profile });
    return open();
  };
  const first = await open();
  const lines = await summaryLines(first.panel);
  await expect((await ask(first.panel, "How old can peat become?")).locator(".passage").first()).toBeVisible();
  const { panel } = await crash();
  expect(await summaryLines(panel)).toEqual(lines);
  await expect(panel.locator(".question")).toHaveCount(0);
  expect(await records(panel, "open")).toBeNull();

  await turnHistory(panel, true);
  const question = await ask(panel, "How old can peat become?");
  await expect(question.locator(".passage").first()).toBeVisible();
  const answer = await question.locator(".passage").first().innerText();
  const { panel: again, page } = await crash();
  expect(await summaryLines(again)).toEqual(lines);
  await expect(again.locator(".question .passage").first()).toHaveText(answer);
  // It goes on from there.
  await expect((await ask(again, "Where is the moor?")).locator(".passage, .nothing").first()).toBeVisible();
  await expect(again.locator(".question")).toHaveCount(2);

  // A page whose tab is closed is kept no longer.
  expect(await records(again, "open")).toHaveLength(1);
  await page.close();
  await expect.poll(() => records(again, "open")).toEqual([]);
  await browser.close();
});
