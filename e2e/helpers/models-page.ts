// A browser that lets the extension load from this machine, and a server that plays the model hub.

import type { Page } from "@playwright/test";
import { basename } from "node:path";
import { expect, type Extension, test as plain } from "../fixtures.ts";
import { launchChanged } from "../harness/changed-extension.ts";
import { type Faults, type FaultyFile, type FaultyServer } from "../harness/faulty-server.ts";
import { launchFirefox } from "../harness/firefox-extension.ts";
import type { Running } from "../harness/launch.ts";
import type { Site } from "../harness/server.ts";
import { choose } from "./panel.ts";

/** The extension's page of models. */
export const MODELS_PAGE = "pages/models/index.html";

/**
 * Nobody can press the button of Chromium's own question for a host. The extension that runs in Chromium has this machine as a host
 * from the start: the request is then granted at once. Firefox has a setting for it.
 */
async function launchGranted(browserName: string, welcome: boolean): Promise<Running> {
  if (browserName === "firefox") return launchFirefox({ welcome });
  const host_permissions = ["http://localhost/*", "http://127.0.0.1/*"];
  return launchChanged((manifest) => ({ ...manifest, host_permissions }), welcome);
}

/** Each test has a browser of its own, because stored models stay. */
export const test = plain.extend<{ welcome: boolean }>({
  welcome: [false, { option: true }],
  launched: async ({ browserName, welcome }, use) => {
    const launched = await launchGranted(browserName, welcome);
    // In Firefox Playwright hides the caret with a style of its own, which the policy does not let in.
    launched.errors.expect(/blocked an inline style/);
    await use(launched);
    await launched.settleErrors?.();
    const left = launched.errors.unexpected();
    await launched.close();
    expect(left, "console errors that the test did not expect").toEqual([]);
  },
});

export { expect };

/** A repository of the hub with one file. */
export interface Repository {
  /** The list of its files. */
  list: FaultyFile;
  model: FaultyFile;
  /** `owner/repository:quantization`. */
  name: string;
  title: string;
}

/** Puts a model on the hub. Its hash is told, unless another one is given. */
export function publish(server: FaultyServer, bytes: Buffer, faults: Faults = {}, told?: string): Repository {
  const path = "acme/Tiny-GGUF";
  const file = "Tiny-Q8_0.gguf";
  const model = server.serve(`/${path}/resolve/main/${file}`, bytes, faults);
  const oid = told ?? model.sha256;
  const list = [
    { type: "file", path: "README.md", size: 120 },
    { type: "file", path: "mmproj-Q8_0.gguf", size: 10, lfs: { oid, size: 10 } },
    { type: "file", path: file, size: bytes.length, lfs: { oid, size: bytes.length } },
  ];
  return {
    list: server.serve(`/api/models/${path}/tree/main`, Buffer.from(JSON.stringify(list))),
    model,
    name: `${path}:Q8_0`,
    title: "Tiny-Q8_0",
  };
}

/** Opens the page of models; models run on the processor. */
export async function openModels(page: Page, extension: Extension): Promise<Page> {
  await choose(extension, { backend: "cpu" });
  await page.goto(extension.url(MODELS_PAGE));
  await expect(page.locator("#machine-facts")).toContainText("Processor", { timeout: 60_000 });
  return page;
}

/** Has a page about models take this machine for a fast one, whatever it is, once it was measured. */
export async function makeFast(page: Page, extension: Extension): Promise<void> {
  const read = () => extension.evaluate<{ speed: number } | null>("background.js", READ_SPEED);
  await expect.poll(async () => (await read())?.speed ?? 0, { timeout: 60_000 }).toBeGreaterThan(0);
  const fast = JSON.stringify({ speed: { ...(await read()), speed: 1e11 } });
  await extension.evaluate("background.js", `chrome.storage.local.set(${fast})`);
  await page.reload();
}

const READ_SPEED = `chrome.storage.local.get("speed").then(({ speed }) => speed ?? null)`;

/** Chooses the server as the hub, as a reader behind a mirror would. */
export async function chooseHub(page: Page, { list }: Pick<Repository, "list">): Promise<void> {
  await page.getByText("Use another model hub").click();
  await page.getByLabel("Address of the hub").fill(new URL(list.url).origin);
  await page.getByLabel("Address of the hub").press("Tab");
  await expect(page.locator("#recommended-list")).toContainText(new URL(list.url).host);
}

/** Looks a name or an address up. */
export async function lookUp(page: Page, name: string): Promise<void> {
  await page.getByLabel("Address or name on the model hub").fill(name);
  await page.getByRole("button", { name: "Look up" }).click();
}

/**
 * Chooses a file of .cache/models in the page's picker. Playwright's own way breaks a page of an extension in Firefox: there the page
 * gets the file from the server.
 */
export async function chooseFile(page: Page, site: Site, file: string): Promise<void> {
  const input = page.locator("#file");
  if (page.context().browser()?.browserType().name() !== "firefox") return input.setInputFiles(file);
  await input.evaluate(
    async (element, { url, name }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([await (await fetch(url)).blob()], name));
      (element as HTMLInputElement).files = transfer.files;
      element.dispatchEvent(new Event("change", { bubbles: true }));
    },
    { url: site.url(`/models/${basename(file)}`), name: basename(file) },
  );
}
