// The browser's own language model writes. No browser here has one: a stand-in with the interface of the Prompt API takes its
// place in the host and on the models page.

import type { Page } from "@playwright/test";
import { expect, openModels, test } from "../../helpers/models-page.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test.skip(({ browserName }) => browserName === "firefox", "Firefox has no such model");

/** Code that makes the stand-in global. Bound, its code cannot be read, as that of a browser's class. */
const standIn = (state: string): string => `(() => {
  const calls = (globalThis.browserCalls = { created: 0, downloads: 0, prompts: [] });
  let state = ${JSON.stringify(state)};
  class StandIn {
    contextWindow = 6144;
    promptStreaming(input, { signal }) {
      calls.prompts.push(input);
      const lines = [...input.matchAll(/^\\[\\d+\\] (.*?[.!?])(?: |$)/gm)].slice(0, 3).map(([, line]) => line);
      const pieces = [...lines, "The moon is made of 17 kinds of cheese."].join("\\n").match(/.{1,12}|\\n/gs);
      return new ReadableStream({
        pull(controller) {
          if (signal.aborted) return controller.error(signal.reason);
          const piece = pieces.shift();
          if (piece === undefined) controller.close();
          else controller.enqueue(piece);
        },
      });
    }
    destroy() {}
  }
  const model = StandIn.bind(null);
  model.availability = async () => state;
  model.create = async ({ monitor } = {}) => {
    if (state !== "available") {
      calls.downloads += 1;
      const target = new EventTarget();
      monitor?.(target);
      const progress = (loaded) =>
        target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded, total: 1 }));
      progress(0.25);
      await new Promise((go) => (globalThis.goOn = go));
      progress(1);
      state = "available";
    }
    calls.created += 1;
    return new StandIn();
  };
  Object.defineProperty(globalThis, "LanguageModel", { value: model, configurable: true });
})()`;

const written = (panel: Page) => panel.locator("#writing .written");

test("it is offered with a download that begins with a press, then chosen, and its lines are judged", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.addInitScript(standIn("downloadable"));
  await openModels(page, extension);
  const offer = page.locator("#writer .browser-offer");
  await expect(offer).toContainText("The browser has a language model of its own");
  const calls = () => page.evaluate(() => (globalThis as unknown as { browserCalls: object }).browserCalls);
  expect(await calls()).toMatchObject({ created: 0, downloads: 0 });
  await offer.getByRole("button", { name: "Let the browser download its model" }).click();
  await expect(offer.locator(".progress-words")).toHaveText("The browser downloads its model: 25%");
  await page.evaluate(() => (globalThis as unknown as { goOn(): void }).goOn());
  const choice = page.locator("#writer").getByRole("radio", { name: /The browser’s own model/ });
  await expect(choice).toBeChecked();
  expect(await calls()).toMatchObject({ created: 1, downloads: 1 });
  await expect(offer).toBeHidden();

  await extension.evaluate("offscreen", standIn("available"));
  const article = await context.newPage();
  await article.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, article);
  await summaryLines(panel);
  const writing = panel.locator("#writing");
  await expect(writing).not.toHaveAttribute("aria-busy");
  const lines = await written(panel).allInnerTexts();
  expect(lines.length).toBeGreaterThan(0);
  // What the page does not say is not shown.
  expect(lines.join(" ")).not.toContain("cheese");
  await writing.getByText("Written by The browser’s own model").click();
  await expect(writing.getByRole("meter")).toBeVisible();
});

test("the host downloads nothing, and says that the model is gone", async ({ page, site, extension, context }) => {
  await page.addInitScript(standIn("available"));
  await openModels(page, extension);
  await page
    .locator("#writer")
    .getByRole("radio", { name: /The browser’s own model/ })
    .check();
  await extension.evaluate("offscreen", standIn("downloadable"));
  const article = await context.newPage();
  await article.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, article);
  await summaryLines(panel);
  await expect(panel.locator("#writing").getByRole("alert")).toContainText(
    "The browser’s own model cannot be used now.",
  );
  const calls = await extension.evaluate("offscreen", "globalThis.browserCalls");
  expect(calls).toMatchObject({ created: 0, downloads: 0 });
});
