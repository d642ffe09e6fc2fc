// A model on its way: from a name on the hub to the store, whatever ends meanwhile.

import { bytesOf } from "../../helpers/downloads.ts";
import { chooseHub, expect, lookUp, MODELS_PAGE, openModels, publish, test } from "../../helpers/models-page.ts";

/** Slow enough to be watched: a few seconds. */
const bytesPerS = 2 << 20;

test("a name on the hub is looked up, downloaded, paused, resumed and cancelled", async ({
  page,
  extension,
  faulty,
}) => {
  const repository = publish(faulty, bytesOf("modest"), { bytesPerS });
  await openModels(page, extension);
  await chooseHub(page, repository);
  await lookUp(page, repository.name);
  const card = page.locator("#own .model");
  await expect(card).toContainText("It fits.");
  await expect(card).toContainText("8.9 MB · from localhost");
  // Only the start of the file is read before the download is asked for.
  expect(repository.model.sent_bytes).toBeLessThanOrEqual(3 << 20);

  await card
    .getByRole("button", { name: /^Download 8\.9\sMB from localhost:\d+: Tiny-Q8_0$|^Resume: .* from localhost/ })
    .click();
  const words = card.locator(".download .progress-words");
  await expect(words).toContainText(/Downloading · .* of 8.9\sMB · .* per second · about \d+\ssec left/);
  await card.getByRole("button", { name: "Pause Tiny-Q8_0" }).click();
  await expect(words).toContainText("The download is paused");
  await page.waitForTimeout(1_500);
  const before = repository.model.sent_bytes;
  await page.waitForTimeout(1_500);
  expect(repository.model.sent_bytes).toBe(before);
  await card.getByRole("button", { name: "Resume Tiny-Q8_0" }).click();
  await expect(words).toContainText("Downloading");
  await card.getByRole("button", { name: "Cancel Tiny-Q8_0" }).click();
  await expect(card).toContainText("Stopped. What was downloaded is kept.");

  const stored = page.locator("#installed-list > li");
  await expect(stored).toContainText("interrupted");
  await stored.getByRole("button", { name: /^Resume: / }).click();
  await expect(stored).toContainText("complete · last used today · from localhost");
  await expect(stored.getByRole("heading")).toHaveText("Tiny-Q8_0");
  await expect(page.locator("#live")).toHaveText("Download of Tiny-Q8_0 ended.");
});

test(
  "a download goes on when the page closes, and is resumed when the host was killed",
  { tag: "@long" },
  async ({ page, context, extension, faulty }) => {
    const repository = publish(faulty, bytesOf("medium"), { bytesPerS });
    await openModels(page, extension);
    await chooseHub(page, repository);
    await lookUp(page, repository.name);
    await page
      .locator("#own .model")
      .getByRole("button", { name: /^(Download|Resume)/ })
      .click();
    await expect(page.locator("#own .progress-words").last()).toContainText("Downloading");
    const second = await context.newPage();
    await page.close();
    const before = repository.model.sent_bytes;
    await expect.poll(() => repository.model.sent_bytes, { timeout: 60_000 }).toBeGreaterThan(before + (4 << 20));

    await second.goto(extension.url(MODELS_PAGE));
    const stored = second.locator("#installed-list > li");
    await expect(stored.locator(".download .progress-words")).toContainText("Downloading");
    await extension.endHost();
    await expect(second.getByText("The process that manages models stopped.")).toBeVisible();
    await expect(stored).toContainText("interrupted");
    repository.model.faults = {};
    await stored.getByRole("button", { name: /^Resume: .* from localhost/ }).click();
    await expect(stored).toContainText("complete", { timeout: 60_000 });
    // What was lost is at most the chunk that each connection was in.
    expect(repository.model.refetched_bytes).toBeLessThanOrEqual(13 << 20);
    expect(await second.evaluate(() => document.querySelectorAll("#writer input").length)).toBe(2);
  },
);
