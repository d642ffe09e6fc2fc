// What several cases of the demo site do.

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { resolve } from "node:path";
import { ROOT } from "../../harness/paths.ts";

const SHOTS = resolve(ROOT, "e2e/results/screens");

/** Chooses where models run. */
export async function runOn(page: Page, backend: string): Promise<void> {
  const choice = page.getByLabel("Runs on");
  await page.locator("details", { has: choice }).evaluate((details) => details.setAttribute("open", ""));
  await choice.selectOption(backend);
}

/** Loads a file of the user's own. */
export async function loadFile(page: Page, backend: string, file: Parameters<Page["setInputFiles"]>[1]): Promise<void> {
  await runOn(page, backend);
  await page.getByLabel("GGUF file: choose it").setInputFiles(file);
  await page.getByRole("button", { name: "Load file" }).click();
}

/** Nothing on the page is hard to reach, light or dark. Leaves a picture of each. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
    await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}.png`, fullPage: true });
  }
}
