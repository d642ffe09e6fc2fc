// From a tab that shows a PDF to a summary whose sources jump to the page.

import { expect, test } from "../../fixtures.ts";
import { choose, closeRealPanel, markedText, openPanel, press, summaryLines } from "../../helpers/panel.ts";
import { paperHtml } from "../../helpers/paper.ts";
import { openFile } from "../../helpers/pdf-page.ts";
import { printPdf } from "../../helpers/pdf.ts";

let paper: Buffer;
test.beforeAll(async () => {
  paper = await printPdf(paperHtml(), {
    header: "Journal of Mills, Volume 7",
    footer: 'Page <span class="pageNumber"></span> of <span class="totalPages"></span>',
  });
});

test("a file of this computer is shown, summarized, and its sources jump to their page", async ({
  context,
  extension,
}) => {
  await choose(extension);
  const page = await openFile(context, extension, "mills.pdf", paper);
  await expect(page.locator(".page[data-drawn]").first()).toBeVisible();
  await expect(page.locator("#page-count")).toHaveText("of 3");
  await expect(page.locator(".text-layer").first()).toContainText("Tide mills of the south");
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const panel = await openPanel(context, extension, tab);
  const lines = await summaryLines(panel);
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/p\. [123]$/);
  expect(lines.join(" ")).not.toMatch(/Journal of Mills|Page \d of/);
  await expect(panel.getByRole("heading", { name: "Tide mills of the south" })).toBeVisible();
  await expect(panel.locator(".facts")).toContainText("All 3 pages");
  const last = panel.locator("#summary .passage").last();
  const words = (await last.innerText()).replace(/\s*p\. \d$/, "");
  const number = Number(/p\. (\d)$/.exec(await last.innerText())?.[1]);
  await last.click();
  await expect(last).toHaveAttribute("aria-current", "location");
  const bare = (text: string | null): string =>
    (text ?? "")
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^a-z0-9]/g, "");
  await expect.poll(async () => bare(await markedText(page))).toBe(bare(words));
  await expect(page.locator("#page-number")).toHaveValue(String(number));
  if (process.env.PITH_SHOTS) {
    await panel.setViewportSize({ width: 320, height: 820 });
    await panel.screenshot({ path: `${process.env.PITH_SHOTS}/pdf-panel.png` });
    await page.screenshot({ path: `${process.env.PITH_SHOTS}/pdf-marked.png` });
  }
  await page.keyboard.press("Escape");
  await expect.poll(() => markedText(page)).toBe(null);
  // A question finds the row of the table.
  await panel.locator("#question").fill("How many hectares has the mill of Tavira?");
  await panel.locator("#ask-submit").click();
  await expect(panel.locator("#questions .passage").first()).toContainText(/Tavira.*11.*p\. 2/s, { timeout: 60_000 });
});

test(
  "a tab that shows a PDF offers Pith's own page for it, and the panel goes along",
  { tag: "@long-in-firefox" },
  async ({ page, site, context, extension, browserName }) => {
    site.handle("/mills.pdf", (_, response) => void response.setHeader("content-type", "application/pdf").end(paper));
    await choose(extension);
    await page.goto(site.url("/mills.pdf"));
    const tab = await press(extension, page);
    await closeRealPanel(extension, tab);
    const panel = await openPanel(context, extension, tab);
    await expect(panel.getByRole("alert")).toContainText("This tab shows a PDF file.");
    const opened = context.waitForEvent("page");
    await panel.getByRole("button", { name: "Read this PDF" }).click();
    const own = await opened;
    await expect(own.locator(".page[data-drawn]").first()).toBeVisible();
    const ownTab = await extension.tabId(own);
    // The panel goes along, with the wish: it reads without another click.
    if (browserName === "firefox") {
      // A sidebar follows the tab in front; this panel was a tab itself.
      const beside = await openPanel(context, extension, ownTab);
      expect((await summaryLines(beside)).length).toBeGreaterThan(2);
      return;
    }
    const lines = `document.querySelectorAll("#summary .passage").length`;
    await expect
      .poll(() => extension.evaluate<number>(`?tab=${ownTab}`, lines), { timeout: 60_000 })
      .toBeGreaterThan(2);
    await closeRealPanel(extension, ownTab);
  },
);
