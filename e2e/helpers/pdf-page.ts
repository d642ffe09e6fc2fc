// Pith's page for PDF files, as tests open it.

import type { BrowserContext, Page } from "@playwright/test";
import type { Extension } from "../fixtures.ts";

/** The page with a file of this computer. */
export async function openFile(
  context: BrowserContext,
  extension: Extension,
  name: string,
  file: Buffer,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(extension.url("pages/pdf/index.html"));
  await page.locator("#file").setInputFiles({ name, mimeType: "application/pdf", buffer: file });
  return page;
}

/** The page with a file of a site. */
export async function openAddress(context: BrowserContext, extension: Extension, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(extension.url(`pages/pdf/index.html?file=${encodeURIComponent(address)}`));
  return page;
}
