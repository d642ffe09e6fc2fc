// Length and backend, as the settings in the panel change them: a summary is made at once, without a model; a question needs one.

import { expect, test } from "../../fixtures.ts";
import { ask } from "../../helpers/language-model.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

const QUESTION = "Where do the puffins dig?";

test(
  "the length can be changed while a summary is on the screen",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page);
    expect(await summaryLines(panel)).toHaveLength(5);
    await panel.getByRole("button", { name: "Settings" }).click();
    for (const [value, count] of [
      ["short", 3],
      ["long", 8],
    ] as const) {
      await panel.getByLabel("Summary length").selectOption(value);
      await expect(panel.locator("#summary .passage")).toHaveCount(count);
      await expect(panel.locator("#summary .facts")).toContainText(`${count} of`);
    }
  },
);

test(
  "the processor is used when it is chosen, and the panel says so",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context, browserName }) => {
    await page.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, page, { backend: "cpu" });
    await summaryLines(panel);
    // Which gives it threads. Firefox has no such key in manifests.
    expect(await panel.evaluate(() => crossOriginIsolated)).toBe(browserName === "chromium");
    const where = (await ask(panel, QUESTION)).locator(".ran-on");
    await expect(where).toContainText("Ran on the processor");
    await where.locator("summary").click();
    await expect(where.locator("p")).not.toBeEmpty();
  },
);

test(
  "WebGL2 is used when it is chosen, and the panel says so",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    test.setTimeout(300_000);
    await page.goto(lighthouse(site));
    const { panel } = await summarize(context, extension, page, { backend: "webgl2" });
    expect((await summaryLines(panel)).length).toBeGreaterThan(1);
    const where = (await ask(panel, QUESTION)).locator(".ran-on");
    await expect(where).toContainText("Ran on the GPU through WebGL2", { timeout: 240_000 });
  },
);

test(
  "the panel leads with the page's own title, and the author's description where there is one",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension, context }) => {
    const text = "The tide comes in twice a day, and with it come the boats that fish for mussels. ".repeat(8);
    site.handle("/described", (_, response) => {
      response.setHeader("content-type", "text/html").end(
        `<!doctype html><html lang="en"><title>Mussels | The Coast</title>
       <meta name="description" content="How a village lives from what the tide leaves behind.">
       <main><article><h1>Mussels</h1><p>${text}</p><p>${text.replace("mussels", "crabs")}</p></article></main>`,
      );
    });
    await page.goto(site.url("/described"));
    const { panel } = await summarize(context, extension, page);
    await expect(panel.getByRole("heading", { level: 1 })).toHaveText("Mussels");
    const author = panel.getByRole("figure");
    await expect(author).toContainText("The author’s description");
    await expect(author).toContainText("How a village lives from what the tide leaves behind.");
  },
);

test(
  "cancel ends an answer at once, and trying again finishes it",
  { tag: "@long" },
  async ({ page, site, extension, context, browserName }) => {
    test.setTimeout(300_000);
    await page.goto(lighthouse(site));
    // A software GPU has its shaders compiled first: time enough to stop it.
    const backend = browserName === "firefox" || !process.env.PITH_FULL ? "webgl2" : "webgpu";
    const { panel } = await summarize(context, extension, page, { backend });
    await summaryLines(panel);
    const question = await ask(panel, QUESTION);
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(question.locator(".stopped")).toBeVisible({ timeout: 1_000 });
    await expect(question.getByRole("button", { name: "Cancel" })).toBeHidden();
    await question.getByRole("button", { name: "Try again" }).click();
    await expect(question.locator(".ran-on")).toContainText("Ran on the GPU", { timeout: 240_000 });
    await expect(question.locator(".passage").first()).toContainText("puffins");
  },
);
