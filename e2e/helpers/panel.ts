// The panel as tests see it: the same document as in the side panel, opened as a tab, so that Playwright can use all
// of its means on it. The toolbar button is really pressed before: that grants activeTab and starts the host.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, type Extension } from "../fixtures.ts";

export interface PanelOptions {
  backend?: "auto" | "webgpu" | "webgl2" | "cpu";
  length?: "short" | "medium" | "long";
  width?: number;
  colorScheme?: "light" | "dark";
}

/** Stores the settings, as the panel's settings would. */
export async function choose(
  extension: Extension,
  { backend = "cpu", length = "medium" }: PanelOptions = {},
): Promise<void> {
  const settings = JSON.stringify({ settings: { backend, length } });
  await extension.evaluate("background.js", `chrome.storage.local.set(${settings})`);
}

/** Presses the toolbar button on the page; gives the tab's id once the real panel is there. */
export async function press(extension: Extension, page: Page): Promise<number> {
  await extension.pressAction(page);
  const panel = /\/sidepanel\/index\.html\?tab=(\d+)$/;
  let tab = 0;
  // The background script may only just be starting: then it is asked again.
  await expect(async () => {
    tab = await extension.tabId(page);
    expect((await extension.targets()).some((url) => panel.exec(url)?.[1] === String(tab))).toBe(true);
  }).toPass({ timeout: 60_000 });
  return tab;
}

/** Closes the real side panel of a tab, as its own button does. */
export async function closeRealPanel(extension: Extension, tab: number): Promise<void> {
  await extension.closePanel(tab);
  await expect.poll(async () => (await extension.targets()).some((url) => url.includes(`?tab=${tab}`))).toBe(false);
}

/** Opens the panel's document on a tab. */
export async function openPanel(
  context: BrowserContext,
  extension: Extension,
  tab: number,
  { width = 380, colorScheme = "light" }: PanelOptions = {},
): Promise<Page> {
  const panel = await context.newPage();
  await panel.setViewportSize({ width, height: 820 });
  await panel.emulateMedia({ colorScheme });
  await panel.goto(extension.url(`sidepanel/index.html?tab=${tab}`));
  return panel;
}

/** From the click on the toolbar button to a panel that Playwright can use. */
export async function summarize(
  context: BrowserContext,
  extension: Extension,
  page: Page,
  options: PanelOptions = {},
): Promise<{ panel: Page; tab: number }> {
  await choose(extension, options);
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  return { panel: await openPanel(context, extension, tab, options), tab };
}

/** Waits for the finished summary and gives its sentences. */
export async function summaryLines(panel: Page): Promise<string[]> {
  await expect(panel.locator("#summary .facts")).toBeVisible({ timeout: 60_000 });
  return panel.locator("#summary .passage").allInnerTexts();
}

/** How many sentences of the page the summary was chosen from. */
export async function sentenceCount(panel: Page): Promise<number> {
  const [, count = "0"] = /of ([\d,]+) sentences/.exec(await panel.locator("#summary .facts").innerText()) ?? [];
  return Number(count.replaceAll(",", ""));
}

/** The text that is marked on a page; null without a mark. */
export async function markedText(page: Page): Promise<string | null> {
  return (await markedTexts(page))?.join("") ?? null;
}

function markedTexts(page: Page): Promise<string[] | null> {
  return page.evaluate(() => {
    const mark = CSS.highlights.get("pith-passage");
    if (!mark) return null;
    // Playwright's world in Firefox cannot iterate over it.
    const texts: string[] = [];
    mark.forEach((range) => texts.push(String(range)));
    return texts;
  });
}

/** What of a line is not marked on the page, white space, the marks between cells and unseen characters apart. */
export async function unmarked(page: Page, line: string): Promise<string> {
  const bare = (text: string): string => text.replace(/[\s·\u00AD\u200B\u2060\uFEFF]+/g, "");
  let rest = bare(line);
  for (const text of (await markedTexts(page)) ?? []) {
    const at = rest.indexOf(bare(text));
    if (at < 0) return `marked, and not in the line: ${text}`;
    rest = rest.slice(0, at) + rest.slice(at + bare(text).length);
  }
  return rest;
}

/** What `unmarked` gives for a line that is marked whole: what joins its parts, a number of entries, and the sign of a cut. */
export const JOINTS = /^[:;,–…()\d]*$/;
