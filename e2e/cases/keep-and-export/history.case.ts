// The history: off until asked for, then what was read can be found, exported and deleted.

import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { shots } from "../../helpers/inspect.ts";
import { openHistory, records, turnHistory } from "../../helpers/history.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test.use({ freshProfile: true });
// In Firefox Playwright hides the caret with a style of its own, which the pages' policy does not let in.
test.beforeEach(({ errors }) => errors.expect(/blocked an inline style/));

async function inspect(page: Page, state: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
      state,
    ).toEqual([]);
    await page.screenshot({ path: shots(`history-${state}-${colorScheme}.png`), fullPage: true });
  }
}

const search = (history: Page) => history.getByRole("textbox", { name: "Search by words or meaning" });

test("nothing is kept until asked for, and nothing any more when it is turned off", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  expect(await records(panel, "entries")).toBeNull();
  const history = await openHistory(context, extension);
  await expect(history.getByText("The history is off and empty.")).toBeVisible();
  await inspect(history, "off");
  // To look made no database either.
  expect(await records(history, "entries")).toBeNull();

  await panel.bringToFront();
  await turnHistory(panel, true);
  await expect(history.getByRole("checkbox", { name: "Keep a history" })).toBeChecked();
  expect(await records(history, "entries")).toEqual([]);
  await panel.getByRole("button", { name: "Summarize again" }).click();
  await expect(history.locator(".entry")).toHaveCount(1);

  await turnHistory(panel, false);
  await panel.getByRole("textbox", { name: "Ask this page" }).fill("Where do the puffins dig their burrows?");
  await panel.keyboard.press("Enter");
  await panel.locator(".question .passage").first().waitFor({ state: "attached" });
  const [entry] = (await records<{ document: { questions: unknown[] } }>(history, "entries"))!;
  expect(entry?.document.questions).toEqual([]);
});

test(
  "pages are found by words and by meaning, and go when they are deleted",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    test.setTimeout(240_000);
    await page.goto(lighthouse(site));
    const first = await summarize(context, extension, page);
    await summaryLines(first.panel);
    await turnHistory(first.panel, true);
    await first.panel.getByRole("button", { name: "Summarize again" }).click();
    await first.panel.getByRole("textbox", { name: "Ask this page" }).fill("When was the tower made automatic?");
    await first.panel.keyboard.press("Enter");
    await first.panel.locator(".question .passage").first().waitFor({ state: "attached" });
    const other = await context.newPage();
    await other.goto(site.url("/article/"));
    const second = await summarize(context, extension, other);
    await summaryLines(second.panel);

    const history = await openHistory(context, extension);
    const titles = history.locator(".entry h3");
    await expect(titles).toHaveCount(2);
    await expect(titles.last()).toHaveText("Skerry Point");
    const vectors = () => records<{ parts: object }>(history, "vectors");
    await expect.poll(async () => (await vectors())?.flatMap(({ parts }) => Object.keys(parts)).length).toBe(3);

    // No word of this stands in either page.
    await search(history).fill("seabird nests");
    await expect(history.locator(".group h2")).toHaveText(["Similar in meaning"]);
    await expect(titles.first()).toHaveText("Skerry Point");
    await expect(history.locator(".match").first()).toContainText("puffins");
    await inspect(history, "meaning");
    await search(history).fill("BURROWS");
    await expect(history.locator(".group h2").first()).toHaveText("Contains all words");
    await expect(titles.first()).toHaveText("Skerry Point");
    await search(history).fill("football championship");
    await expect(history.getByText("Nothing found.")).toBeVisible();
    await search(history).fill("");
    await expect(titles).toHaveCount(2);

    // With the keyboard.
    const summary = history.locator(".entry > summary").last();
    await summary.focus();
    await history.keyboard.press("Enter");
    await expect(history.getByRole("heading", { name: "When was the tower made automatic?" })).toBeVisible();
    const link = history.getByRole("link", { name: "Show on the page" }).first();
    await expect(link).toHaveAttribute("href", /\/lighthouse#:~:text=The%20lighthouse/);
    await inspect(history, "open");

    await history.evaluate(() => void (document.documentElement.dir = "rtl"));
    await inspect(history, "right-to-left");
    await history.evaluate(() => void (document.documentElement.dir = "ltr"));

    await history.setViewportSize({ width: 320, height: 640 });
    expect(await history.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await inspect(history, "narrow");
    await history.setViewportSize({ width: 1280, height: 720 });

    await history.getByRole("button", { name: "Delete “Skerry Point”" }).click();
    await expect(titles).toHaveCount(1);
    await expect(history.locator("#status")).toHaveText("Deleted.");
    await expect(history.locator(".entry > summary")).toBeFocused();
    expect(await records(history, "vectors")).toHaveLength(1);

    await history.getByRole("button", { name: "Delete the whole history" }).click();
    await expect(history.getByRole("dialog")).toContainText("Pages kept: 1.");
    await inspect(history, "ask");
    await history.keyboard.press("Escape");
    await expect(titles).toHaveCount(1);
    await history.getByRole("button", { name: "Delete the whole history" }).click();
    await history.getByRole("button", { name: "Delete all", exact: true }).click();
    await expect(titles).toHaveCount(0);
    expect(await records(history, "entries")).toEqual([]);
    expect(await records(history, "vectors")).toEqual([]);
    await expect(history.getByText("Nothing has been kept yet.")).toBeVisible();
  },
);

test(
  "without the host a search goes by words",
  { tag: "@long" },
  async ({ page, site, extension, context, browserName }) => {
    test.skip(browserName === "firefox", "there the host is in the background page, which no page can be without");
    await page.goto(lighthouse(site));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await turnHistory(panel, true);
    await panel.getByRole("button", { name: "Summarize again" }).click();
    const history = await openHistory(context, extension);
    await expect(history.locator(".entry")).toHaveCount(1);
    await history.evaluate(() => {
      // As where the browser gives no host: nobody can be reached.
      const { chrome } = globalThis as unknown as { chrome: { runtime: { connect(): never } } };
      chrome.runtime.connect = () => {
        throw new Error("no host");
      };
    });
    await search(history).fill("paraffin");
    await expect(history.locator("#status")).toContainText("Searched by words only");
    await expect(history.locator(".entry")).toHaveCount(1);
  },
);
