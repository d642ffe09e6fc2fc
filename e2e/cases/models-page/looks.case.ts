// How the pages about models look, and who can use them: axe, light, dark, narrow, from right to left.

import type { Page } from "@playwright/test";
import { bytesOf } from "../../helpers/downloads.ts";
import { NOT_IN_FIREFOX, shots, violationsIn } from "../../helpers/inspect.ts";
import {
  chooseFile,
  chooseHub,
  expect,
  lookUp,
  makeFast,
  openModels,
  publish,
  test,
} from "../../helpers/models-page.ts";
import { randomModel } from "../../helpers/random-model.ts";

async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsIn(page, NOT_IN_FIREFOX), name).toEqual([]);
    await page.screenshot({ path: shots(`${name}-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
  await page.screenshot({ path: shots(`${name}-forced-colors.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(320);
  await page.screenshot({ path: shots(`${name}-narrow.png`), fullPage: true });
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.screenshot({ path: shots(`${name}-right-to-left.png`), fullPage: true });
  await page.evaluate(() => (document.documentElement.dir = "ltr"));
}

test("the page of models", { tag: "@long" }, async ({ page, site, extension, faulty }) => {
  test.setTimeout(240_000);
  const repository = publish(faulty, bytesOf("medium"), { bytesPerS: 300 << 10 });
  await page.setViewportSize({ width: 1000, height: 800 });
  await openModels(page, extension);
  await makeFast(page, extension);
  await expect(page.locator("#recommended-list")).toContainText("Best for this computer");
  await inspect(page, "models-empty");

  await chooseFile(page, site, randomModel("small"));
  await expect(page.locator("#own .next-step")).toContainText("is stored. It can write");
  await page.locator("#writer").getByRole("radio").nth(1).check();
  await page.getByRole("button", { name: /^Verify: / }).click();
  await expect(page.getByText("Every byte is right.")).toBeVisible();
  await chooseHub(page, repository);
  await lookUp(page, repository.name);
  await page
    .locator("#own .model")
    .getByRole("button", { name: /^(Download|Resume)/ })
    .click();
  await expect(page.locator("#own .download .progress-words")).toContainText("Downloading");
  await inspect(page, "models-downloading");

  await page
    .locator("#installed-list .download")
    .getByRole("button", { name: /^Cancel/ })
    .click();
  repository.model.faults = { refusals: [{ status: 403, times: 99 }] };
  await page
    .locator("#installed-list")
    .getByRole("button", { name: /^Resume: / })
    .click();
  await expect(page.getByRole("alert").first()).toContainText("(403)", { timeout: 60_000 });
  await page
    .getByRole("button", { name: /^Delete: / })
    .first()
    .click();
  await inspect(page, "models-failed");
});

test("the first page", { tag: "@long" }, async ({ page, extension }) => {
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.goto(extension.url("pages/welcome/index.html"));
  await makeFast(page, extension);
  await expect(page.getByRole("button", { name: /^Download / })).toBeVisible({ timeout: 60_000 });
  await inspect(page, "welcome");
});
