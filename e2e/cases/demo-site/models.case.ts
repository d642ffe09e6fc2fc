// The demo site's models: from an address to memory, and what can be done with one that is stored.

import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import { expectAccessible, runOn } from "./steps.ts";

test.use({ withExtension: false, freshProfile: true });

const FILE = join(referenceDir(), "models/llama32.F16.gguf");
const PATH = "/reference/models/llama32.F16.gguf";

test("a model is checked, downloaded, loaded, looked after and deleted", async ({ page, site }) => {
  await page.goto(site.url("/demo/index.html"));
  await runOn(page, "cpu");
  await page.getByLabel("Address").fill(site.url(PATH));
  const outcome = page.locator("#address-outcome");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await expect(outcome).toContainText("Fits.");
  await expect(outcome).toContainText(/Needs.* of memory: weights .*There is/);
  await page.getByRole("button", { name: "Download", exact: true }).click();
  await expect(outcome).toContainText("is stored in this browser.");

  await page.getByRole("button", { name: "Load it" }).click();
  await expect(page.locator("#facts")).toContainText("(llama)");
  const resident = page.locator("#memory-rows tr");
  await expect(resident).toHaveCount(1);
  await expect(resident).toContainText("Processor");
  await expect(page.getByRole("button", { name: "Write" })).toBeEnabled();
  await resident.getByRole("button", { name: /^Unload/ }).click();
  await expect(page.getByText("No model is loaded.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Write" })).toBeDisabled();

  // It is there in another session, too.
  await page.reload();
  const stored = page.locator("#stored > li");
  await expect(stored).toHaveCount(1);
  await stored.getByRole("button", { name: /^Check for damage/ }).click();
  await expect(stored).toContainText("Not damaged");
  await stored.getByRole("button", { name: /^Pin/ }).click();
  await expect(stored).toContainText("never proposed for deletion");
  await expectAccessible(page, "demo-models");

  const [saved] = await Promise.all([
    page.waitForEvent("download"),
    stored.getByRole("button", { name: /^Save as file/ }).click(),
  ]);
  expect(saved.suggestedFilename()).toMatch(/^llama32\.F16.*\.gguf$/);
  expect((await readFile(await saved.path())).equals(await readFile(FILE))).toBe(true);

  const remove = stored.getByRole("button", { name: /^Delete/ });
  await remove.click();
  await page.keyboard.press("Escape");
  await expect(remove).toBeFocused();
  await remove.click();
  await expect(stored.getByRole("button", { name: /^Keep/ })).toBeFocused();
  await remove.click();
  await expect(stored).toHaveCount(0);
  await expect(page.locator("#stored")).toBeFocused();
});

test("a download is watched, paused, cancelled and continued", async ({ page, site }) => {
  const bytes = await readFile(FILE);
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  site.handle("/gated.gguf", (request, response) => sendGated(bytes, gate, request, response));
  await page.goto(site.url("/demo/index.html"));
  await runOn(page, "cpu");
  await page.getByLabel("Address").fill(site.url("/gated.gguf"));
  await page.getByRole("button", { name: "Download", exact: true }).click();
  const outcome = page.locator("#address-outcome");
  await expect(outcome).toContainText(/Downloading, [1-9]\d* % · .* of 639\skB/);
  await outcome.getByRole("button", { name: "Pause" }).click();
  await expect(outcome).toContainText("Paused");
  await outcome.getByRole("button", { name: "Resume" }).click();
  await expect(outcome).toContainText("Downloading");
  await outcome.getByRole("button", { name: "Cancel" }).click();
  await expect(outcome).toContainText("Cancelled. What was fetched is kept.");

  const stored = page.locator("#stored > li");
  open();
  await stored.getByRole("button", { name: /^Continue/ }).click();
  await expect(stored).toContainText("is stored in this browser.");
  await stored.getByRole("button", { name: /^Load/ }).first().click();
  await expect(page.locator("#memory-rows tr")).toHaveCount(1);
});

test("a file with another hash is refused, and a copy of a dropped one is kept", async ({ page, site }) => {
  await page.goto(site.url("/demo/index.html"));
  await page.getByLabel("Address").fill(site.url(PATH));
  await page.getByLabel("SHA-256").fill("00".repeat(32));
  await page.getByRole("button", { name: "Download", exact: true }).click();
  await expect(page.locator("#address-outcome")).toContainText(
    "SHA-256 mismatch: the file is damaged or not the expected one.",
  );

  await runOn(page, "cpu");
  await page.getByLabel("keep a copy in this browser").check();
  const dataTransfer = await page.evaluateHandle(async (url) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([await (await fetch(url)).blob()], "dropped.gguf"));
    return dropped;
  }, site.url(PATH));
  await page.dispatchEvent("main", "drop", { dataTransfer });
  await expect(page.getByLabel("GGUF file: choose it")).toBeFocused();
  await page.getByRole("button", { name: "Load file" }).click();
  await expect(page.locator("#local-outcome")).toContainText("is loaded");
  await page.reload();
  await expect(page.locator("#stored > li", { has: page.getByRole("button", { name: /^Load/ }) })).toHaveCount(1);
});

/** A server that sends half of what it is asked for, and the rest once the gate is open. */
async function sendGated(
  bytes: Buffer,
  gate: Promise<void>,
  { headers: { range } }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  const first = Number(from ?? 0);
  const end = to ? Math.min(Number(to) + 1, bytes.length) : bytes.length;
  const part = bytes.subarray(first, end);
  response.writeHead(range ? 206 : 200, {
    "accept-ranges": "bytes",
    "content-length": part.length,
    etag: '"gated"',
    ...(range && { "content-range": `bytes ${first}-${end - 1}/${bytes.length}` }),
  });
  const half = Math.ceil(part.length / 2);
  response.write(part.subarray(0, half));
  await gate;
  response.end(part.subarray(half));
}
