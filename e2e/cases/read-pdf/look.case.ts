// The PDF page for everyone: axe, keyboard, themes, right-to-left, narrow windows.

import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { paperHtml } from "../../helpers/paper.ts";
import { openFile } from "../../helpers/pdf-page.ts";
import { printPdf, writePdf } from "../../helpers/pdf.ts";

const SHOTS = process.env.PITH_SHOTS;
const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/pdf-${name}.png` });
};

let paper: Buffer;
test.beforeAll(async () => {
  paper = await printPdf(paperHtml(), { header: "Journal of Mills, Volume 7" });
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`nothing to complain about, ${colorScheme}`, async ({ context, extension, browserName }) => {
    test.skip(browserName === "firefox", "axe cannot be put into pages of extensions there");
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    const check = async (name: string, withPages = false): Promise<void> => {
      await shoot(page, `${name}-${colorScheme}`);
      // Of the pages' own words there are thousands, all alike.
      const axe = new AxeBuilder({ page });
      const { violations } = await (withPages ? axe : axe.exclude(".page")).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    };
    const give = (name: string, buffer: Buffer) =>
      page.locator("#file").setInputFiles({ name, mimeType: "application/pdf", buffer });
    await page.goto(extension.url("pages/pdf/index.html"));
    await expect(page.getByRole("heading", { name: "Open a PDF file" })).toBeVisible();
    await check("start");
    await give("secret.pdf", writePdf([["A secret."]], "lamp"));
    await expect(page.getByLabel("Password")).toBeVisible();
    await check("password");
    await give("broken.pdf", Buffer.from("%PDF-1.7 nothing"));
    await expect(page.getByRole("alert")).toBeVisible();
    await check("broken");
    await give("mills.pdf", paper);
    await expect(page.locator(".page[data-drawn]").first()).toBeVisible();
    await check("pages", true);
    await page.setViewportSize({ width: 320, height: 640 });
    await expect(page.locator(".page[data-drawn]").first()).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await check("narrow");
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    await page.setViewportSize({ width: 900, height: 640 });
    await check("rtl");
  });
}

test("the keyboard turns pages, zooms and goes to a page", async ({ context, extension }) => {
  const page = await openFile(context, extension, "mills.pdf", paper);
  await expect(page.locator(".page[data-drawn]").first()).toBeVisible();
  const field = page.locator("#page-number");
  const pages = page.locator("#pages");
  await pages.focus();
  await page.keyboard.press("ArrowRight");
  await expect(field).toHaveValue("2");
  await page.keyboard.press("ArrowLeft");
  await expect(field).toHaveValue("1");
  const widthOf = () =>
    page
      .locator(".page")
      .first()
      .evaluate((one) => one.clientWidth);
  const before = await widthOf();
  await page.keyboard.press("+");
  await expect.poll(widthOf).toBeGreaterThan(before);
  await page.keyboard.press("0");
  await expect.poll(widthOf).toBe(before);
  await field.fill("3");
  await field.press("Enter");
  // What lies on it depends on the fonts of the system; its header does not.
  await expect(page.locator(".page[data-page='3'] .text-layer")).toContainText("Journal of Mills, Volume 7");
  // What is beside no page is put right.
  await field.fill("99");
  await field.press("Enter");
  await expect(field).toHaveValue("3");
  // The words can be selected where they are seen.
  const selected = await page
    .locator(".page[data-page='3'] .text-layer span")
    .first()
    .evaluate((span) => {
      getSelection()!.selectAllChildren(span);
      const { width, height } = getSelection()!.getRangeAt(0).getBoundingClientRect();
      return { text: String(getSelection()), width, height };
    });
  expect(selected.text.length).toBeGreaterThan(10);
  expect(selected.width).toBeGreaterThan(100);
  expect(selected.height).toBeGreaterThan(5);
});

test("2,000 pages: places for all, pictures of a few", async ({ context, extension }) => {
  const many = writePdf(
    Array.from({ length: 2_000 }, (_, at) => [
      `Page ${at + 1} tells of the year ${at + 1}.`,
      `In that year the harbour was visited by ${at + 7} ships, and each of them paid its toll in salt.`,
    ]),
  );
  const page = await openFile(context, extension, "many.pdf", many);
  await expect(page.locator("#page-count")).toHaveText("of 2,000");
  const field = page.locator("#page-number");
  for (const number of ["700", "1400", "2000"]) {
    await field.fill(number);
    await field.press("Enter");
    await expect(page.locator(`.page[data-page='${number}'] .text-layer`)).toContainText(`the year ${number}.`);
  }
  expect(await page.locator(".page canvas").count()).toBeLessThan(16);
});
