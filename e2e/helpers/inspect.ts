// Axe in a state of the panel, light and dark, with a picture of each and one in forced colours.

import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { resolve } from "node:path";
import { expect, test } from "../fixtures.ts";
import { ROOT } from "../harness/paths.ts";

/** Firefox's in a folder of their own. */
export const shots = (file: string): string =>
  resolve(ROOT, "e2e/results/screens", test.info().project.use.browserName === "firefox" ? "firefox" : "", file);

/** For pages in which Firefox 153 crashes under axe. Their markup is the same in both browsers. */
export const NOT_IN_FIREFOX = { inFirefox: false };

/** What axe finds. */
export async function violationsIn(page: Page, { inFirefox = true } = {}): Promise<string[]> {
  if (!inFirefox && test.info().project.use.browserName === "firefox") return [];
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

export async function inspect(panel: Page, state: string, where = { inFirefox: true }): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await panel.emulateMedia({ colorScheme });
    expect(await violationsIn(panel, where), state).toEqual([]);
    await panel.screenshot({ path: shots(`panel-${state}-${colorScheme}.png`) });
  }
  await panel.emulateMedia({ colorScheme: "light", forcedColors: "active" });
  await panel.screenshot({ path: shots(`panel-${state}-forced-colors.png`) });
  await panel.emulateMedia({ forcedColors: "none" });
}

/** Elements that are seen and cut off at the side. */
export const cutOff = (panel: Page): Promise<string[]> =>
  panel.evaluate(() =>
    [...document.querySelectorAll("body *")]
      .filter(
        (one) =>
          one.checkVisibility() &&
          one.getBoundingClientRect().right > innerWidth + 1 &&
          getComputedStyle(one).position !== "absolute",
      )
      .map((one) => `${one.tagName.toLowerCase()}#${one.id}.${one.className}`),
  );
