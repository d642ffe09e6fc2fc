// A language model in the extension's store, as the models page would put it there: from a file, through a worker of its own.

import type { Locator, Page } from "@playwright/test";
import { expect, test, type Extension } from "../fixtures.ts";
import { SMOLLM2_FILE } from "../harness/paths.ts";
import { requestOf, storeFile } from "../harness/stored-model.ts";

/** As the reader knows it. */
export const TITLE = "SmolLM2";

/** Stores SmolLM2 from its file, and chooses it as the writer. Gives the name that it is stored under. */
export async function storeModel(own: Page, extension: Extension): Promise<string> {
  const name = await storeFile(own, SMOLLM2_FILE);
  await chooseWriter(extension, name);
  return name;
}

/** Chooses who writes, as the models page does; `null` nobody. */
export async function chooseWriter(extension: Extension, name: string | null): Promise<void> {
  const writer = name === null ? null : { type: "local", name, title: TITLE, source: null };
  await extension.evaluate("background.js", `chrome.storage.local.set(${JSON.stringify({ roles: { writer } })})`);
}

/** Deletes the stored model, as the models page does. */
export async function deleteModel(own: Page, name: string): Promise<void> {
  const event = await requestOf(own, { type: "delete", name });
  expect(event, "deleted").toMatchObject({ type: "done" });
}

/** How long the model may take for a text: it runs on the CPU, and the machine may have other work. */
export const WRITE_MS = 240_000;

/**
 * Waits for the end of a text, and gives its lines. There are none where the model's test does not let it write, or where the
 * page supports nothing of it: then the reason is shown.
 */
export async function writtenLines(place: Locator): Promise<string[]> {
  await expect(place).not.toHaveAttribute("aria-busy", { timeout: WRITE_MS });
  const lines = await place.locator(".written").allInnerTexts();
  if (lines.length > 0) return lines;
  const reason = place.locator(".reason");
  await expect(reason).toHaveText(/may not write this|is supported by the page|adds nothing here/);
  test.info().annotations.push({ type: "not written", description: await reason.innerText() });
  return [];
}

/** Asks a question, and gives its article. */
export async function ask(panel: Page, text: string) {
  const before = await panel.locator(".question").count();
  await panel.getByRole("textbox", { name: "Ask this page" }).fill(text);
  await panel.keyboard.press("Enter");
  const question = panel.locator(".question").nth(before);
  await expect(question).toBeVisible();
  return question;
}
