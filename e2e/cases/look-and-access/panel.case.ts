// How the panel looks and who can use it: axe in every state, light and dark, with a picture of each.

import { expect, test } from "../../fixtures.ts";
import { FirefoxTargets } from "../../harness/firefox-extension.ts";
import { inspect, shots } from "../../helpers/inspect.ts";
import { choose, closeRealPanel, summarize, summaryLines } from "../../helpers/panel.ts";

// In Firefox Playwright hides the caret with a style of its own, which the panel's policy does not let in.
test.beforeEach(({ errors }) => errors.expect(/blocked an inline style/));

test(
  "summary, questions and settings have no violations",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await inspect(panel, "summary");

    await panel.locator("#summary .passage").nth(1).click();
    await expect(panel.locator("[aria-current]")).toHaveCount(1);
    await inspect(panel, "marked");

    await panel.getByRole("textbox", { name: "Ask this page" }).fill("How old can peat become?");
    await inspect(panel, "asking");
    await panel.keyboard.press("Enter");
    await panel.locator(".question .passage").first().waitFor({ state: "attached" });
    await inspect(panel, "answered");

    const settings = panel.getByRole("button", { name: "Settings" });
    await settings.click();
    await inspect(panel, "settings");
    await panel.keyboard.press("Escape");
    await expect(panel.locator("#settings")).toBeHidden();
    await expect(settings).toBeFocused();
  },
);

test("the keys of the shortcut open the panel, and no menu of the browser", async ({ site, extension, launched }) => {
  const { targets } = launched;
  test.skip(!(targets instanceof FirefoxTargets), "Chromium hears no keys of its own from a script");
  if (!(targets instanceof FirefoxTargets)) return;
  await choose(extension);
  const commands = await extension.evaluate<{ shortcut: string }[]>("background.js", "chrome.commands.getAll()");
  const url = site.url("/article/");
  await targets.openTab(url);
  await targets.pressShortcut(url, commands[0]!.shortcut.at(-1)!);
  const tab = await targets.tabId(url);
  await expect.poll(() => targets.urls()).toContainEqual(expect.stringContaining(`?tab=${tab}`));
  await closeRealPanel(extension, tab);
  await targets.closeTab(url);
});

test("an error has no violations", { tag: "@long-in-firefox" }, async ({ page, site, extension, context }) => {
  site.handle("/blank", (_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Blank</title>");
  });
  await page.goto(site.url("/blank"));
  const { panel } = await summarize(context, extension, page);
  await expect(panel.getByRole("alert")).toBeVisible();
  await inspect(panel, "error");
});

test("everything works with the keyboard alone, and at 300 pixels nothing is cut off", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page, { width: 300 });
  const lines = await summaryLines(panel);
  const width = await panel.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(300);
  await panel.screenshot({ path: shots("panel-narrow.png") });

  await panel.locator("#summary .passage").nth(2).focus();
  await panel.keyboard.press("Enter");
  await expect(panel.locator("#summary .passage").nth(2)).toHaveAttribute("aria-current", "location");
  // What has come is said to those who do not see it.
  await expect(panel.locator("#live")).toHaveText("Shown on the page.");

  // From the top. Behind the last one Firefox goes on to its own buttons, so this comes at the end.
  await panel.locator(".brand").click();
  const focused = () => panel.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  await panel.keyboard.press("Tab");
  const order: string[] = [];
  for (let i = 0; i < lines.length + 5; i++) {
    order.push(await focused());
    await panel.keyboard.press("Tab");
  }
  expect(order.filter((one) => lines.includes(one))).toEqual(lines);
});

test(
  "a line of a right-to-left page runs from right to left",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    const text =
      "بدأت زراعة القهوة في جبال اليمن قبل أكثر من خمسة قرون، ومنها انتقلت إلى أنحاء العالم عبر ميناء المخا. " +
      "ويعتمد المزارعون اليوم على المدرجات الجبلية القديمة التي تحفظ مياه الأمطار طوال العام. ";
    site.handle("/rtl", (_, response) => {
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(
          `<!doctype html><html lang="ar" dir="rtl"><title>القهوة</title><article><h1>القهوة</h1><p>${text}</p></article>`,
        );
    });
    await page.goto(site.url("/rtl"));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    const line = panel.locator("#summary .passage").first();
    await expect(line).toHaveAttribute("lang", "ar");
    expect(await line.evaluate((one) => getComputedStyle(one).direction)).toBe("rtl");
    await inspect(panel, "right-to-left");
  },
);
