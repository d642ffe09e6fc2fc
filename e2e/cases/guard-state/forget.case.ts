// The text of a closed tab is gone from the host and from its worker.

import { expect, test, type Extension } from "../../fixtures.ts";
import { searchHost } from "../../harness/search-memory.ts";
import type { Site } from "../../harness/server.ts";
import { summarize, summaryLines } from "../../helpers/panel.ts";

test.skip(({ browserName }) => browserName === "firefox", "Firefox gives no snapshot of an extension's heap");
test.use({ freshProfile: true });

function place(site: Site, name: string, word: string): string {
  const text = `The ${word} is a bird that nobody has seen twice. It builds its nest of copper wire in old clocks. `;
  site.handle(`/${name}`, (_, response) => {
    response
      .setHeader("content-type", "text/html")
      .end(
        `<!doctype html><html lang="en"><title>${name}</title><article><h1>${name}</h1><p>${text.repeat(4)}</p></article>`,
      );
  });
  return site.url(`/${name}`);
}

const hosts = async (extension: Extension) => (await extension.targets()).filter((url) => url.includes("offscreen"));

test("with the last tab the host and its worker end", async ({ page, site, extension, context }) => {
  await page.goto(place(site, "one", "quorvex"));
  const { panel } = await summarize(context, extension, page);
  await summaryLines(panel);
  await panel.close();
  const before = await searchHost(context, "quorvex");
  expect(before.find(({ who }) => who === "host")?.strings).toBeGreaterThan(0);
  expect(before.find(({ who }) => who === "worker")?.bytes).toBeGreaterThan(0);
  await page.close();
  await expect.poll(() => hosts(extension), { timeout: 1_000, intervals: [50] }).toEqual([]);
  expect(await searchHost(context, "quorvex")).toEqual([]);
});

test("while another tab is summarised nothing of a closed one is held", async ({ page, site, extension, context }) => {
  await page.goto(place(site, "one", "quorvex"));
  const first = await summarize(context, extension, page);
  await summaryLines(first.panel);
  await first.panel.getByRole("textbox", { name: "Ask this page" }).fill("What does the quorvex build?");
  await first.panel.keyboard.press("Enter");
  await expect(first.panel.locator(".question .note, .question .nothing").filter({ visible: true })).toBeVisible();
  await first.panel.close();
  const other = await context.newPage();
  await other.goto(place(site, "two", "trilmane"));
  const second = await summarize(context, extension, other);
  await summaryLines(second.panel);
  await page.close();
  await other.waitForTimeout(1_000);
  for (const { who, strings, bytes } of await searchHost(context, "quorvex")) {
    expect({ who, strings, bytes }).toEqual({ who, strings: 0, bytes: 0 });
  }
  // The other's is, and another worker answers about it.
  expect((await searchHost(context, "trilmane")).some(({ strings }) => strings > 0)).toBe(true);
  await second.panel.getByRole("textbox", { name: "Ask this page" }).fill("What does the trilmane build?");
  await second.panel.keyboard.press("Enter");
  await expect(second.panel.locator(".question .passage").first()).toContainText("trilmane");
});
