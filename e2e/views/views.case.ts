// Every view of the extension, in English and in Arabic, which runs from right to left. Nothing is checked here: a person looks.

import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as plain } from "../fixtures.ts";
import { launchFirefox } from "../harness/firefox-extension.ts";
import { launch } from "../harness/launch.ts";
import { EXTENSION_DIR, FIREFOX_EXTENSION_DIR } from "../harness/paths.ts";
import { openHistory } from "../helpers/history.ts";
import { chooseWriter, storeModel } from "../helpers/language-model.ts";
import { serveOwn } from "../helpers/own-server.ts";
import { openFile } from "../helpers/pdf-page.ts";
import { printPdf } from "../helpers/pdf.ts";
import { press, summarize, summaryLines } from "../helpers/panel.ts";
import { clickMenu, select } from "../helpers/selection.ts";
import { add, birdPage } from "../helpers/several-tabs.ts";
import { hasWriter } from "../helpers/writer.ts";
import { sheet } from "./sheet.ts";

// Each test has a browser of its own: a shared one would show what an earlier view left. The browsers here speak English; a copy of
// the extension says that it is in another language, as its packed messages for that language do.
const test = plain.extend<{ language: string }>({
  language: ["en", { option: true }],
  launched: async ({ browserName, language }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "pith-view-"));
    await cp(browserName === "firefox" ? FIREFOX_EXTENSION_DIR : EXTENSION_DIR, folder, { recursive: true });
    const file = join(folder, "_locales/en/messages.json");
    const messages = JSON.parse(await readFile(file, "utf8")) as { language: { message: string } };
    await writeFile(file, JSON.stringify({ ...messages, language: { message: language } }));
    const launched = browserName === "firefox" ? await launchFirefox({ folder }) : await launch({ extension: folder });
    await use(launched);
    await launched.close();
    await rm(folder, { recursive: true, force: true });
  },
});

const PAGE_SIZE = { width: 1000, height: 1000 };
const PANEL_HEIGHT = 1000;
const WRITE_MS = 400_000;

