// Stored models: a file of one's own, who writes, a test, verify, pin, save, delete.

import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { MINILM_FILE, SMOLLM2_FILE } from "../../harness/paths.ts";
import { randomModel } from "../../helpers/random-model.ts";
import { chooseFile, expect, openModels, test } from "../../helpers/models-page.ts";
import { forgeRecord } from "../../helpers/stored-records.ts";

/** What the extension has stored of who writes. */
const WRITER = `chrome.storage.local.get("roles").then(({ roles }) => roles?.writer ?? null)`;

test("a file of one's own is stored, verified, pinned, saved again, chosen to write, and deleted", async ({
  page,
  site,
  extension,
  browserName,
}) => {
  const file = randomModel("small");
  await openModels(page, extension);
  await expect(page.getByText("No model is stored yet.")).toBeVisible();
  await chooseFile(page, site, file);
  // It says what to do next, and offers it there.
  const next = page.locator("#own .next-step");
  await expect(next).toContainText("is stored. It can write summaries and answers once you choose it.");
  const stored = page.locator("#installed-list > li");
  await expect(stored).toContainText("3.7 MB · complete · last used today · your own file");

  await stored.getByRole("button", { name: /^Verify: / }).click();
  await expect(stored).toContainText("Every byte is right.");
  await stored.getByRole("button", { name: /^Pin: / }).click();
  await expect(stored.getByText("Pinned", { exact: true })).toBeVisible();
  await stored.getByRole("button", { name: /^Unpin: / }).click();
  await expect(stored.getByText("Pinned", { exact: true })).toBeHidden();

  if (browserName !== "firefox") {
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      stored.getByRole("button", { name: /^Save as file: / }).click(),
    ]);
    expect((await readFile(await saved.path())).equals(readFileSync(file))).toBe(true);
  }

  const choices = page.locator("#writer").getByRole("radio");
  await expect(choices).toHaveCount(2);
  await expect(choices.first()).toBeChecked();
  // Only an embedding model is offered to read.
  await expect(page.locator("#encoder").getByRole("radio")).toHaveCount(1);
  await next.getByRole("button", { name: /^Let .* write$/ }).click();
  await expect(choices.nth(1)).toBeChecked();
  await expect(stored.getByText("Writes", { exact: true })).toBeVisible();
  expect(await extension.evaluate("background.js", WRITER)).toMatchObject({ type: "local", source: null });
  await page.reload();
  await expect(choices.nth(1)).toBeChecked();

  const remove = stored.getByRole("button", { name: /^Delete: / });
  await remove.click();
  await expect(stored.getByRole("button", { name: "Keep" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(remove).toBeFocused();
  await remove.click();
  await stored.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(stored).toHaveCount(0);
  await expect(choices.first()).toBeChecked();
  expect(await extension.evaluate("background.js", WRITER)).toBe(null);
});

test("a file that is no model is refused", async ({ page, extension, browserName }) => {
  test.skip(browserName === "firefox", "Playwright cannot choose a file in a page of an extension there");
  await openModels(page, extension);
  const buffer = Buffer.from("no model at all, whatever its name says".repeat(100));
  await page.locator("#file").setInputFiles({ name: "broken.gguf", mimeType: "application/octet-stream", buffer });
  await expect(page.locator("#own").getByRole("alert")).toContainText("This file is not a GGUF model.");
  await expect(page.locator("#installed-list > li")).toHaveCount(0);
});

test(
  "a file whose record cannot be read is told, and deleted with what was known of it",
  { tag: "@long-in-firefox" },
  async ({ page, site, extension }) => {
    await openModels(page, extension);
    await chooseFile(page, site, randomModel("small"));
    const stored = page.locator("#installed-list > li");
    await expect(stored).toContainText("complete");
    const name = await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      const { value } = await (await root.getDirectoryHandle("pith-models")).keys().next();
      return String(value);
    });
    const downloads = { [name]: { title: "small", encoder: false } };
    await extension.evaluate("background.js", `chrome.storage.local.set(${JSON.stringify({ downloads })})`);
    await extension.endHost();
    await forgeRecord(page, "opfs", name, "damaged");
    await page.reload();
    await expect(stored).toContainText("The record of this file cannot be read.");
    await stored.getByRole("button", { name: `Delete: ${name}` }).click();
    await stored.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(stored).toHaveCount(0);
    const known = () => extension.evaluate("background.js", `chrome.storage.local.get("downloads")`);
    await expect.poll(known).toEqual({ downloads: {} });
  },
);

test("a model is dropped on the page", { tag: "@long-in-firefox" }, async ({ page, extension }) => {
  await openModels(page, extension);
  const bytes = readFileSync(randomModel("small")).toString("base64");
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    const content = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    transfer.items.add(new File([content], "dropped.gguf"));
    return transfer;
  }, bytes);
  await page.locator("#own .drop").dispatchEvent("drop", { dataTransfer: data });
  await expect(page.locator("#installed-list > li")).toContainText("3.7 MB · complete");
});

test("an embedding model cannot write", { tag: "@long-in-firefox" }, async ({ page, site, extension }) => {
  await openModels(page, extension);
  await chooseFile(page, site, MINILM_FILE);
  const stored = page.locator("#installed-list > li");
  await expect(stored).toContainText("25 MB · complete", { timeout: 60_000 });
  await expect(stored).toContainText("This is an embedding model: it compares texts and cannot write.");
  await expect(page.locator("#writer").getByRole("radio")).toHaveCount(1);
  const next = page.locator("#own .next-step");
  await expect(next).toContainText("It is an embedding model: it can read pages once you choose it.");
  await next.getByRole("button", { name: /^Let .* read$/ }).click();
  await expect(page.locator("#encoder").getByRole("radio").nth(1)).toBeChecked();
  await expect(stored.getByText("Reads", { exact: true })).toBeVisible();
  expect(await extension.evaluate("background.js", WRITER)).toBe(null);
});

test(
  "a model is tested: it writes a sentence, and its speed is told",
  { tag: "@long" },
  async ({ page, site, extension }) => {
    test.skip(!existsSync(SMOLLM2_FILE), "the model could not be fetched");
    test.setTimeout(240_000);
    await openModels(page, extension);
    await chooseFile(page, site, SMOLLM2_FILE);
    const stored = page.locator("#installed-list > li");
    await expect(stored).toContainText("98 MB · complete", { timeout: 60_000 });
    await stored.getByRole("button", { name: /^Test: / }).click();
    await expect(stored.locator("blockquote")).toContainText(/\w+ \w+ \w+/, { timeout: 120_000 });
    await expect(stored).toContainText(
      /[1-9][\d.]* tokens per second · first token after .* · loaded in .* · Processor/,
    );
  },
);
