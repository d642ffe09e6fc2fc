// What a page can observe of Pith: README.md says it under "Privacy", and this holds it to that.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { markedText, summarize, summaryLines } from "../../helpers/panel.ts";

/** Everything that a page's script can look at: changes of its document, events, style sheets, styles, highlights. */
async function spy(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    new MutationObserver((all) => seen.push(...all.map(({ type }) => `mutation: ${type}`))).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    const names = [...Object.getOwnPropertyNames(window), ...Object.getOwnPropertyNames(Document.prototype)];
    // A machine that moves, a pointer over the page, and a tab that comes and goes are no traces of Pith.
    const others = /^on(?:device|mouse|pointer|visibility|focus|blur|resize|page)/;
    const events = new Set(names.filter((name) => name.startsWith("on") && !others.test(name)));
    events.add("onselectionchange").add("oncontentvisibilityautostatechange");
    for (const name of events) addEventListener(name.slice(2), ({ type }) => seen.push(`event: ${type}`), true);
    const add = (window as unknown as { navigation?: EventTarget }).navigation;
    add?.addEventListener("navigate", () => seen.push("event: navigate"));
  });
}

interface Trace {
  happened: string[];
  highlights: number;
  style: string;
  rest: string;
}

function trace(page: Page): Promise<Trace> {
  return page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: string[] };
    const rest = [
      document.documentElement.outerHTML.length,
      document.styleSheets.length,
      document.adoptedStyleSheets.length,
      document.getAnimations().length,
      String(getSelection()),
      location.href,
      history.length,
      Object.keys(window).length,
    ];
    return {
      happened: [...new Set(seen)].sort(),
      highlights: CSS.highlights.size,
      style: getComputedStyle(document.body, "::highlight(pith-passage)").backgroundColor,
      rest: rest.join(),
    };
  });
}

test("a page that is read can observe nothing of it", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  await spy(page);
  const before = await trace(page);
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  expect(await trace(page)).toEqual(before);
  expect(before.happened).toEqual([]);
});

test("a passage that is shown: the page can observe that it scrolls and, while there is one, the mark", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.setViewportSize({ width: 900, height: 500 });
  await page.goto(site.url("/article/"));
  await page.emulateMedia({ reducedMotion: "reduce" });
  await spy(page);
  const before = await trace(page);
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await panel.locator("#summary .passage").last().click();
  await expect.poll(() => markedText(page)).not.toBeNull();
  await page.bringToFront();
  await expect.poll(async () => (await trace(page)).happened).toContain("event: scroll");
  const marked = await trace(page);
  expect(marked.happened.filter((one) => !/^event: scroll(?:end)?$/.test(one))).toEqual([]);
  expect(marked.highlights).toBe(1);
  expect(marked.rest).toBe(before.rest);
});

test(
  "the settings leave a page its scrolling, or all of it",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await page.setViewportSize({ width: 900, height: 500 });
    await page.goto(site.url("/article/"));
    await page.emulateMedia({ reducedMotion: "reduce" });
    await spy(page);
    const before = await trace(page);
    const { panel } = await summarize(context, extension, page);
    const lines = await summaryLines(panel);
    await panel.getByRole("button", { name: "Settings" }).click();
    const setting = panel.getByLabel("Clicking a sentence");
    const last = panel.locator("#summary .passage").last();

    await setting.selectOption("nothing");
    await expect(last).toBeDisabled();
    await last.click({ force: true });
    await page.bringToFront();
    await page.waitForTimeout(300);
    expect(await trace(page)).toEqual(before);
    // What is on the screen was not made anew for it.
    expect(await panel.locator("#summary .passage").allInnerTexts()).toEqual(lines);

    await panel.bringToFront();
    await setting.selectOption("scroll");
    await last.click();
    await expect(last).toHaveAttribute("aria-current", "location");
    await page.bringToFront();
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
    const { highlights, style, rest } = await trace(page);
    expect({ highlights, style, rest }).toEqual({ highlights: 0, style: before.style, rest: before.rest });
    await panel.bringToFront();
    await setting.selectOption("mark");
    await last.click();
    await expect.poll(() => markedText(page)).not.toBeNull();
  },
);
