// A passage is found where the page has put off its layout, was loaded again, or has drawn itself anew.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { JOINTS, summarize, summaryLines, unmarked } from "../../helpers/panel.ts";

const THINGS = ["lamp", "bell", "rope", "anchor", "barrel", "ladder", "kettle", "lantern"];
const sentence = (at: number): string =>
  `The ${THINGS[at % THINGS.length]} of house ${at} was carried over the bridge in the year ${1700 + at}, and came back by boat.`;
const section = (at: number): string => `<section><h2>House ${at}</h2><p>${sentence(at)}</p></section>`;
const PUT_OFF = "section { content-visibility: auto; contain-intrinsic-size: 40px } p { margin-bottom: 400px }";

async function open(site: Site, page: Page, name: string, count: number, style = ""): Promise<void> {
  const body = Array.from({ length: count }, (_, at) => section(at)).join("");
  site.handle(`/${name}`, (_, response) => {
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end(
        `<!doctype html><html lang="en"><title>Houses</title><style>${style}</style><main><h1>Houses</h1>${body}</main>`,
      );
  });
  await page.goto(site.url(`/${name}`));
}

const isMarkInView = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const [range] = CSS.highlights.get("pith-passage") ?? [];
    const { top, bottom } = (range as Range | undefined)?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
    return top >= 0 && bottom <= innerHeight;
  });

test(
  "in sections that are laid out only where they are seen, each passage comes into view and stays there",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await page.setViewportSize({ width: 900, height: 600 });
    await open(site, page, "put-off", 300, PUT_OFF);
    const { panel } = await summarize(context, extension, page, { length: "long" });
    const lines = await summaryLines(panel);
    for (const [index, line] of lines.entries()) {
      await panel.locator("#summary .passage").nth(index).click();
      await expect.poll(() => unmarked(page, line)).toMatch(JOINTS);
      await expect.poll(() => isMarkInView(page), { message: line }).toBe(true);
      await page.waitForTimeout(500);
      expect(await isMarkInView(page), `${line} stays in view`).toBe(true);
    }
  },
);

test("after the page was loaded again, the sources still lead to their passages", async ({
  page,
  site,
  extension,
  context,
  browserName,
}) => {
  test.skip(browserName === "firefox", "Firefox ends the permission for a page with its document");
  await open(site, page, "reload", 40);
  const { panel } = await summarize(context, extension, page);
  const lines = await summaryLines(panel);
  await page.reload();
  await panel.waitForTimeout(500);
  await expect(panel.getByText("This tab shows another page now.")).toBeHidden();
  for (const [index, line] of lines.entries()) {
    await panel.locator("#summary .passage").nth(index).click();
    await expect.poll(() => unmarked(page, line)).toMatch(JOINTS);
    await expect.poll(() => isMarkInView(page)).toBe(true);
  }
});

test(
  "of several passages with the same words, the one nearest to where it was read is found again",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    await open(site, page, "again", 30);
    const { panel } = await summarize(context, extension, page, { length: "short" });
    const [line = ""] = await summaryLines(panel);
    const place = Array.from({ length: 30 }, (_, at) => sentence(at)).indexOf(line);
    expect(place).toBeGreaterThanOrEqual(0);
    // The page draws itself anew: the text is there in its old place and in two others.
    await page.evaluate(
      ([line, place]) => {
        const main = document.querySelector("main");
        main?.replaceWith(main.cloneNode(true));
        const sections = [...document.querySelectorAll("section")];
        for (const at of [(place + 12) % 30, (place + 20) % 30]) {
          const copy = document.createElement("p");
          copy.textContent = line;
          sections[at]?.append(copy);
        }
      },
      [line, place] as const,
    );
    await panel.locator("#summary .passage").first().click();
    await expect.poll(() => unmarked(page, line)).toMatch(JOINTS);
    const heading = await page.evaluate(() => {
      const [range] = CSS.highlights.get("pith-passage") ?? [];
      return (range as Range).startContainer.parentElement?.closest("section")?.querySelector("h2")?.textContent;
    });
    expect(heading).toBe(`House ${place}`);
  },
);
