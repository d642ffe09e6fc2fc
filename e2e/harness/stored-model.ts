// A language model in the extension's store, as the models page would put it there: from a file, through a worker of a page of its own.

import type { Page } from "@playwright/test";
import { type EventMessage, PROTOCOL_VERSION, type Request } from "../../web/src/protocol.gen.ts";

/** Makes one request to a worker of an extension page, with the file of the page's input where it has one. */
export async function requestOf(own: Page, request: Request): Promise<EventMessage["event"]> {
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

/** Stores a model from its file. `own` is a page of the extension. Gives the name that it is stored under. */
export async function storeFile(own: Page, file: string): Promise<string> {
  await own.evaluate(() => {
    const input = document.createElement("input");
    input.type = "file";
    input.id = "model-file";
    document.body.append(input);
  });
  await own.locator("#model-file").setInputFiles(file);
  const event = await requestOf(own, { type: "download", source: { type: "file" } });
  await own.locator("#model-file").evaluate((input) => input.remove());
  if (event.type !== "done" || event.result.type !== "stored") throw new Error(`not stored: ${JSON.stringify(event)}`);
  return event.result.model.name;
}
