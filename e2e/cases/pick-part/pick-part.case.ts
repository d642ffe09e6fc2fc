// A part of the page is read in place of the whole.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { markedText, summarize, summaryLines } from "../../helpers/panel.ts";

const BEES = [
  "A colony of honey bees keeps its brood at thirty-five degrees through the whole winter.",
  "The workers take turns on the outside of the cluster, where it is coldest.",
  "In March the queen lays the first eggs, long before the willows are in flower.",
];
const TRAMS = [
  "The first electric tram of the city left the depot in 1896 with forty passengers.",
  "Its driver stood in the open until the windscreen was introduced in 1909.",
  "The last line was closed in 1967, and its cars were sold to Trondheim.",
];

const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${line}</p>`).join("");

function open(page: Page, site: Site, body: string): Promise<unknown> {
  site.handle("/parts", (_, response) => {
    response
      .setHeader("content-type", "text/html; charset=utf-8")
      .end(`<!doctype html><html lang="en"><title>Two stories</title><body style="margin:0">${body}</body></html>`);
  });
  return page.goto(site.url("/parts"));
}

const TWO = `<main><section id="bees"><h2>Bees</h2>${paragraphs(BEES)}</section>
  <section id="trams"><h2>Trams</h2>${paragraphs(TRAMS)}</section></main>`;

/** Everything of the page's layout. */
const layout = (page: Page) =>
  page.evaluate(() =>
    [...document.body.querySelectorAll("*")].map((one) => JSON.stringify(one.getBoundingClientRect())).join(),
  );

test("the pointer outlines and takes a part; summary, questions and places are about that part", async ({
  page,
  site,
  extension,
  context,
}) => {
  await open(page, site, TWO);
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const before = await layout(page);

  await panel.getByRole("button", { name: "Choose a part of the page" }).click();
  await expect(panel.getByText("Click a part of the page.")).toBeVisible();
  await page.bringToFront();
  const place = await page.locator("#trams h2").boundingBox();
  if (!place) throw new Error("the page has no trams");
  // Right of the heading's text, beside its paragraphs: the section.
  await page.mouse.move(600, place.y + place.height + 4);
  await page.mouse.move(600, place.y + place.height + 5);
  expect(await layout(page)).toBe(before);
  await page.mouse.click(600, place.y + place.height + 5);

  await expect(panel.getByText("Only this part of the page was read:")).toBeVisible();
  await expect(panel.locator(".chosen")).toContainText("Trams");
  const lines = (await summaryLines(panel)).join(" ");
  expect(lines).toContain("tram");
  expect(lines).not.toMatch(/bee|queen|worker/i);
  expect(await layout(page)).toBe(before);
  await panel.locator("#summary .passage").last().click();
  await expect.poll(() => markedText(page)).toMatch(/1967|1909|1896/);

  const ask = async (question: string) => {
    await panel.getByRole("textbox", { name: "Ask this page" }).fill(question);
    await panel.keyboard.press("Enter");
    return panel.locator(".question").filter({ has: panel.getByRole("heading", { name: question }) });
  };
  await expect((await ask("When was the last line closed?")).locator(".passage").first()).toContainText("1967");
  const queen = await ask("When does the queen lay the first eggs?");
  await expect(queen.getByText("The page does not seem to say.")).toBeVisible();

  await panel.getByRole("button", { name: "Read the whole page" }).click();
  await expect(panel.getByText("Only this part of the page was read:")).toBeHidden();
  await expect.poll(async () => (await summaryLines(panel)).join(" ")).toMatch(/bee|queen|worker/i);
});

test(
  "the keys go up and down the tree from the panel and from the page, and Escape ends",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    await open(page, site, TWO);
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    const button = panel.getByRole("button", { name: "Choose a part of the page" });
    await button.click();
    await expect(panel.getByText("Click a part of the page.")).toBeVisible();
    const outlined = panel.locator(".outlined");
    await panel.keyboard.press("ArrowDown");
    await expect(outlined).toContainText("Bees A colony");
    await panel.keyboard.press("ArrowRight");
    await expect(outlined).toContainText("Trams The first");
    await panel.keyboard.press("ArrowDown");
    await expect(outlined).toHaveText("Trams");
    await panel.keyboard.press("ArrowUp");
    await expect(outlined).toContainText("Trams The first");
    await panel.keyboard.press("Escape");
    await expect(panel.getByText("Click a part of the page.")).toBeHidden();
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute("aria-pressed", "false");

    // In the page itself.
    await button.click();
    await expect(panel.getByText("Click a part of the page.")).toBeVisible();
    await page.bringToFront();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(panel.locator(".chosen")).toContainText("Trams");
  },
);

test(
  "a page that removes its parts and our outline, and runs its own code at clicks",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    await open(
      page,
      site,
      `<main><a id="link" href="/elsewhere"><section id="bees">${paragraphs(BEES)}</section></a>
      <section>${paragraphs(BEES)}</section>
      <form><input name="childNodes"><input name="parentNode"><p id="inform">${TRAMS.join(" ")}</p></form>
      </main>
      <script>addEventListener("click", () => (document.title = "clicked"), true);
      new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((one) => one.remove())))
        .observe(document.documentElement, { childList: true });</script>`,
    );
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    const pick = panel.getByRole("button", { name: "Choose a part of the page" });
    await pick.click();
    await page.bringToFront();
    // No link is followed, although the page takes the outline away.
    await page.locator("#bees p").first().click();
    await expect(panel.locator(".chosen")).toContainText("A colony");
    expect(page.url()).toBe(site.url("/parts"));

    await pick.click();
    await page.bringToFront();
    // Playwright does not find its way out of such a form.
    const { x, y } = await page.evaluate(() => document.getElementById("inform")!.getBoundingClientRect());
    await page.mouse.move(x + 20, y + 5);
    await page.mouse.click(x + 20, y + 6);
    await expect(panel.locator(".chosen")).toContainText("The first electric tram");
    await expect.poll(async () => (await summaryLines(panel)).join(" ")).not.toMatch(/bee|queen/i);

    // The part leaves the page.
    await page.evaluate(() => document.querySelector("#inform")?.remove());
    await panel.getByRole("button", { name: "Summarize again" }).click();
    await expect(panel.getByText("The chosen part is no longer on the page.")).toBeVisible();
    await panel.getByRole("button", { name: "Read the whole page" }).click();
    await expect(panel.getByText("The chosen part is no longer on the page.")).toBeHidden();
    await expect.poll(async () => (await summaryLines(panel)).join(" ")).toMatch(/bee|queen|workers/i);
  },
);

test(
  "what a frame of the same site shows is one part",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    site.handle("/frame", (_, response) => {
      const inner = `<!doctype html><html lang="en"><title>Frame</title><section>${paragraphs(TRAMS)}</section>`;
      response.setHeader("content-type", "text/html; charset=utf-8").end(inner);
    });
    const frame = `<iframe src="/frame" width="700" height="300"></iframe>`;
    await open(page, site, `<main><section>${paragraphs(BEES)}</section>${frame}</main>`);
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await panel.getByRole("button", { name: "Choose a part of the page" }).click();
    await page.bringToFront();
    const { x, y } = await page.locator("iframe").evaluate((one) => one.getBoundingClientRect());
    await page.mouse.move(x + 200, y - 10);
    await page.mouse.move(x + 200, y + 100);
    await page.mouse.move(x + 210, y + 110);
    await page.mouse.click(x + 210, y + 110);
    await expect(panel.locator(".chosen")).toContainText("The first electric tram");
    await expect.poll(async () => (await summaryLines(panel)).join(" ")).not.toMatch(/bee|queen/i);
    await panel.locator("#summary .passage").last().click();
    await expect
      .poll(() =>
        page
          .frameLocator("iframe")
          .locator("body")
          .evaluate(() => [...(CSS.highlights.get("pith-passage") ?? [])].map(String).join("")),
      )
      .toMatch(/1967|1909|1896/);
  },
);
