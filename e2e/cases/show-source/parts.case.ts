// A passage in a frame of the same site, or in an open shadow root, is brought into view and seen to be marked.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const sentence = (at: number): string =>
  `The keeper of lighthouse ${at} wrote down every ship that passed in the year ${1800 + at}, and the weather it had.`;
const TEXT = Array.from({ length: 6 }, (_, at) => `<p>${sentence(at)}</p>`).join("");
const SPACE = `<div style="height: 2000px"></div>`;
const HEAD = `<!doctype html><html lang="en"><title>Lighthouses</title>`;

/** Pixels of the mark's color that the window shows. */
async function marked(page: Page): Promise<number> {
  const png = (await page.screenshot()).toString("base64");
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen?.drawImage(image, 0, 0);
    const pixels = pen?.getImageData(0, 0, image.width, image.height).data ?? [];
    let found = 0;
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at] === 255 && pixels[at + 1] === 224 && pixels[at + 2] === 138) found++;
    return found;
  }, png);
}

const PLACES = {
  "a frame with an address": `<iframe src="/lighthouses/inner" width="700" height="500"></iframe>`,
  "a frame with its text in an attribute": `<iframe srcdoc="${HEAD.replaceAll('"', "'")}${TEXT}" width="700" height="500"></iframe>`,
  "an open shadow root": `<light-house><template shadowrootmode="open">${TEXT}</template></light-house>`,
};

for (const [place, markup] of Object.entries(PLACES)) {
  test(
    `a passage in ${place} is marked where it stands`,
    { tag: place.includes("attribute") ? "@long" : [] },
    async ({ page, site, extension, context }) => {
      const serve = (path: string, body: string): void =>
        site.handle(path, (_, response) => {
          response.setHeader("content-type", "text/html; charset=utf-8").end(`${HEAD}<body>${body}</body></html>`);
        });
      serve("/lighthouses/inner", TEXT);
      serve("/lighthouses", `<main><h1>Lighthouses</h1>${SPACE}${markup}${SPACE}</main>`);
      await page.emulateMedia({ reducedMotion: "reduce" });
      await page.goto(site.url("/lighthouses"));
      await page.waitForLoadState("load");
      const { panel } = await summarize(context, extension, page, { length: "short" });
      const lines = await summaryLines(panel);
      expect(lines.every((line) => line.startsWith("The keeper of lighthouse"))).toBe(true);
      await page.bringToFront();
      expect(await marked(page)).toBe(0);
      await panel.locator("#summary .passage").first().click();
      await page.bringToFront();
      await expect.poll(() => marked(page)).toBeGreaterThan(500);
      await page.keyboard.press("Escape");
      await expect.poll(() => marked(page)).toBe(0);
    },
  );
}
