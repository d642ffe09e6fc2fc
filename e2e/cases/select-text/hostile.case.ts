// Pages that would read more than the reader selected, take our button away, or press it themselves.

import { expect, test } from "../../fixtures.ts";
import type { Site } from "../../harness/server.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";
import { clickMenu, select } from "../../helpers/selection.ts";

test.beforeEach(({ errors }) => errors.expect(/sidePanel|user gesture|user input|inline style/));

const STORY =
  "The ferry to Aran leaves at nine, and takes forty minutes when the sea is calm. In winter it goes twice a week, and carries the post.";

function serve(site: Site, path: string, body: string): string {
  site.handle(path, (_, response) => {
    const html = `<!doctype html><html lang="en"><title>Ferry</title><body><p id="story">${STORY}</p>${body}</body></html>`;
    response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  });
  return site.url(path);
}

test("text fields are read, fields for secrets never are", async ({ page, site, extension, context }) => {
  const fields = `<textarea id="area">A note about the tides.</textarea>
    <input id="plain" value="harbor office"><input id="secret" type="password" value="hunter2">
    <input id="shown" type="text" autocomplete="current-password" value="hunter2">
    <input id="card" autocomplete="cc-number" value="4111111111111111"><input id="mail" type="email" value="a@b.example">`;
  await page.goto(serve(site, "/fields", fields));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const take = async (id: string) => {
    await page.bringToFront();
    await page.locator(id).evaluate((one: HTMLInputElement) => {
      one.focus();
      one.select();
    });
    // Even where the browser itself would tell.
    await clickMenu(extension, page, "define", { editable: true, selectionText: "hunter2" });
  };
  await take("#area");
  await expect(panel.locator("#act-text")).toHaveValue("A note about the tides.");
  await take("#plain");
  await expect(panel.locator("#act-text")).toHaveValue("harbor office");
  for (const id of ["#secret", "#shown", "#card", "#mail"]) {
    await take(id);
    await expect(panel.getByText("Pith does not read this field.")).toBeVisible();
    await expect(panel.locator("#composer")).toBeHidden();
    await take("#plain");
    await expect(panel.locator("#composer")).toBeVisible();
    await expect(panel.getByText("Pith does not read this field.")).toBeHidden();
  }
});

test(
  "a selection is cut at its bound, and in frames it is read where it is",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    const long = `${"word ".repeat(8_000)}end`;
    const inner = serve(site, "/inner", `<p id="inner">Sentences of a frame.</p>`);
    const body = `<p id="long">${long}</p><iframe id="same" src="${inner}"></iframe>`;
    await page.goto(serve(site, "/long", body));
    const { panel } = await summarize(context, extension, page);
    await summaryLines(panel);
    await select(page, "#long");
    await clickMenu(extension, page, "explain");
    await expect(panel.locator("#act-text")).toHaveValue(/^word word/);
    expect((await panel.locator("#act-text").inputValue()).length).toBe(20_000);
    await expect(panel.getByText("the first 20,000 of 40,003 characters are used")).toBeVisible();

    const frames = await extension.evaluate<{ frameId: number; url: string }[]>(
      "background.js",
      `chrome.scripting.executeScript({ target: { tabId: ${await extension.tabId(page)}, allFrames: true }, func: () => location.href })
      .then((all) => all.map(({ frameId, result }) => ({ frameId, url: result })))`,
    );
    const same = frames.find(({ url }) => url === inner);
    if (!same) throw new Error("the frame of the same site cannot be read");
    await page
      .frameLocator("#same")
      .locator("#inner")
      .evaluate((one) => getSelection()?.selectAllChildren(one));
    await clickMenu(extension, page, "explain", { frameId: same.frameId });
    await expect(panel.locator("#act-text")).toHaveValue("Sentences of a frame.");

    // A frame that is closed to us: there the browser's own words are used.
    await clickMenu(extension, page, "explain", { frameId: 999_999, selectionText: "What the browser told." });
    await expect(panel.locator("#act-text")).toHaveValue("What the browser told.");
    await clickMenu(extension, page, "explain", { frameId: 999_999, selectionText: "hunter2", editable: true });
    await expect(panel.getByText("Pith could not read the selected text.")).toBeVisible();
  },
);

test("the button at a selection is asked for, goes away, and cannot be pressed by the page", async ({
  page,
  site,
  extension,
  context,
}) => {
  const body = `<style>* { transition: all 9s !important; opacity: 0.99 } div { display: none !important; position: static !important }</style>
    <div style="display: block !important; height: 3000px"></div>`;
  await page.goto(serve(site, "/button", body));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const ours = () =>
    page.evaluate(() => {
      const host = document.documentElement.lastElementChild as HTMLElement | null;
      if (!host?.popover) return null;
      const { width, height, x, y } = host.getBoundingClientRect();
      return { width, height, x, y, isClosed: host.shadowRoot === null, text: host.textContent };
    });

  await select(page, "#story");
  await page.waitForTimeout(600);
  expect(await ours(), "off by default").toBe(null);

  await panel.getByRole("button", { name: "Settings" }).click();
  await panel.getByRole("checkbox", { name: "Show a button at selected text" }).check();
  await page.bringToFront();
  await page.waitForTimeout(1_100);
  await select(page, "#story");
  await page.waitForTimeout(600);
  expect(await ours(), "the page selects on its own").toBe(null);
  const choose = async () => {
    await page.evaluate(() => getSelection()?.removeAllRanges());
    // A key that selects.
    await page.keyboard.press("Shift");
    await select(page, "#story");
    await expect.poll(ours).not.toBe(null);
  };
  await choose();
  expect(await ours()).toMatchObject({ width: 32, height: 32, isClosed: true, text: "" });

  await page.keyboard.press("Escape");
  expect(await ours()).toBe(null);
  await choose();
  await page.mouse.wheel(0, 200);
  await expect.poll(ours).toBe(null);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(300);
  await choose();
  await page.mouse.click(600, 400);
  await expect.poll(ours).toBe(null);

  // The page takes it away, or presses what it sees of it.
  await choose();
  await page.evaluate(() => (document.documentElement.lastElementChild as HTMLElement).click());
  await page.waitForTimeout(300);
  await expect(panel.locator("#composer")).toBeHidden();
  // Another extension reaches into the closed root: its press is not the reader's own.
  const press = `() => chrome.dom.openOrClosedShadowRoot(document.documentElement.lastElementChild).querySelector("button").click()`;
  const target = `{ tabId: ${await extension.tabId(page)} }`;
  await extension.evaluate("background.js", `chrome.scripting.executeScript({ target: ${target}, func: ${press} })`);
  await page.waitForTimeout(300);
  await expect(panel.locator("#composer")).toBeHidden();
  await page.evaluate(() => document.documentElement.lastElementChild?.remove());
  expect(await ours()).toBe(null);
  await choose();
  const at = await ours();
  const click = () => page.mouse.click(at!.x + 16, at!.y + 16);
  await click();
  await page.waitForTimeout(100);
  expect(await ours(), "a click that was meant for what stood there before").not.toBe(null);
  await expect(panel.locator("#composer")).toBeHidden();
  await page.waitForTimeout(500);
  await click();
  await expect(panel.locator("#act-text")).toHaveValue(STORY);
  // It is no text of the page.
  await panel.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Summarize again" }).click();
  expect((await summaryLines(panel)).join(" ")).not.toContain("Pith");
});
