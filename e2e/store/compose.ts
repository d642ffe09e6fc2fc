// One picture of the size that stores ask for: a page with Pith's panel beside it, as the browser shows them.

import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";

/** The size of pictures in the Chrome Web Store. Mozilla's recommends the same proportions. */
export const SIZE = { width: 1280, height: 800 };
/** The panel's part of it. A reader can make it wider or narrower. */
const PANEL_WIDTH = 440;
const LINE_WIDTH = 1;
export const PAGE_SIZE = { width: SIZE.width - PANEL_WIDTH - LINE_WIDTH, height: SIZE.height };

/** Where a picture is written. */
export function pictureFile(name: string): string {
  const folder = process.env.PITH_SCREENSHOTS;
  if (!folder)
    throw new Error("PITH_SCREENSHOTS names no folder: use `cargo xtask package --screenshots`, or views.ts");
  mkdirSync(folder, { recursive: true });
  return resolve(folder, `${name}.png`);
}

/** Gives the panel its place in the picture. */
export async function fitPanel(panel: Page, colorScheme: "light" | "dark" = "light"): Promise<void> {
  await panel.setViewportSize({ width: PANEL_WIDTH, height: SIZE.height });
  await panel.emulateMedia({ colorScheme });
}

/** Moves the pointer away and lets what moves come to rest. */
async function take(page: Page): Promise<string> {
  await page.bringToFront();
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  const picture = await page.screenshot({ animations: "disabled" });
  return `data:image/png;base64,${picture.toString("base64")}`;
}

/** Writes the picture of a page with the panel at its side. Both are shown as they are. */
export async function writePair(context: BrowserContext, name: string, page: Page, panel: Page): Promise<void> {
  const [left, right] = [await take(page), await take(panel)];
  const sheet = await context.newPage();
  await sheet.setViewportSize(SIZE);
  await sheet.setContent(
    `<style>body { margin: 0; display: flex; background: #c4c7cc; gap: ${LINE_WIDTH}px } img { display: block }</style>
    <img src="${left}"><img src="${right}">`,
  );
  await sheet.screenshot({ path: pictureFile(name) });
  await sheet.close();
}

/** Writes the picture of a page that fills the window. */
export async function writePage(name: string, page: Page): Promise<void> {
  await page.bringToFront();
  await page.waitForTimeout(300);
  await page.screenshot({ path: pictureFile(name), animations: "disabled" });
}
