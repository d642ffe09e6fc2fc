// Records that this version did not write, and a history that is full.

import { expect, test } from "../../fixtures.ts";
import { entryOf, openHistory, putRecords, records, turnHistory } from "../../helpers/history.ts";
import { lighthouse } from "../../helpers/pages.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test.use({ freshProfile: true });
test.beforeEach(({ errors }) => errors.expect(/blocked an inline style/));

const DAY_MS = 86_400_000;

test("records of newer versions and damaged ones are listed as such, kept, and can be deleted", async ({
  extension,
  context,
}) => {
  const history = await openHistory(context, extension);
  await history.getByRole("checkbox", { name: "Keep a history" }).check();
  await expect(history.getByText("Nothing has been kept yet.")).toBeVisible();
  const day = 20_000 * DAY_MS;
  await putRecords(history, "entries", [
    entryOf("fine", "Fine", day),
    { ...entryOf("newer", "From the future", day + 1), version: 99, document: { pages: "in another form" } },
    { ...entryOf("damaged", "Broken", day + 2), document: { title: "<b>Broken</b>", lines: "none" } },
    { id: "bare" },
    { ...entryOf("hostile", "<img src=x onerror=alert(1)>", day + 3, "‮<script>alert(1)</script>") },
    {
      ...entryOf("link", "Link", day + 4),
      document: { ...entryOf("link", "Link", day + 4).document, address: "javascript:alert(1)" },
    },
  ]);
  await history.reload();
  const titles = history.locator(".entry h3");
  await expect(titles).toHaveText([
    "Link",
    "<img src=x onerror=alert(1)>",
    "Damaged",
    "Kept by a newer version of Pith",
    "Fine",
    "Damaged",
  ]);
  await expect(history.locator(".group h2").last()).toHaveText("Unknown date");
  expect(await history.locator("#list img, #list script").count()).toBe(0);
  await titles.first().click();
  await expect(history.locator(".entry[open]").getByText("javascript:alert(1)").last()).toBeVisible();
  expect(await history.locator("a[href^=javascript]").count()).toBe(0);
  await titles.first().click();

  await titles.nth(3).click();
  await expect(history.getByText("It stays until you update Pith or delete it.")).toBeVisible();
  await history.getByRole("textbox", { name: "Search by words or meaning" }).fill("fine place");
  await expect(titles).toHaveText(["Fine"]);
  await history.getByRole("textbox", { name: "Search by words or meaning" }).fill("");
  await expect(titles).toHaveCount(6);
  expect(await records(history, "entries")).toHaveLength(6);

  await titles.last().click();
  await history.getByRole("button", { name: "Delete “Damaged”" }).click();
  await expect(titles).toHaveCount(5);
});

test("a database of a newer version stays untouched, and the page says so", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await panel.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open("pith-history", 99);
        opening.onupgradeneeded = () => opening.result.createObjectStore("future").put("kept", 1);
        opening.onsuccess = () => resolve(opening.result.close());
      }),
  );
  const history = await openHistory(context, extension);
  await expect(history.getByText("The history was written by a newer version of Pith.").first()).toBeVisible();
  await panel.bringToFront();
  await panel.getByRole("button", { name: "Summarize again" }).click();
  await expect(panel.locator("#not-kept")).toContainText("The history was written by a newer version of Pith.");
  expect((await summaryLines(panel)).length).toBe(5);
  const version = await panel.evaluate(
    async () => (await indexedDB.databases()).find(({ name }) => name === "pith-history")?.version,
  );
  expect(version).toBe(99);
});

test("the oldest entries go when there are too many, and the page says so", async ({
  page,
  site,
  extension,
  context,
}) => {
  await page.goto(lighthouse(site));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await turnHistory(panel, true);
  const all = Array.from({ length: 2_000 }, (_, at) => entryOf(`old-${at}`, `Place ${at}`, DAY_MS + at));
  await putRecords(panel, "entries", all);
  await panel.getByRole("button", { name: "Summarize again" }).click();
  const history = await openHistory(context, extension);
  await expect(history.locator("#dropped")).toHaveText("Oldest pages deleted to make room so far: 1.");
  const kept = (await records<{ id: string }>(history, "entries"))!.map(({ id }) => id);
  expect(kept).toHaveLength(2_000);
  expect(kept).not.toContain("old-0");
  expect(kept).toContain("old-1");

  // All of them are searched, and the page stays short.
  await expect(history.locator(".entry")).toHaveCount(50);
  await history.getByRole("button", { name: "Show more" }).click();
  await expect(history.locator(".entry")).toHaveCount(100);
  await history.getByRole("textbox", { name: "Search by words or meaning" }).fill("place 1234");
  await expect(history.locator(".entry h3").first()).toHaveText("Place 1234");

  // One large entry takes the room of many.
  const bytes = 80 * 2 ** 20;
  await putRecords(history, "entries", [{ ...entryOf("large", "Large", 0), bytes }]);
  await panel.bringToFront();
  await panel.getByRole("button", { name: "Summarize again" }).click();
  await expect
    .poll(async () => (await records<{ id: string }>(history, "entries"))!.map(({ id }) => id).includes("large"))
    .toBe(false);
  expect(await records(history, "entries")).toHaveLength(2_000);
});
