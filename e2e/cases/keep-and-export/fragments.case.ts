// The links of exports, followed: the browser scrolls to the passage and highlights it, and nothing else.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { openHistory, records, turnHistory } from "../../helpers/history.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

interface Stored {
  document: { lines: { text: string; sources: { link: string }[] }[] };
}

const FILLER = `<div style="height: 1600px"></div>`;
/** What makes a link go wrong: a text that is repeated, one that begins like another, signs with a meaning in links. */
const PAGE = `<!doctype html><html lang="en"><title>Ferns</title><style>::target-text { background: rgb(255, 0, 255) }</style>
<main><article><h1>Ferns</h1>
<p>Ferns of the northern woods, which grow slowly - spread by spores & by roots, not by seeds of any kind at all.</p>${FILLER}
<p>Ferns of the northern woods, which grow slowly, were <em>collected</em> by traders; they “sold” them (dried) at 50% profit.</p>${FILLER}
<p>The traders wrote letters about ferns of the woods. Most letters were lost in the great fire of the old harbor store.</p>${FILLER}
<p>The gardeners wrote letters about ferns of the woods. Most letters were lost in the flood of the following winter, too.</p>${FILLER}
</article></main>`;

/** Opens a link; gives the text of the page that is highlighted, by its color, and whether any of it is in view. */
async function follow(page: Page, link: string): Promise<{ isInView: boolean; marked: string }> {
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForTimeout(300);
  const scrolled = await page.evaluate(() => scrollY);
  const marked: string[] = [];
  let isInView = false;
  for (let at = 0; at < (await page.locator("p").count()); at += 1) {
    const paragraph = page.locator("p").nth(at);
    const shot = (await paragraph.screenshot()).toString("base64");
    const share = await page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
      canvas.drawImage(image, 0, 0);
      const { data: pixels } = canvas.getImageData(0, 0, image.width, image.height);
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4)
        if (pixels[i]! > 240 && pixels[i + 1]! < 15 && pixels[i + 2]! > 240) count += 1;
      return (count * 4) / pixels.length;
    }, shot);
    if (share < 0.01) continue;
    marked.push(await paragraph.innerText());
    const box = await paragraph.evaluate((one) => one.getBoundingClientRect().top + scrollY);
    isInView ||= box >= scrolled && box < scrolled + 720;
  }
  return { isInView, marked: marked.join("\n") };
}

test("a link scrolls to its passage and highlights it", async ({ page, site, extension, context }) => {
  site.handle("/ferns", (_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(PAGE);
  });
  await page.goto(site.url("/ferns"));
  const { panel } = await summarize(context, extension, page, { length: "long" });
  await summaryLines(panel);
  await turnHistory(panel, true);
  await panel.getByRole("button", { name: "Summarize again" }).click();
  const history = await openHistory(context, extension);
  await expect(history.locator(".entry")).toHaveCount(1);
  const [entry] = (await records<Stored>(history, "entries"))!;
  const { lines } = entry!.document;
  expect(lines.length).toBeGreaterThanOrEqual(5);
  const tab = await context.newPage();
  for (const { text, sources } of lines) {
    const { isInView, marked } = await follow(tab, sources[0]!.link);
    expect(marked, sources[0]!.link).toContain(text);
    expect(marked.split("\n"), sources[0]!.link).toHaveLength(1);
    expect(isInView, sources[0]!.link).toBe(true);
    expect(await tab.evaluate(() => location.href)).not.toContain(":~:");
  }
  expect(await tab.evaluate(() => "fragmentDirective" in document)).toBe(true);
});
