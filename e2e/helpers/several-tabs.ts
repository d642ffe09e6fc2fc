// Pages of several tabs in one conversation, as tests make them.

import type { BrowserContext, Locator, Page } from "@playwright/test";
import { expect, type Extension } from "../fixtures.ts";
import type { Site } from "../harness/server.ts";
import { closeRealPanel, press, summarize, summaryLines } from "./panel.ts";

/** Puts a page about a made-up bird on the site; gives its address. */
export function birdPage(site: Site, bird: string, title = `The ${bird}`): string {
  const text = [
    `The ${bird} is a bird that nobody has seen twice.`,
    `A ${bird} builds its nest of copper wire in old clocks.`,
    `In winter the ${bird} sleeps under the ice of small lakes and wakes when it cracks.`,
    `Its call was recorded once, by a postman who had lost his way.`,
  ];
  site.handle(`/${bird}`, (_, response) => {
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end(
        `<!doctype html><html lang="en"><title>${title}</title><article>${text.map((one) => `<p>${one}</p>`).join("")}</article>`,
      );
  });
  return site.url(`/${bird}`);
}

/** A panel with a summary, to whose conversation pages are being added. */
export async function gather(context: BrowserContext, extension: Extension, page: Page, url: string) {
  await page.goto(url);
  const opened = await summarize(context, extension, page);
  await summaryLines(opened.panel);
  await opened.panel.getByRole("button", { name: "Add another page" }).click();
  await expect(opened.panel.getByText("Go to another tab and press Pith’s button")).toBeVisible();
  return opened;
}

/** The pages of the conversation, as the panel lists them. */
export const listed = (panel: Page): Locator => panel.locator("#pages .page-list .name");

/** Presses the button on the page of another tab, and closes the panel that opens there; gives the tab and what its panel said. */
export async function add(extension: Extension, page: Page, words = "This page is in the conversation") {
  const tab = await press(extension, page);
  const said = `document.body.innerText`;
  await expect.poll(() => extension.evaluate<string>(`?tab=${tab}`, said)).toContain(words);
  const text = await extension.evaluate<string>(`?tab=${tab}`, said);
  await closeRealPanel(extension, tab);
  return { tab, text };
}

/** Asks the pages; gives the article of the answer. */
export async function ask(panel: Page, question: string): Promise<Locator> {
  await panel.locator("#question").fill(question);
  await panel.locator("#ask-submit").click();
  const article = panel.locator(".question").filter({ has: panel.getByRole("heading", { name: question }) });
  await expect(article.locator(".note, .nothing").filter({ visible: true }).first()).toBeVisible();
  await expect(article).not.toHaveAttribute("aria-busy", "true");
  return article;
}

export const isActive = (extension: Extension, tab: number): Promise<boolean> =>
  extension.evaluate<boolean>("background.js", `chrome.tabs.get(${tab}).then(({ active }) => active)`);
