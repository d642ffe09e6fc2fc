// What a tab's panel knows is for panels alone: a matrix of everybody else who could ask the host for it.

import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test, type Extension } from "../../fixtures.ts";
import { launch } from "../../harness/launch.ts";
import { EXTENSION_DIR, ROOT } from "../../harness/paths.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { openPanel, summarize, summaryLines } from "../../helpers/panel.ts";

const TITLE = "Skerry Point";

/** Opens a panel's port; gives the title of the page that the host tells of, or what came instead. */
const attack = (tab: number, id = "") => `new Promise((resolve) => {
  setTimeout(() => resolve("silence"), 2000);
  const port = chrome.runtime.connect(${id && `"${id}", `}{ name: "panel:${tab}" });
  port.onMessage.addListener(({ state }) => resolve(state.page?.title ?? "another state"));
  port.onDisconnect.addListener(() => resolve("refused"));
})`;

/** Runs an expression as our own script in the page of a tab. */
const asContentScript = <T>(extension: Extension, tab: number, expression: string): Promise<T> =>
  extension.evaluate<T>(
    "background.js",
    `chrome.scripting.executeScript({ target: { tabId: ${tab} }, func: () => ${expression} }).then(([{ result }]) => result)`,
  );

test("panels are answered; scripts in pages, pages and frames are not", async ({ page, site, extension, context }) => {
  await page.goto(lighthouse(site));
  const { panel, tab } = await summarize(context, extension, page);
  await summaryLines(panel);

  expect(await asContentScript(extension, tab, attack(tab)), "our script in the page").toBe("refused");
  const notice = `chrome.runtime.sendMessage({ type: "forget", tab: ${tab} }).then(() => "sent", () => "sent")`;
  expect(await asContentScript(extension, tab, notice)).toBe("sent");

  const { id } = extension;
  const asPage = (at: Page) =>
    at.evaluate((id) => {
      type Runtime = { connect?(id: string, info: object): unknown };
      return String(
        (globalThis as { chrome?: { runtime?: Runtime } }).chrome?.runtime?.connect?.(id, { name: "panel:1" }),
      );
    }, id);
  expect(await asPage(page), "the page itself").toBe("undefined");

  // A panel in a tab of its own is a panel, and the scripts have forgotten nothing.
  const again = await openPanel(context, extension, tab);
  await expect(again.getByRole("heading", { level: 1 })).toHaveText(TITLE);
});

test("no page can frame the panel", async ({ page, site, extension, context, errors, browserName }) => {
  test.skip(browserName === "firefox", "Playwright waits for ever for the frame that Firefox leaves empty");
  errors.expect(/frame|ERR_BLOCKED_BY_CLIENT|Security Error|may not load/i);
  await page.goto(lighthouse(site));
  const { panel, tab } = await summarize(context, extension, page);
  await summaryLines(panel);
  const url = extension.url(`sidepanel/index.html?tab=${tab}`);
  await page.evaluate((url) => {
    const frame = document.createElement("iframe");
    frame.src = url;
    document.body.append(frame);
  }, url);
  await page.waitForTimeout(1_000);
  for (const frame of page.frames().slice(1)) expect(await frame.content()).not.toContain("page-title");
});

test("scripts in pages do not see what was chosen", async ({ page, site, extension, context, browserName }) => {
  test.skip(browserName === "firefox", "Firefox keeps no level of access for storage.local");
  await page.goto(lighthouse(site));
  const { panel, tab } = await summarize(context, extension, page);
  await summaryLines(panel);
  const read = `chrome.storage.local.get().then((all) => Object.keys(all).join(), () => "refused")`;
  expect(await asContentScript(extension, tab, read)).toBe("refused");
});

test("another extension is not heard", async ({ site, browserName }) => {
  test.skip(browserName === "firefox", "the browsers' rule is the same; one of them shows it");
  const both = `${EXTENSION_DIR},${resolve(ROOT, "e2e/cases/guard-state/other-extension")}`;
  const launched = await launch({ args: [`--load-extension=${both}`, `--disable-extensions-except=${both}`] });
  try {
    await expect
      .poll(async () => (await launched.targets.urls()).filter((url) => /(background|other)\.js/.test(url)).length)
      .toBe(2);
    const ours = (await launched.targets.urls()).find((url) => url.endsWith("/background.js")) ?? "";
    const id = new URL(ours).host;
    launched.targets.setExtension(id);
    const page = await launched.context.newPage();
    await page.goto(lighthouse(site));
    await launched.targets.pressAction(page.url());
    const tab = await launched.targets.tabId();
    const title = `document.querySelector("#page-title")?.textContent`;
    await expect.poll(() => launched.targets.evaluate(`?tab=${tab}`, title)).toBe(TITLE);
    expect(await launched.targets.evaluate("other.js", attack(tab, id))).toBe("refused");
  } finally {
    await launched.close();
  }
});
