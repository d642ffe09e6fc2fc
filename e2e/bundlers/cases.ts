// The cases of a bundler: its production build, and its dev server.

import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { referenceDir } from "../harness/paths.ts";
import { STORY } from "../helpers/story.ts";
import { install, type Served, serveBuild, serveDev, Unreachable } from "./project.ts";
import type { Project } from "./projects.ts";

const INSTALL_MS_MAX = 480_000;
const TEXT_LENGTH_MIN = 40;

/** Declares the cases of a bundler. */
export function testProject(project: Project): void {
  const { name, packages, dev } = project;
  const title = Object.entries(packages)[0]!.join(" ");
  const open = async (served: (folder: string) => Promise<Served>): Promise<Served> => {
    test.setTimeout(INSTALL_MS_MAX);
    const folder = await install(project).catch((error: unknown) => {
      test.skip(error instanceof Unreachable, String(error));
      throw error;
    });
    return served(folder);
  };

  test(`${name}: production (${title})`, { tag: name.startsWith("vite") ? [] : "@long" }, async ({ page, site }) => {
    await expectStory(page, site.url(`/reference/${STORY}`), await open((folder) => serveBuild(project, folder)));
  });
  if (!dev) return;
  test(
    `${name}: dev server (${title})`,
    { tag: name.startsWith("vite") ? "@long" : [] },
    async ({ page, site, errors }) => {
      const served = await open((folder) => serveDev(project, dev, folder));
      await expectStory(page, site.url(`/reference/${STORY}`), served, () => errors.reset());
    },
  );
}

/**
 * The page tells the beginning of the story that the reference set has, with a worker of its own and with one for all tabs. With
 * `visited` it is opened once more: at the first visit some dev servers find further dependencies and reload the page, with errors of
 * their own.
 */
async function expectStory(page: Page, model: string, { origin, close }: Served, visited?: () => void): Promise<void> {
  try {
    for (const [query, between] of [...(visited ? [["", visited] as const] : []), [""], ["&shared"]] as const) {
      await page.goto(`${origin}/?model=${encodeURIComponent(model)}${query}`);
      await expectText(page);
      between?.();
    }
  } finally {
    // Pages of dev servers look for their server when it ends.
    await page.goto("about:blank");
    await close();
  }
}

/** Waits for the page's text and compares it with the reference set. */
export async function expectText(page: Page): Promise<void> {
  const out = page.locator("#out[data-state]");
  await expect(out).toBeAttached({ timeout: 90_000 });
  const text = (await out.textContent()) ?? "";
  expect(await out.getAttribute("data-state"), text).toBe("done");
  const records = JSON.parse(await readFile(resolve(referenceDir(), "real/golden_lm.json"), "utf8")) as Golden[];
  const golden = records.find(({ file, prompt }) => STORY.endsWith(file) && prompt === "Once upon a time");
  expect(text.length).toBeGreaterThan(TEXT_LENGTH_MIN);
  expect(golden?.greedy_text.slice(0, text.length)).toBe(text);
}

interface Golden {
  file: string;
  prompt: string;
  greedy_text: string;
}
