// Boxes in boxes: what lies behind a text is looked for in slices.

import { expect, test } from "../../fixtures.ts";
import { closeRealPanel, press } from "../../helpers/panel.ts";
import { readAll, serveCase, WITNESS } from "../../helpers/sight.ts";

test("boxes in boxes, each with a ground of its own, are read in slices", async ({ page, site, extension }, info) => {
  const depth = 400;
  const box = (at: number): string =>
    `<div style="position: relative; z-index: 1; background: rgb(255 255 255 / .1)"><p>${WITNESS.replace(".", ` ${at}.`)}</p>`;
  const boxes = Array.from({ length: depth }, (_, at) => box(at)).join("") + "</div>".repeat(depth);
  await page.goto(serveCase(site, "boxes", 0, { name: "boxes", html: boxes }, false));
  const tab = await press(extension, page);
  await closeRealPanel(extension, tab);
  const from_ms = Date.now();
  const text = await readAll(extension, tab);
  info.annotations.push({ type: "boxes in boxes", description: `${Date.now() - from_ms} ms` });
  expect(text.split("The witness").length - 1).toBe(depth);
  expect(Date.now() - from_ms).toBeLessThan(60_000);
});
