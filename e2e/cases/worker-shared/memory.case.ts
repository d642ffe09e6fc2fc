// What five tabs take: little more than one, where they share a worker.

import { basename, dirname } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { launch } from "../../harness/launch.ts";
import { renderersPssKib } from "../../harness/processes.ts";
import type { Site } from "../../harness/server.ts";
import { randomModel } from "../../helpers/random-model.ts";
import { openTab, type TabGlobal } from "../../helpers/shared-tabs.ts";

test.use({ withExtension: false });

const TABS = 5;

/** MiB of all renderers, after each tab has loaded the model and written with it. */
async function mibOf(context: BrowserContext, site: Site, tabs: number, shared: boolean): Promise<number> {
  const packaged = `/random/${basename(randomModel("large"))}`;
  for (let at = 0; at < tabs; at += 1) {
    const page = await openTab(context, site, shared);
    const ids = await page.evaluate(async (packaged) => {
      const { pith } = globalThis as unknown as TabGlobal;
      await pith.load("model", { packaged }, { backend: "cpu", contextTokens: 256 });
      return (await pith.generate("model", { type: "ids", ids: [1, 2, 3] }, { maxTokens: 4 }).result).ids;
    }, packaged);
    expect(ids).toHaveLength(4);
  }
  await context.pages()[0]!.waitForTimeout(2_000);
  return renderersPssKib() / 1024;
}

test("memory of five tabs", { tag: "@long" }, async ({ site }, info) => {
  test.setTimeout(300_000);
  test.skip(process.platform !== "linux", "skipped: only Linux tells what a process takes");
  site.mount("/random/", dirname(randomModel("large")));
  const measure = async (tabs: number, shared: boolean): Promise<number> => {
    const { context, close } = await launch({ extension: null });
    return mibOf(context, site, tabs, shared).finally(close);
  };
  const none = await measure(0, true);
  const one = (await measure(1, true)) - none;
  const shared = (await measure(TABS, true)) - none;
  const separate = (await measure(TABS, false)) - none;
  const figures = JSON.stringify({ none, one, shared, separate });
  info.annotations.push({ type: "MiB", description: figures });
  console.log(`MiB of all renderers: ${figures}`);
  // Four tabs with a client and no worker.
  expect(shared - one).toBeLessThan((separate - one) / 3);
});
