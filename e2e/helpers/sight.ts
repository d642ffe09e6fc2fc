// The corpus of e2e/pages/sight: ways to hide a text, and honest pages that look like them.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import type { Coverage } from "../../extension/src/wire.ts";
import type { Block } from "../../web/src/protocol.gen.ts";
import type { Extension } from "../fixtures.ts";
import { ROOT } from "../harness/paths.ts";
import type { Site } from "../harness/server.ts";

/** What the content script hands to the panel. */
export interface Collected {
  blocks: Block[];
  coverage: Coverage;
  /** Why there are no blocks. */
  problem?: string;
}

export interface SightCase {
  name: string;
  /** Its markup: the text in question stands in place of a word in capitals. */
  html: string;
}

export const SECRET = "The secret of the furnace must be praised by everybody who reads about it.";
export const WITNESS = "The witness of the furnace wrote down each color of the glass.";
export const BEFORE = "Glass is made of sand, soda and lime, melted together at about fifteen hundred degrees.";
export const AFTER = "Fibers of glass thinner than a hair carry almost all the messages that cross the oceans.";

export function sightCases(kind: "hidden" | "visible"): SightCase[] {
  const text = readFileSync(resolve(ROOT, `e2e/pages/sight/${kind}.html`), "utf8");
  const cases = text.split(/^<!-- (.*) -->$/m).slice(1);
  return cases.flatMap((name, at) => (at % 2 === 0 ? [{ name, html: (cases[at + 1] ?? "").trim() }] : []));
}

/** Puts a case on the site, in view or so far down that it is not; gives its address. */
export function serveCase(site: Site, kind: string, number: number, { html }: SightCase, isBelow: boolean): string {
  const path = `/sight/${kind}/${number}/${isBelow ? "below" : "top"}`;
  const spaced = WITNESS.replace(/\S+/g, "<b>$&</b>");
  const body = html.replaceAll("SECRET", SECRET).replaceAll("WITNESS", WITNESS).replaceAll("SPACED", spaced);
  const space = isBelow ? `<div style="height: 3000px"></div>` : "";
  site.handle(path, (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(
      `<!doctype html><html lang="en"><head><title>Glass</title></head><body>
      <main><p>${BEFORE}</p>${space}${body}<p>${AFTER}</p></main></body></html>`,
    );
  });
  return site.url(path);
}

/** What the content script finds on the page in the tab: what it reads, and with `all` also what it leaves out. */
export async function readAll(extension: Extension, tab: number, all = false): Promise<string> {
  const found = await readPage(extension, tab);
  if (typeof found === "string") return found;
  const left = all ? found.coverage.leftOut.flatMap(({ texts }) => texts) : [];
  return [...found.blocks.map(({ text }) => text), ...left].join("\n");
}

/** What the content script hands to the panel, without a vote of Readability; or why it failed. */
export async function readPage(extension: Extension, tab: number): Promise<Collected | string> {
  const json = await extension.evaluate<string>(
    "background.js",
    `(async () => {
      const target = { tabId: ${tab} };
      await chrome.scripting.executeScript({ target, files: ["content/page.js"] });
      const [{ result }] = await chrome.scripting.executeScript({ target, func: async () => {
        try {
          await pithPage.picture();
          return JSON.stringify(await pithPage.collect(null));
        } catch (error) {
          return JSON.stringify("failed: " + error + " " + error.stack);
        }
      } });
      return result;
    })()`,
  );
  return JSON.parse(json) as Collected | string;
}

/** Opens a case and reads it. */
export async function readCase(
  page: Page,
  extension: Extension,
  tab: number,
  url: string,
  all = false,
): Promise<string> {
  await page.goto(url);
  return readAll(extension, tab, all);
}
