// The way of a user, in the side panel that the browser itself opens, on WebGPU.

import { expect, test } from "../../fixtures.ts";
import { LIGHTHOUSE, lighthouse } from "../../helpers/pages.ts";
import { choose, press } from "../../helpers/panel.ts";

// The software GPU takes seconds for each sentence.
test.setTimeout(300_000);

test("the toolbar button opens a side panel with a summary made on WebGPU", async ({
  page,
  site,
  extension,
  adapter,
}) => {
  await page.goto(lighthouse(site));
  await choose(extension, { backend: "webgpu" });
  const tab = await press(extension, page);
  const read = <T>(expression: string) => extension.evaluate<T>(`sidepanel/index.html?tab=${tab}`, expression);
  await expect
    .poll(() => read<boolean>(`!(document.querySelector("#summary .facts")?.hidden ?? true)`), { timeout: 240_000 })
    .toBe(true);
  const lines = await read<string[]>(`[...document.querySelectorAll("#summary .passage")].map((one) => one.innerText)`);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(LIGHTHOUSE).toContain(line);
  const where = await read<string>(`document.querySelector("#summary .facts details").textContent`);
  expect(where).toContain("Ran on the graphics card");
  expect(where.toLowerCase()).toContain(adapter.architecture);
});
