// The way of a user, in the side panel that the browser itself opens, on WebGPU.

import { expect, test } from "../../fixtures.ts";
import { LIGHTHOUSE, lighthouse } from "../../helpers/pages.ts";
import { choose, press } from "../../helpers/panel.ts";

// The software GPU takes seconds for each sentence.
test.setTimeout(300_000);

test(
  "the toolbar button opens a side panel with a summary, and answers are found on WebGPU",
  { tag: "@long" },
  async ({ page, site, extension, launched: { adapter } }) => {
    test.skip(!adapter, "Firefox ESR has no WebGPU");
    await page.goto(lighthouse(site));
    await choose(extension, { backend: "webgpu" });
    const tab = await press(extension, page);
    const read = <T>(expression: string) => extension.evaluate<T>(`sidepanel/index.html?tab=${tab}`, expression);
    await expect
      .poll(() => read<boolean>(`!(document.querySelector("#summary .facts")?.hidden ?? true)`), { timeout: 240_000 })
      .toBe(true);
    const lines = await read<string[]>(
      `[...document.querySelectorAll("#summary .passage")].map((one) => one.innerText)`,
    );
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(LIGHTHOUSE).toContain(line);
    await read(`document.querySelector("#question").value = "Where do the puffins dig?"`);
    await read(`document.querySelector("#ask-submit").click()`);
    const where = () => read<string>(`document.querySelector(".question .ran-on")?.textContent ?? ""`);
    await expect.poll(where, { timeout: 240_000 }).toContain("Ran on the GPU");
    expect((await where()).toLowerCase()).toContain(adapter?.architecture);
  },
);

test("the button reads each site that it is pressed on, while the panel stays open", async ({
  page,
  extension,
  context,
}) => {
  const text =
    "The keeper of the light wrote down the weather each morning, and the ships that he saw in the evening. ";
  await context.route("http://*.test/", (route) => {
    const name = new URL(route.request().url()).hostname;
    const body = `<!doctype html><title>${name}</title><article><h1>${name}</h1><p>${text.repeat(6)}</p></article>`;
    return route.fulfill({ contentType: "text/html", body });
  });
  await choose(extension);
  for (let index = 0; index < 4; index++) {
    const name = `site-${index}.test`;
    await page.goto(`http://${name}/`);
    const tab = await press(extension, page);
    const read = <T>(expression: string) => extension.evaluate<T>(`sidepanel/index.html?tab=${tab}`, expression);
    const seen = `[document.querySelector("#page-title")?.innerText, document.querySelector("#summary [role=alert]")?.innerText]`;
    await expect.poll(() => read<unknown[]>(seen).then(([title, alert]) => alert || title)).toBe(name);
  }
});
