// Reads a page that a case writes itself.

import type { Page } from "@playwright/test";
import type { Extension } from "../fixtures.ts";
import type { Site } from "../harness/server.ts";
import { closeRealPanel, press } from "./panel.ts";
import { type Collected, readPage } from "./sight.ts";

/** Serves a document, opens it, and gives what the content script reads of it. `tab`: for more of it. */
export async function readServed(
  site: Site,
  page: Page,
  extension: Extension,
  path: string,
  html: string,
  type = "text/html; charset=utf-8",
): Promise<Collected & { tab: number }> {
  site.handle(path, (_, response) => void response.setHeader("content-type", type).end(html));
  await page.goto(site.url(path));
  await page.waitForLoadState("load");
  // Firefox permits the page in the tab only, and no other that is opened there.
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const found = await readPage(extension, tab);
  if (typeof found === "string") throw new Error(found);
  return { ...found, tab };
}

/** The same of an English page with this body. */
export const readBody = (site: Site, page: Page, extension: Extension, path: string, title: string, body: string) =>
  readServed(
    site,
    page,
    extension,
    path,
    `<!doctype html><html lang="en"><title>${title}</title><body>${body}</body></html>`,
  );
