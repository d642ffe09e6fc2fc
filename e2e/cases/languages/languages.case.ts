// Every page of the extension in every language: its own direction, its own words, and no sideways scrolling at 320 px. With
// the long suites all languages.

import { readdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { DIST, messagesOf, speak } from "../../helpers/languages.ts";
import { choose, closeRealPanel, press } from "../../helpers/panel.ts";

const OWN = ["ar", "de", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt_BR", "zh_CN"];
/** One from right to left and one without spaces; with the long suites all. */
const LANGUAGES = process.env.PITH_FULL ? OWN : ["ar", "ja"];

/** The unit of "0.9 s". */
function secondsIn(language: string): string {
  const unit = new Intl.NumberFormat(language, { style: "unit", unit: "second", unitDisplay: "short" });
  return unit.formatToParts(0.9).find(({ type }) => type === "unit")!.value;
}

/** Elements that reach beyond the page. */
const wide = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("body *")]
      .filter((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        const isUnseen = getComputedStyle(one).position === "absolute" && width <= 1;
        return !isUnseen && width > 0 && (right > innerWidth + 1 || left < -1);
      })
      .map((one) => `${one.tagName.toLowerCase()}.${one.className} ${one.textContent?.slice(0, 60)}`),
  );

test("the package has all languages", () => {
  expect(readdirSync(`${DIST}/_locales`).sort()).toEqual([...OWN, "en", "en_GB"].sort());
});

for (const language of LANGUAGES) {
  test(`${language}: all pages at 320 px`, async ({ page, site, extension, context }, info) => {
    test.setTimeout(180_000);
    const messages = messagesOf(language);
    const direction = messages["direction"]!;
    await choose(extension, { length: "short" });
    await page.goto(site.url("/article/"));
    const tab = await press(extension, page);
    await closeRealPanel(extension, tab);

    const folders = readdirSync(`${DIST}/pages`, { withFileTypes: true }).filter((one) => one.isDirectory());
    const pages = folders.map(({ name }) => `pages/${name}/index.html`);
    for (const path of [`sidepanel/index.html?tab=${tab}`, ...pages]) {
      const own = await context.newPage();
      await own.setViewportSize({ width: 320, height: 900 });
      await speak(own, messages["language"]!);
      await own.goto(extension.url(path));
      const html = own.locator("html");
      await expect(html).toHaveAttribute("lang", messages["language"]!);
      await expect(html).toHaveAttribute("dir", direction);
      if (path.startsWith("sidepanel")) {
        await expect(own.locator("#summary .passage").first()).toBeVisible();
        // Numbers have the language of the texts around them, not that of the browser, where those differ.
        await expect(own.locator("#summary .facts")).toContainText(secondsIn(messages["language"]!));
        await own.locator("#settings-toggle").click();
      } else {
        await expect(own.locator("h1")).toBeVisible();
      }
      expect(await wide(own), path).toEqual([]);
      const name = `${language}-${path.split("/").at(-2)}.png`;
      await own.screenshot({ path: info.outputPath(name), fullPage: true });
      await own.close();
    }
  });
}

test("a browser that does not say which language it chose gets the texts in its own", async ({
  extension,
  context,
  errors,
}) => {
  // Of its own variant there are none.
  errors.expect(/messages\/en-\w+\.json|ERR_FILE_NOT_FOUND/);
  const own = await context.newPage();
  await speak(own, "");
  await own.goto(extension.url("pages/actions/index.html"));
  await expect(own.locator("html")).toHaveAttribute("lang", "en");
  await expect(own.getByRole("heading", { level: 1 })).toHaveText("Own actions");
});
