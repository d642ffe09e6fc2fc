// What a model may write is found out when it is chosen, and what it may not is not offered.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { ROOT, SMOLLM2_FILE } from "../../harness/paths.ts";
import { chooseFile, expect, openModels, test } from "../../helpers/models-page.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";
import { scriptedModel } from "../../helpers/scripted-model.ts";
import { select } from "../../helpers/selection.ts";

/** The prompt is the last line: of a sentence to be made shorter it ends with a colon, of a question with its mark. */
const TEMPLATE = "{{ messages[-1].content.split('\\n')[-1] }}";
/** It answers every question of the test, and shortens nothing. */
const answering = (): string =>
  scriptedModel("answering", TEMPLATE, { ":": ["Nothing ", "at all"], "?": ["214, 12, ", "1931, ", "Jonas Feld."] });
/** It can do neither. */
const hopeless = (): string =>
  scriptedModel("hopeless", TEMPLATE, { ":": ["Nothing ", "at all"], "?": ["Who ", "knows."] });

const verdict = (page: Page) => page.locator("#writer .verdict");
const actions = (panel: Page) => panel.locator("#act-action option").allInnerTexts();

async function add(page: Page, site: Parameters<typeof chooseFile>[1], file: string): Promise<void> {
  await chooseFile(page, site, file);
  await page
    .locator("#own .next-step")
    .getByRole("button", { name: /write$/ })
    .click();
}

test("a model that only answers writes no summary, and is offered for nothing else", async ({
  page,
  site,
  extension,
  context,
}) => {
  await openModels(page, extension);
  await add(page, site, answering());
  await expect(verdict(page)).toContainText(
    /was tested\. It may answer questions\. What it wrote from sentences was wrong too often\./,
    { timeout: 60_000 },
  );
  await page.reload();
  await expect(verdict(page)).toContainText("It may answer questions.");
  await expect(verdict(page).getByRole("button", { name: "Test it now" })).toBeHidden();

  const article = await context.newPage();
  await article.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, article);
  await summaryLines(panel);
  const writing = panel.locator("#writing");
  await expect(writing).toContainText("may not write summaries: in its test too much was wrong.");
  await expect(writing.getByRole("combobox")).toHaveCount(0);
  await expect(writing.getByRole("heading")).toBeHidden();
  await expect(panel.locator(".result .passage").first()).toBeVisible();

  await article.bringToFront();
  await select(article, "p");
  await panel.bringToFront();
  await panel.locator("#act-start").click();
  expect(await actions(panel)).toEqual(["Explain", "Summarize", "Define"]);
  await expect(panel.locator("#composer")).toContainText("only explains and defines");
});

test("a model that fails its test writes nothing", { tag: "@long-in-firefox" }, async ({ page, site, extension }) => {
  await openModels(page, extension);
  await add(page, site, hopeless());
  await expect(verdict(page)).toContainText("It may not write about pages", { timeout: 60_000 });
  await expect(page.locator("#own .next-step")).toContainText("It may not write about pages");
});

/** SmolLM2 with another letter in its name: as fast, and a file that nobody knows. */
function unknownModel(): string {
  const bytes = readFileSync(SMOLLM2_FILE);
  const at = bytes.indexOf("Lc100K Mix1 Ep2");
  if (at < 0) throw new Error("the file is called otherwise");
  bytes.write("3", at + "Lc100K Mix1 Ep".length);
  const file = resolve(ROOT, ".cache/models/SmolLM2-unknown.gguf");
  writeFileSync(file, bytes);
  return file;
}

test(
  "a test shows its progress, is cancelled, and begins again; a page that is asked meanwhile has its key sentences and waits for the same test",
  { tag: "@long" },
  async ({ page, site, extension, context }) => {
    test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
    test.setTimeout(400_000);
    await openModels(page, extension);
    await add(page, site, unknownModel());
    // The name of its training run is none.
    await expect(page.locator("#installed-list h3")).toHaveText("SmolLM2-unknown");
    const testing = /Testing what the language model can write, \d+ of 16/;
    await expect(verdict(page).locator(".progress-words")).toHaveText(testing, { timeout: 120_000 });
    await verdict(page)
      .getByRole("button", { name: /^Cancel / })
      .click();
    const begin = verdict(page).getByRole("button", { name: "Test it now" });
    await expect(begin).toBeVisible({ timeout: 2_000 });
    await begin.click();
    await expect(verdict(page).locator(".progress-words")).toHaveText(testing, { timeout: 120_000 });

    const article = await context.newPage();
    await article.goto(site.url("/article/"));
    const { panel } = await summarize(context, extension, article, { length: "short" });
    expect((await summaryLines(panel)).length).toBe(3);
    const writing = panel.locator("#writing");
    await expect(writing.locator(".progress-words")).toHaveText(testing);
    const [done] = /\d+/.exec(await writing.locator(".progress-words").innerText())!;
    expect(Number(done)).toBeGreaterThan(0);
    await expect(writing).not.toHaveAttribute("aria-busy", { timeout: 300_000 });
    await page.bringToFront();
    await expect(verdict(page)).toContainText("SmolLM2-unknown was tested.");
    test.info().annotations.push({ type: "verdict", description: await verdict(page).innerText() });
    await panel.bringToFront();
    test.info().annotations.push({ type: "written", description: await writing.innerText() });
  },
);

test("a file that is known by its hash has its name, wherever it came from", async ({ page, site, extension }) => {
  test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
  await openModels(page, extension);
  await chooseFile(page, site, SMOLLM2_FILE);
  await expect(page.locator("#installed-list h3")).toHaveText("SmolLM2 135M Instruct (Q4_1)", { timeout: 60_000 });
});
