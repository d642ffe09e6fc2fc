// A view as it looks light, dark and 320 pixels wide, side by side in one picture.

import { type Page, test } from "@playwright/test";
import { pictureFile } from "../store/compose.ts";

const GAP_PX = 8;
const NARROW_PX = 320;

/** Writes BROWSER-NAME.png. The page has its own size again behind it. */
export async function sheet(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 380, height: 1000 };
  await page.bringToFront();
  const pictures: { data: string; width: number }[] = [];
  for (const [colorScheme, width] of [
    ["light", size.width],
    ["dark", size.width],
    ["light", NARROW_PX],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: size.height });
    await page.waitForTimeout(300);
    pictures.push({ data: (await page.screenshot({ animations: "disabled" })).toString("base64"), width });
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(size);
  const side = await page.context().newPage();
  const width = pictures.reduce((sum, picture) => sum + picture.width + GAP_PX, -GAP_PX);
  await side.setViewportSize({ width, height: size.height });
  const images = pictures.map(({ data }) => `<img src="data:image/png;base64,${data}">`).join("");
  await side.setContent(`<body style="margin: 0; display: flex; gap: ${GAP_PX}px; background: #c4c7cc">${images}`);
  await side.screenshot({ path: pictureFile(`${test.info().project.name}-${name}`) });
  await side.close();
  await page.bringToFront();
}
