// A newer version of the extension has written what is stored, and this one is older.

import type { Page } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";

test.use({ freshProfile: true });
test.beforeEach(({ errors }) => errors.expect(/VersionError|blocked an inline style/));

const make = (page: Page, name: string): Promise<void> =>
  page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open(name, 99);
        opening.onupgradeneeded = () => void opening.result.createObjectStore("of-tomorrow");
        opening.onsuccess = () => resolve(opening.result.close());
        opening.onerror = () => reject(opening.error);
      }),
    name,
  );

const versionOf = (page: Page, name: string): Promise<number | null> =>
  page.evaluate(async (name) => (await indexedDB.databases()).find((one) => one.name === name)?.version ?? null, name);

test("a server that a newer version has stored can be turned off", async ({ page, extension }) => {
  await page.goto(extension.url("pages/welcome/index.html"));
  await make(page, "pith-server");
  await page.goto(extension.url("pages/server/index.html"));
  await expect(page.getByText("What is kept of your own server was written by a newer version of Pith.")).toBeVisible();
  await page.getByRole("button", { name: "Turn off" }).click();
  await expect(page.getByText("written by a newer version")).toHaveCount(0);
  expect(await versionOf(page, "pith-server")).not.toBe(99);
});

test("a history that a newer version has written can be deleted", async ({ page, extension }) => {
  await page.goto(extension.url("pages/welcome/index.html"));
  await make(page, "pith-history");
  await page.goto(extension.url("pages/history/index.html"));
  const told = page.locator("#failure").getByText("The history was written by a newer version of Pith.");
  await expect(told).toBeVisible();
  await page.locator("#failure").getByRole("button", { name: "Delete the whole history" }).click();
  await expect(told).toHaveCount(0);
  expect(await versionOf(page, "pith-history")).not.toBe(99);
});
