// A language model in the extension's store, as the models page would put it there: from a file, through a worker of its own.

import type { Locator, Page } from "@playwright/test";
import { expect, test, type Extension } from "../fixtures.ts";
import { SMOLLM2_FILE } from "../harness/paths.ts";
import { type EventMessage, PROTOCOL_VERSION, type Request } from "../../web/src/protocol.gen.ts";

/** As the reader knows it. */
export const TITLE = "SmolLM2";

/** Makes one request to a worker of an extension page, with the file of the page's input where it has one. */
async function request(own: Page, request: Request): Promise<EventMessage["event"]> {
  const message = { version: PROTOCOL_VERSION, id: 1, request };
  return own.evaluate(async (message) => {
    const files = [...(document.querySelector<HTMLInputElement>("#model-file")?.files ?? [])];
    const worker = new Worker("/assets/worker.js", { type: "module" });
    const event = await new Promise<EventMessage["event"]>((resolve, reject) => {
      worker.onerror = (error) => reject(new Error(error.message));
      worker.onmessage = ({ data }: MessageEvent<EventMessage>) => {
        if (data.event.type === "done" || data.event.type === "failed" || data.event.type === "fatal")
          resolve(data.event);
      };
      worker.postMessage({ ...message, ...(files.length > 0 && { files }) });
    });
    worker.terminate();
    return event;
  }, message);
}

/** Stores SmolLM2 from its file, and chooses it as the writer. Gives the name that it is stored under. */
export async function storeModel(own: Page, extension: Extension): Promise<string> {
  await own.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "model-file";
    document.body.append(input);
  });
  await own.locator("#model-file").setInputFiles(SMOLLM2_FILE);
  const event = await request(own, { type: "download", source: { type: "file" } });
  await own.locator("#model-file").evaluate((input) => input.remove());
  if (event.type !== "done" || event.result.type !== "stored") throw new Error(`not stored: ${JSON.stringify(event)}`);
  const { name } = event.result.model;
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
  const event = await request(own, { type: "delete", name });
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
  await expect(reason).toHaveText(/may not write this|is supported by the page/);
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
