// Work goes on without the panel and without the background script.

import { expect, test } from "../../fixtures.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { choose, closeRealPanel, markedText, openPanel, press, summarize, summaryLines } from "../../helpers/panel.ts";

test(
  "a summary that was begun is there when the panel opens again",
  { tag: "@long" },
  async ({ page, site, extension, context, browserName }) => {
    test.skip(
      browserName === "firefox",
      "slow work needs a GPU, of which Firefox ESR has none here: the next cases show it",
    );
    await page.goto(lighthouse(site));
    test.setTimeout(300_000);
    // A backend that is not loaded yet, so that there is something left to do.
    await choose(extension, { backend: "webgpu" });
    const tab = await press(extension, page);
    await expect
      .poll(() =>
        extension.evaluate<boolean>(`?tab=${tab}`, `document.getElementById("page-title")?.textContent !== ""`),
      )
      .toBe(true);
    await closeRealPanel(extension, tab);
    const panel = await openPanel(context, extension, tab);
    await expect(panel.locator("#summary .facts")).toBeVisible({ timeout: 240_000 });
    await panel.close();
    const again = await openPanel(context, extension, tab);
    await expect(again.locator("#summary .facts")).toBeVisible({ timeout: 2_000 });
    await again.locator("#summary .passage").first().click();
    await expect.poll(() => markedText(page)).not.toBeNull();
  },
);

test("a question that was asked is answered when the panel opens again", async ({ page, site, extension, context }) => {
  await page.goto(site.url("/article/"));
  const { panel, tab } = await summarize(context, extension, page);
  await summaryLines(panel);
  await panel.getByRole("textbox", { name: "Ask this page" }).fill("What is peat made of?");
  await panel.keyboard.press("Enter");
  await expect(panel.locator(".question")).toHaveCount(1);
  await panel.close();
  const again = await openPanel(context, extension, tab);
  const question = again.locator(".question");
  await expect(question.getByRole("heading")).toHaveText("What is peat made of?");
  await expect(question.locator(".passage, .nothing").first()).toBeAttached();
});

test("the background script may be ended at any time", async ({
  page,
  site,
  extension,
  context,
  launched,
  browserName,
}) => {
  test.skip(browserName === "firefox", "there it is the host: see the case of a host that dies");
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  const session = await launched.context.browser()!.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets");
  const worker = targetInfos.find(({ type, url }) => type === "service_worker" && url.startsWith(extension.url("")));
  expect(worker).toBeDefined();
  await session.send("Target.closeTarget", { targetId: worker?.targetId ?? "" });
  expect((await summaryLines(panel)).length).toBe(5);
  await panel.locator("#summary .passage").first().click();
  await expect.poll(() => markedText(page)).not.toBeNull();
  // Pressed again, it starts again.
  await press(extension, page);
});
