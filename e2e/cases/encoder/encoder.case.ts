// Pages in another language than English: which embedding model reads them, and which ones are offered.

import type { BrowserContext, Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Extension } from "../../fixtures.ts";
import { ROOT } from "../../harness/paths.ts";
import {
  chooseFile,
  chooseHub,
  expect,
  lookUp,
  openModels,
  publish,
  type Repository,
  test,
} from "../../helpers/models-page.ts";
import { multilingualEncoder } from "../../helpers/multilingual-encoder.ts";
import { ask } from "../../helpers/several-tabs.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";
import { randomModel } from "../../helpers/random-model.ts";

const WORDS_ALONE =
  "The built-in model reads English only, so questions about this page (German) are answered by keywords alone.";

const shots = (file: string) =>
  resolve(ROOT, "e2e/results/screens", test.info().project.use.browserName === "firefox" ? "firefox" : "", file);

/** A panel with the key sentences of the German page. */
async function summarizeGerman(context: BrowserContext, extension: Extension, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  const { panel } = await summarize(context, extension, page);
  expect((await summaryLines(panel)).length).toBe(5);
  return panel;
}

/** Downloads the encoder from the hub, by its name. */
async function download(models: Page, repository: Repository): Promise<void> {
  await chooseHub(models, repository);
  await lookUp(models, repository.name);
  const card = models.locator("#own .model");
  await expect(card).toContainText("This is an embedding model");
  await card.getByRole("button", { name: /^(Download|Resume)/ }).click();
  await expect(models.locator("#installed-list > li")).toContainText("complete", { timeout: 60_000 });
}

test("the built-in model says that it reads English only, and the models page offers others", async ({
  page,
  context,
  site,
  extension,
}) => {
  const panel = await summarizeGerman(context, extension, site.url("/german/"));
  const note = panel.locator("#summary .encoder-note");
  await expect(note).toContainText(WORDS_ALONE);
  await expect(
    note.getByRole("button", {
      name: /^Get Granite Embedding 107M Multilingual \(121\sMB\), which reads this language/,
    }),
  ).toBeVisible();
  await note.scrollIntoViewIfNeeded();
  await panel.screenshot({ path: shots("encoder-offer.png") });

  await openModels(page, extension);
  const known = page.locator("#encoder-list > li");
  await expect(known).toHaveCount(2);
  const granite = known.filter({ hasText: "Granite Embedding 107M Multilingual" });
  await expect(granite).toContainText(/121\sMB · IBM · Q8_0 · Apache-2\.0 · /);
  await expect(granite).toContainText("from huggingface.co");
  await expect(granite.getByRole("button", { name: /^Download 121\sMB from huggingface\.co/ })).toBeVisible();
  const choices = page.locator("#encoder").getByRole("radio");
  await expect(choices).toHaveCount(1);
  await expect(choices.first()).toBeChecked();
  await page.locator("#encoder").screenshot({ path: shots("encoder-models.png") });
});

test("a page in English needs no sentence about it", { tag: "@long" }, async ({ context, site, extension, page }) => {
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await expect(panel.locator("#summary .encoder-note")).toBeHidden();
});

test(
  "a downloaded encoder is chosen and reads a page in German, until it is deleted",
  { tag: "@long-in-firefox" },
  async ({ page, context, site, extension, faulty }) => {
    test.setTimeout(240_000);
    const repository = publish(faulty, readFileSync(multilingualEncoder()));
    await openModels(page, extension);
    await download(page, repository);
    // It reads, and does not write.
    const choices = page.locator("#encoder").getByRole("radio");
    await expect(choices).toHaveCount(2);
    await expect(page.locator("#writer").getByRole("radio")).toHaveCount(1);
    await choices.nth(1).check();
    const stored = page.locator("#installed-list > li");
    await expect(stored.getByText("Reads", { exact: true })).toBeVisible();
    await expect(stored.getByRole("button", { name: /^Test: / })).toBeHidden();
    await page.reload();
    await expect(choices.nth(1)).toBeChecked({ timeout: 60_000 });
    await page.locator("#encoder").screenshot({ path: shots("encoder-chosen.png") });

    const panel = await summarizeGerman(context, extension, site.url("/german/"));
    const note = panel.locator("#summary .encoder-note");
    await expect(note).toBeHidden();
    const question = await ask(panel, "Wann begann die Entwässerung?");
    await expect(question.locator(".ran-on")).toContainText("Ran on the processor");
    await expect(question.getByText("Found by keywords only", { exact: false })).toBeHidden();
    await question.scrollIntoViewIfNeeded();
    await panel.screenshot({ path: shots("encoder-read.png") });

    // Its choice stays, and the built-in one reads in its place.
    await stored.getByRole("button", { name: /^Delete: / }).click();
    await stored.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(stored).toHaveCount(0);
    await expect(page.locator("#encoder")).toContainText(
      "Tiny-Q8_0 was chosen to read, but it is not on this computer",
    );
    const again = await ask(panel, "Wer lebt im Moor?");
    await expect(again.getByText("Found by keywords only", { exact: false })).toBeVisible();
    await expect(note).toContainText(`Tiny-Q8_0 is not on this computer any more. ${WORDS_ALONE}`, {
      timeout: 60_000,
    });
    await expect(
      note.getByRole("button", {
        name: /^Get Granite Embedding 107M Multilingual \(121\sMB\), which reads this language/,
      }),
    ).toBeVisible();
    await note.scrollIntoViewIfNeeded();
    await panel.screenshot({ path: shots("encoder-gone.png") });

    // The choice of the built-in one ends that.
    await choices.first().check();
    await expect(note).toContainText(WORDS_ALONE, { timeout: 60_000 });
    await expect(note).not.toContainText("Tiny-Q8_0");
  },
);

test(
  "a model that cannot read leaves the page to the built-in one",
  { tag: "@long-in-firefox" },
  async ({ page, context, site, extension }) => {
    test.setTimeout(240_000);
    await openModels(page, extension);
    await chooseFile(page, site, randomModel("small"));
    await expect(page.locator("#installed-list > li")).toContainText("complete");
    // It is a language model: it may write and is not offered to read.
    await expect(page.locator("#encoder").getByRole("radio")).toHaveCount(1);
    const name = await page.locator("#writer input").nth(1).getAttribute("value");
    const encoder = { name: name?.replace(/^local /, ""), title: "Small", source: null };
    const panel = await summarizeGerman(context, extension, site.url("/german/"));
    await extension.evaluate("background.js", `chrome.storage.local.set(${JSON.stringify({ roles: { encoder } })})`);
    await panel.bringToFront();
    await ask(panel, "Wann begann die Entwässerung?");
    const note = panel.locator("#summary .encoder-note");
    await expect(note).toContainText(`Small could not be loaded. ${WORDS_ALONE}`, { timeout: 60_000 });
  },
);
