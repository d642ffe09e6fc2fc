// A real language model in the extension's store, chosen to write.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { BrowserContext } from "@playwright/test";
import type { Extension } from "../fixtures.ts";
import { SMOLLM2_FILE } from "../harness/paths.ts";
import { PROTOCOL_VERSION } from "../../web/src/protocol.gen.ts";

export const hasWriter = existsSync(SMOLLM2_FILE);
const NAME = basename(SMOLLM2_FILE);

/** Stores the model through a page of the extension, as a reader who picks its file, and lets it write. */
export async function chooseWriter(context: BrowserContext, extension: Extension): Promise<void> {
  const page = await context.newPage();
  await page.goto(extension.url("pages/actions/index.html"));
  await page.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "model-file";
    document.body.append(input);
  });
  await page.locator("#model-file").setInputFiles(SMOLLM2_FILE);
  const stored = await page.evaluate(
    (version) =>
      new Promise<string>((resolve, reject) => {
        const file = document.querySelector<HTMLInputElement>("#model-file")?.files?.[0];
        const worker = new Worker("/assets/worker.js", { type: "module" });
        worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
        worker.onmessage = ({ data: { event } }) => {
          if (event.type === "failed" || event.type === "fatal") reject(new Error(JSON.stringify(event)));
          if (event.type === "done") resolve(event.result.model.name as string);
        };
        worker.postMessage({ version, id: 1, request: { type: "download", source: { type: "file" } }, files: [file] });
      }),
    PROTOCOL_VERSION,
  );
  const writer = { type: "local", name: stored, title: NAME, source: null };
  await page.close();
  await extension.evaluate("background.js", `chrome.storage.local.set(${JSON.stringify({ roles: { writer } })})`);
}
