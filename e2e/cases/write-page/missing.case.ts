// The language model was deleted, or is not whole: its own sentence, and the page's own sentences all the same.

import { existsSync } from "node:fs";
import { expect, test } from "../../fixtures.ts";
import { SMOLLM2_FILE } from "../../harness/paths.ts";
import { ask, chooseWriter, deleteModel, storeModel, WRITE_MS } from "../../helpers/language-model.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test.describe.configure({ timeout: 2 * WRITE_MS });

test.use({ actionTimeout: 30_000 });
// The browser is shared: another test has chosen.
test.beforeEach(({ extension }) => chooseWriter(extension, null));

const GONE = "The language model is no longer on this computer.";

test("a model that is not in the store is told of, and the key sentences are shown", async ({
  page,
  site,
  extension,
  context,
}) => {
  await chooseWriter(extension, "was-here-once.gguf");
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  expect((await summaryLines(panel)).length).toBe(5);
  const alert = panel.locator("#writing").getByRole("alert");
  await expect(alert).toContainText(GONE);
  await expect(alert.getByRole("button", { name: "Open models" })).toBeVisible();
  await expect(panel.locator(".result .passage").first()).toBeVisible();

  const question = await ask(panel, "How old can peat become?");
  await expect(question.getByRole("alert")).toContainText(GONE);
  await expect(question.locator(".passage").first()).toBeVisible();
});

test("a model that is deleted during an answer", async ({ page, site, extension, context }) => {
  test.skip(!existsSync(SMOLLM2_FILE), "SmolLM2 was not fetched");
  await page.goto(site.url("/article/"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  const name = await storeModel(panel, extension);
  const question = await ask(panel, "How old can peat become?");
  await expect(question.locator(".progress-words")).toHaveText(/Writing|Testing/, { timeout: WRITE_MS });
  await deleteModel(panel, name);
  // What is in memory goes on to the end of the answer.
  await expect(question).not.toHaveAttribute("aria-busy", { timeout: WRITE_MS });
  await expect(question.getByRole("alert")).toHaveCount(0);

  const next = await ask(panel, "What is peat made of?");
  await expect(next.getByRole("alert")).toContainText(GONE);
  await expect(next.locator(".passage").first()).toBeVisible();
  await expect(panel.locator("#reading")).toBeVisible();
});
