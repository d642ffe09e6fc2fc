// What is copied arrives in another page, as text and with its format.

import AxeBuilder from "@axe-core/playwright";
import type { BrowserContext, Page } from "@playwright/test";
import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import { LIGHTHOUSE, lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

/** Pastes into a page of its own; gives what a site would get. */
async function pasted(context: BrowserContext, address: string): Promise<{ text: string; html: string }> {
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(() => {
    const area = document.createElement("textarea");
    document.body.prepend(area);
    area.addEventListener("paste", ({ clipboardData: data }) => {
      area.dataset.text = data?.getData("text/plain") ?? "";
      area.dataset.html = data?.getData("text/html") ?? "";
    });
    area.focus();
  });
  await page.keyboard.press("Control+V");
  const area = page.locator("textarea");
  await expect(area).toHaveAttribute("data-text", /./);
  const got = { text: (await area.getAttribute("data-text"))!, html: (await area.getAttribute("data-html"))! };
  await page.close();
  return got;
}

const copy = async (panel: Page, name: string): Promise<void> => {
  await panel.bringToFront();
  await panel.getByRole("button", { name, exact: true }).first().click();
  await expect(panel.locator("#keep [role=status]")).toHaveText("Copied.");
};

test("summary, answer and all are copied as text, with format and as Markdown", async ({
  page,
  site,
  extension,
  context,
  errors,
}) => {
  errors.expect(/blocked an inline style/);
  const address = lighthouse(site);
  await page.goto(address);
  const { panel } = await summarize(context, extension, page);
  const lines = await summaryLines(panel);
  await panel.getByText("Copy, save or print").click();
  await expect(panel.getByRole("button", { name: "Summary and answers", exact: true })).toBeHidden();

  await copy(panel, "Summary");
  const summary = await pasted(context, address);
  for (const line of lines) expect(summary.text).toContain(`- ${line}\n  ${address}#:~:text=`);
  expect(summary.text).toContain(`Skerry Point\n${address}\n`);
  expect(summary.html).toContain("<h1");
  expect(summary.html).toContain(`${address}#:~:text=`);

  await panel.getByRole("textbox", { name: "Ask this page" }).fill("Where do the puffins dig their burrows?");
  await panel.keyboard.press("Enter");
  await panel.getByRole("button", { name: "Copy answer" }).waitFor();
  await copy(panel, "Copy answer");
  const answer = await pasted(context, address);
  expect(answer.text).toContain("Where do the puffins dig their burrows?");
  expect(answer.text).toContain("a colony of puffins");
  expect(answer.text).not.toContain(LIGHTHOUSE[0]);

  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme });
    await panel.setViewportSize({ width: 320, height: 1400 });
    expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    const { violations } = await new AxeBuilder({ page: panel }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    const folder = test.info().project.use.browserName === "firefox" ? "screens/firefox" : "screens";
    await panel.screenshot({ path: resolve(ROOT, "e2e/results", folder, `panel-keep-${colorScheme}.png`) });
  }

  await copy(panel, "Summary and answers as Markdown");
  const all = await pasted(context, address);
  expect(all.html).toBe("");
  expect(all.text).toMatch(/^# Skerry Point\n\n<http:\/\/127/);
  expect(all.text).toContain("## Summary\n\n- ");
  expect(all.text).toContain("### Where do the puffins dig their burrows?\n\n- ");
  expect(all.text).toContain(`[Show on the page](<${address}#:~:text=`);
});
