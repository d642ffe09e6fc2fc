// What is cited is compared with what the browser drew, and looked for again.

import { expect, test } from "../../fixtures.ts";
import { choose, openPanel, press, summaryLines } from "../../helpers/panel.ts";

const SEEN = [
  "The lighthouse on the northern cape was built in 1867 from granite that came by sea.",
  "Its lamp burned whale oil at first, and paraffin from 1880 on.",
  "The keeper wrote down each ship that passed the cape in a ledger of calfskin.",
  "In 1953 the lamp was given an electric motor, and the last keeper left the cape.",
];
const UNSEEN = "The lighthouse was sold to the bank of the northern cape, which wants the money of every reader.";

/** White letters on a picture that never comes: nothing that is computed says so. */
const html = (unseen: string): string => `<!doctype html><html lang="en"><title>The lighthouse</title>
  <main><h1>The lighthouse</h1>
  ${SEEN.slice(0, 2)
    .map((text) => `<p>${text}</p>`)
    .join("")}
  <p style="background: url(/sight/none.png); color: #fff">${unseen}</p>
  ${SEEN.slice(2)
    .map((text) => `<p>${text}</p>`)
    .join("")}</main>`;

/** The size of the tab, as it is drawn. */
const SIZE = `(async () => {
  const [{ windowId }] = await chrome.tabs.query({ active: true, currentWindow: true });
  const url = await chrome.tabs.captureVisibleTab(windowId, { format: "png" });
  const bytes = Uint8Array.from(atob(url.split(",")[1]), (unit) => unit.charCodeAt(0));
  const { width, height } = await createImageBitmap(new Blob([bytes]));
  return { width, height };
})()`;

test("a line that is not drawn where it stands is not shown, and counted", async ({
  page,
  site,
  extension,
  errors,
}) => {
  errors.expect(/sight\/none\.png/);
  site.handle("/drawn", (_, response) => void response.setHeader("content-type", "text/html").end(html(UNSEEN)));
  await page.goto(site.url("/article/"));
  await choose(extension, { length: "long" });
  const tab = await press(extension, page);
  const ask = <T>(expression: string) => extension.evaluate<T>(`sidepanel/index.html?tab=${tab}`, expression);
  // Beside the panel the tab is smaller than what Playwright makes the page believe: there nothing would be compared.
  await page.setViewportSize(await ask<{ width: number; height: number }>(SIZE));
  await page.goto(site.url("/drawn"));
  await press(extension, page);
  const counted = `document.querySelector("#summary .coverage")?.textContent ?? ""`;
  await expect.poll(() => ask<string>(counted), { timeout: 60_000 }).toContain("text that may be hidden");
  const done = `!(document.querySelector("#summary .facts")?.hidden ?? true)`;
  await expect.poll(() => ask<boolean>(done), { timeout: 60_000 }).toBe(true);
  const lines = await ask<string[]>(
    `[...document.querySelectorAll("#summary .passage")].map((one) => one.textContent)`,
  );
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("\n")).not.toContain("bank");
  // What is drawn stays.
  expect(SEEN.some((text) => lines.some((line) => line.includes(text.slice(0, 40))))).toBe(true);
});

test("a passage that left the page after it was read says so", async ({ page, site, extension, context, errors }) => {
  errors.expect(/sight\/none\.png/);
  site.handle(
    "/leaves",
    (_, response) =>
      void response.setHeader("content-type", "text/html").end(html("").replaceAll("<p>", `<p class="told">`)),
  );
  await page.goto(site.url("/leaves"));
  await choose(extension, { length: "long" });
  const tab = await press(extension, page);
  await extension.closePanel(tab);
  const panel = await openPanel(context, extension, tab);
  const lines = await summaryLines(panel);
  expect(lines.length).toBeGreaterThan(1);
  await expect(panel.locator("#summary .gone")).toHaveCount(0);
  await page.evaluate(() => {
    document.querySelectorAll(".told").forEach((one) => one.remove());
  });
  await panel.reload();
  await expect(panel.locator("#summary .gone")).toHaveCount(lines.length);
  await expect(panel.locator("#summary .gone").first()).toHaveText("This passage is no longer on the page.");
});
