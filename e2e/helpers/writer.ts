// A real language model in the extension's store, chosen to write.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { BrowserContext } from "@playwright/test";
import type { Extension } from "../fixtures.ts";
import { SMOLLM2_FILE } from "../harness/paths.ts";
import { storeFile } from "../harness/stored-model.ts";

export const hasWriter = existsSync(SMOLLM2_FILE);
const NAME = basename(SMOLLM2_FILE);

/** Stores the model through a page of the extension, as a reader who picks its file, and lets it write. */
export async function chooseWriter(context: BrowserContext, extension: Extension): Promise<void> {
  const page = await context.newPage();
  await page.goto(extension.url("pages/actions/index.html"));
  const stored = await storeFile(page, SMOLLM2_FILE);
  const writer = { type: "local", name: stored, title: NAME, source: null };
  await page.close();
  await extension.evaluate("background.js", `chrome.storage.local.set(${JSON.stringify({ roles: { writer } })})`);
}
