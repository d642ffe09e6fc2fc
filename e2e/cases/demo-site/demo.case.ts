// The demo site: any site can do the same with the client.

import { resolve } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import { expectAccessible, loadFile, runOn } from "./steps.ts";

test.use({ withExtension: false });

/** A model, and how it goes on after "Once upon a time" (golden_lm.json). */
const STORIES = {
  file: resolve(referenceDir(), "real/stories260K-f32.gguf"),
  text: ", there was a little girl named Lily. She loved to play outside in the park.",
};

/** A software GPU compiles its kernels for long when a profile sees it first. */
const FIRST_START = { timeout: 120_000 };

for (const backend of ["webgpu", "cpu"]) {
  test(
    `a language model from a file writes on ${backend}`,
    { tag: backend === "webgpu" ? "@long" : [] },
    async ({ page, site, adapter }) => {
      test.setTimeout(180_000);
      await page.goto(site.url("/demo/index.html"));
      await loadFile(page, backend, STORIES.file);
      const facts = page.locator("#facts");
      await expect(facts).toContainText("llama", FIRST_START);
      await expect(facts).toContainText(backend === "webgpu" ? "GPU (WebGPU)" : "Processor");
      if (backend === "webgpu") expect((await facts.innerText()).toLowerCase()).toContain(adapter.architecture);
      await page.getByLabel("Maximum tokens").fill("100");
      await page.getByRole("button", { name: "Write" }).click();
      await expect(page.locator("#write-stats")).toContainText("tokens/s");
      await expect(page.locator("#write-stats")).toContainText("100 tokens");
      await expect(page.locator("#output")).toContainText(`Once upon a time${STORIES.text}`);
    },
  );
}

test("writing can be stopped, and goes on to work", async ({ page, site }) => {
  await page.goto(site.url("/demo/index.html"));
  await loadFile(page, "cpu", STORIES.file);
  await expect(page.locator("#facts")).toBeVisible();
  await page.getByLabel("Maximum tokens").fill("500");
  // Clicked by the page itself: one from here may come when everything is written.
  await page.locator("#write-stop").evaluate((stop: HTMLElement) => {
    new MutationObserver((_, observer) => {
      if (stop.hidden) return;
      observer.disconnect();
      stop.click();
    }).observe(stop, { attributes: true });
  });
  await page.getByRole("button", { name: "Write" }).click();
  await expect(page.locator("#output")).toContainText("Once upon a time");
  await expect(page.getByRole("button", { name: "Stop" })).toBeHidden({ timeout: 1_000 });
  await expect(page.locator("#write-error")).toBeEmpty();
  await expect(page.locator("#write-stats")).not.toContainText("500 tokens");
  await page.getByLabel("Maximum tokens").fill("5");
  await page.getByRole("button", { name: "Write" }).click();
  await expect(page.locator("#write-stats")).toContainText("5 tokens");
});

test("a file that is no model is refused in words", async ({ page, site }) => {
  await page.goto(site.url("/demo/index.html"));
  await loadFile(page, "cpu", {
    name: "holiday.gguf",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("This is a picture of the sea, not a model. ".repeat(40)),
  });
  await expect(page.locator("#local-outcome")).toContainText("This file is not a GGUF model.");
  await expect(page.locator("#local-outcome")).toContainText("not_gguf");
  await loadFile(page, "cpu", STORIES.file);
  await expect(page.locator("#facts")).toContainText("llama");
});

test("the packaged model summarises a text and finds answers in it", async ({ page, site }) => {
  // The software GPU takes seconds for each sentence: with the long suites.
  const backend = process.env.PITH_FULL ? "webgpu" : "cpu";
  test.setTimeout(300_000);
  await page.goto(site.url("/demo/index.html"));
  await page.getByRole("button", { name: "Summarize" }).click();
  await expect(page.locator("#text-status")).toContainText(/^\d of \d+ sentences/);
  const line = page.locator("#lines button").first();
  await line.click();
  const selected = await page.locator("#text").evaluate((area) => {
    const { value, selectionStart, selectionEnd } = area as HTMLTextAreaElement;
    return value.slice(selectionStart, selectionEnd);
  });
  expect(selected.replace(/\s/g, " ")).toBe(await line.innerText());
  await runOn(page, backend);
  await page.getByRole("button", { name: "Load all-MiniLM-L6-v2" }).click();
  await expect(page.locator("#facts")).toContainText("bert", FIRST_START);
  await page.getByLabel("A question about this text").fill("Why does bread go stale?");
  await page.keyboard.press("Enter");
  await expect(page.locator("#answers li").first()).toContainText(/stale|starch/i, { timeout: 240_000 });
  await expect(page.locator("#answer-status")).toContainText(backend);
});

test("the site has no violations, light and dark", async ({ page, site }) => {
  await page.goto(site.url("/demo/index.html"));
  await expectAccessible(page, "demo");
});