for (const language of ["en", "ar"]) {
  test.describe(language, () => {
    test.use({ language });

    test("panel", async ({ context, extension, page, site }) => {
      await page.goto(site.url("/article/"));
      const { panel } = await summarize(context, extension, page);
      await panel.setViewportSize({ width: 380, height: PANEL_HEIGHT });
      await summaryLines(panel);
      await sheet(panel, `${language}-panel-1-summary`);
      await panel.locator("#summary .passage").nth(1).click();
      await expect(panel.locator("[aria-current]")).toHaveCount(1);
      await panel.locator("#question").fill("How old can peat become?");
      await panel.locator("#ask-submit").click();
      await panel.locator(".question .passage").first().waitFor({ state: "attached" });
      await panel.locator("#question").fill("What is the capital of Mongolia?");
      await panel.locator("#ask-submit").click();
      await expect(panel.locator(".question").nth(1)).toBeVisible();
      await panel.waitForTimeout(1_000);
      await sheet(panel, `${language}-panel-2-answers`);
      await panel.locator("#settings-toggle").click();
      await sheet(panel, `${language}-panel-3-settings`);
    });

    test("panel without text", async ({ context, extension, page, site }) => {
      await page.goto(site.url("/empty/"));
      const { panel } = await summarize(context, extension, page);
      await expect(panel.locator("[role=alert]")).toBeVisible();
      await sheet(panel, `${language}-panel-4-no-text`);
    });

    test("a page in another language", async ({ context, extension, page, site }) => {
      await page.goto(site.url("/arabic/"));
      const { panel } = await summarize(context, extension, page);
      await panel.setViewportSize({ width: 380, height: PANEL_HEIGHT });
      await summaryLines(panel);
      await sheet(panel, `${language}-panel-5-arabic-page`);
    });

    test("selection and parts", async ({ context, extension, page, site }) => {
      await page.goto(site.url("/article/"));
      const { panel } = await summarize(context, extension, page);
      await panel.setViewportSize({ width: 380, height: PANEL_HEIGHT });
      await summaryLines(panel);
      await select(page, "article p");
      await clickMenu(extension, page, "translate");
      await panel.bringToFront();
      await expect(panel.locator("#act-text")).not.toHaveValue("");
      await sheet(panel, `${language}-panel-6-composer`);
      await panel.keyboard.press("Escape");
      await panel.locator("#pick").click();
      await panel.keyboard.press("ArrowDown");
      await expect(panel.locator(".outlined")).not.toBeEmpty();
      await sheet(panel, `${language}-panel-7-picking`);
      await sheet(page, `${language}-page-1-outlined`);
      await page.locator("article p").nth(1).click();
      await panel.bringToFront();
      await expect(panel.locator("#part")).toBeVisible();
      await summaryLines(panel);
      await sheet(panel, `${language}-panel-8-part`);
    });

    test("several tabs", async ({ context, extension, page, site }) => {
      await page.goto(birdPage(site, "alpharo"));
      const { panel } = await summarize(context, extension, page);
      await panel.setViewportSize({ width: 380, height: PANEL_HEIGHT });
      await summaryLines(panel);
      await panel.locator("#pages > .secondary").click();
      await sheet(panel, `${language}-panel-9-adding-pages`);
      const other = await context.newPage();
      await other.goto(birdPage(site, "bethoon"));
      await add(extension, other, "alpharo");
      await panel.bringToFront();
      await expect(panel.locator("#pages .page-list .name")).toHaveCount(2);
      await panel.locator("#question").fill("Where does the bethoon sleep in winter?");
      await panel.locator("#ask-submit").click();
      await panel.locator(".question .passage").first().waitFor({ state: "attached" });
      await sheet(panel, `${language}-panel-10-several-pages`);
    });

    test("written text", async ({ context, extension, page, site }) => {
      test.skip(!hasWriter, "SmolLM2 was not fetched");
      await page.goto(site.url("/article/"));
      const { panel } = await summarize(context, extension, page);
      await panel.setViewportSize({ width: 380, height: PANEL_HEIGHT });
      await summaryLines(panel);
      await chooseWriter(extension, "was-here-once.gguf");
      const writing = panel.locator("#writing");
      await writing.locator(".secondary:visible").first().click();
      await expect(panel.locator("[role=alert]")).toBeVisible();
      await sheet(panel, `${language}-panel-11-model-gone`);
      await storeModel(panel, extension);
      await panel.locator("#again").click();
      await summaryLines(panel);
      await writing.locator(".secondary:visible").first().click();
      await expect(writing).toHaveAttribute("aria-busy", "true");
      await sheet(panel, `${language}-panel-12-writing`);
      await expect(writing).not.toHaveAttribute("aria-busy", { timeout: WRITE_MS });
      await panel.locator("#question").fill("How old can peat become?");
      await panel.locator("#ask-submit").click();
      await expect(panel.locator(".question").first()).toBeVisible();
      await expect(panel.locator(".question").first()).not.toHaveAttribute("aria-busy", { timeout: WRITE_MS });
      await panel.locator("#reading").evaluate((one) => one.scrollTo(0, 0));
      await sheet(panel, `${language}-panel-13-written`);
      await panel.locator("#reading").evaluate((one) => one.scrollTo(0, one.scrollHeight));
      await sheet(panel, `${language}-panel-14-written-answer`);
      await select(page, "h2 + p");
      await clickMenu(extension, page, "explain");
      await panel.bringToFront();
      await expect(panel.locator("#act-text")).not.toHaveValue("");
      await panel.locator("#composer .primary").click();
      const turn = panel.locator("#act-list .turn");
      await expect(turn).toHaveCount(1);
      await expect(turn).not.toHaveAttribute("aria-busy", { timeout: WRITE_MS });
      await panel.locator("#reading").evaluate((one) => one.scrollTo(0, 0));
      await sheet(panel, `${language}-panel-15-act`);
      const models = await context.newPage();
      await models.setViewportSize({ width: 900, height: 1600 });
      await models.goto(extension.url("pages/models/index.html"));
      await models.waitForTimeout(5_000);
      await sheet(models, `${language}-models-installed`);
    });

    test("pages", async ({ context, extension, page, site }) => {
      await page.goto(site.url("/article/"));
      const { panel } = await summarize(context, extension, page);
      await summaryLines(panel);
      await panel.locator("#settings-toggle").click();
      await panel.locator("#settings input[type=checkbox]").last().check();
      await panel.locator("#again").click();
      await summaryLines(panel);
      for (const [name, height] of [
        ["welcome", 1200],
        ["models", 2000],
        ["actions", 1000],
        ["server", 1000],
      ] as const) {
        const own = await context.newPage();
        await own.setViewportSize({ width: 900, height });
        await own.goto(extension.url(`pages/${name}/index.html`));
        await own.waitForTimeout(4_000);
        await sheet(own, `${language}-${name}`);
        await own.close();
      }
      const history = await openHistory(context, extension);
      await history.setViewportSize({ width: 900, height: 1000 });
      await history.waitForTimeout(2_000);
      const entry = history.locator(".entry > summary").first();
      if (await entry.isVisible()) await entry.click();
      await sheet(history, `${language}-history`);
    });

    test("own server", async ({ context, extension }) => {
      const own = await serveOwn();
      await extension.allowHost(own.origin);
      const page = await context.newPage();
      await page.setViewportSize({ width: 900, height: 1200 });
      await page.goto(extension.url("pages/server/index.html"));
      await page.locator("#address").fill(own.origin);
      await page.locator("#test").click();
      await expect(page.locator("#result")).toBeVisible({ timeout: 60_000 });
      await sheet(page, `${language}-server-tested`);
      await own.close();
    });

    test("PDF", async ({ context, extension, page: article, site }) => {
      test.skip(
        test.info().project.name === "firefox",
        "Playwright cannot give a file to a page of an extension in Firefox",
      );
      await article.goto(site.url("/reading/essay-lighthouse/page.html"));
      const pdf = await printPdf(await article.locator("article").innerHTML());
      const page = await openFile(context, extension, "weight-of-a-light.pdf", pdf);
      await page.setViewportSize(PAGE_SIZE);
      await expect(page.locator(".page[data-drawn]").first()).toBeVisible();
      await sheet(page, `${language}-pdf`);
      await press(extension, page);
    });
  });
}
