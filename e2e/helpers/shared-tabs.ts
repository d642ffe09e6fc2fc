// Tabs of one site whose clients share a worker.

import { resolve } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { ROOT } from "../harness/paths.ts";
import type { Site } from "../harness/server.ts";
import type { GenerateOptions, Pith } from "../../web/src/index.ts";
import { STORY } from "./story.ts";

export type TabGlobal = { pith: Pith; stop: () => void; seen: string; ended: Promise<Told> };

/** How a generation ended, and the text that was streamed until then. */
export interface Told {
  seen: string;
  text: string | null;
  error: string | null;
  seed?: number | null;
}

/** Opens a tab with a client. */
export async function openTab(context: BrowserContext, site: Site, shared = true): Promise<Page> {
  site.mount("/client/", resolve(ROOT, "web"));
  site.handle("/tab", (_, response) => void response.setHeader("content-type", "text/html").end("<title>tab</title>"));
  const page = await context.newPage();
  await page.goto(site.url("/tab"));
  await openClient(page, shared);
  return page;
}

/** Opens a client in a tab that shows the site. */
export async function openClient(page: Page, shared = true): Promise<void> {
  await page.evaluate(async (shared) => {
    const { Pith: Client } = (await import(/* @vite-ignore */ `${location.origin}/client/dist/index.js`)) as {
      Pith: typeof Pith;
    };
    (globalThis as unknown as TabGlobal).pith = await Client.open({ shared });
  }, shared);
}

/** Loads the model that tells stories. */
export const loadStory = (page: Page): Promise<string> =>
  page.evaluate(
    async (packaged) =>
      (await (globalThis as unknown as TabGlobal).pith.load("story", { packaged }, { backend: "cpu" })).title,
    `/reference/${STORY}`,
  );

/** Starts a generation and leaves it running. */
export const startStory = (page: Page, options: GenerateOptions): Promise<void> =>
  page.evaluate((options) => {
    const global = globalThis as unknown as TabGlobal;
    const aborter = new AbortController();
    const generation = global.pith.generate("story", "Once upon a time", { ...options, signal: aborter.signal });
    global.stop = () => aborter.abort();
    global.seen = "";
    const read = async (): Promise<Told> => {
      try {
        for await (const piece of generation) global.seen += piece;
        const { text, stats } = await generation.result;
        return { seen: global.seen, text, error: null, seed: stats.seed };
      } catch (error) {
        const { code, name } = error as { code?: string | number; name: string };
        return { seen: global.seen, text: null, error: typeof code === "string" ? code : name };
      }
    };
    global.ended = read();
  }, options);

/** Waits until so much text was streamed. */
export async function reachedText(page: Page, chars: number): Promise<void> {
  const wait = { polling: 5, timeout: 60_000 };
  await page.waitForFunction((chars) => (globalThis as unknown as TabGlobal).seen.length >= chars, chars, wait);
}

export const endOfStory = (page: Page): Promise<Told> =>
  page.evaluate(() => (globalThis as unknown as TabGlobal).ended);

export async function tell(page: Page, options: GenerateOptions): Promise<Told> {
  await startStory(page, options);
  return endOfStory(page);
}

/** How many workers each tab runs. */
export const workersOf = (pages: Page[]): number[] => pages.map((page) => page.workers().length);
