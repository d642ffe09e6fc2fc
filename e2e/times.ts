// The time from the click on the toolbar button to the summary, for pages of several lengths: cold in a new profile, then warm on another page of the same length.
//   npx tsx times.ts [WORDS...]

import { launch, type Launched } from "./harness/launch.ts";
import { serve } from "./harness/server.ts";
import { reportSentence } from "./helpers/report.ts";

const WORDS = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [500, 3_000, 30_000, 150_000];
const PANEL = "sidepanel/index.html";
const WAIT_MS_MAX = 300_000;

/** About `words` words in paragraphs of four sentences, none of them twice. */
function article(words: number, seed: number): string {
  let [html, count] = ["", 0];
  for (let at = seed; count < words; at++) {
    const sentences = Array.from({ length: 4 }, (_, i) => reportSentence(4 * at + i));
    count += 4 * 17;
    html += `${at % 12 === 0 ? `<h2>Part ${at}</h2>` : ""}<p>${sentences.join(" ")}</p>`;
  }
  return `<!doctype html><html lang="en"><title>Report ${seed}</title><main><h1>Report ${seed}</h1>${html}</main>`;
}

/** Whether the panel shows a summary. */
const SEEN = `document.querySelector("#summary .facts")?.checkVisibility() ?? false`;

async function click({ context, targets }: Launched, url: string): Promise<{ summary_ms: number; task_ms: number }> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load" });
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
      entryTypes: ["longtask"],
    });
  });
  await page.waitForTimeout(500);
  await page.bringToFront();
  const pressed_ms = performance.now();
  await targets.pressAction(page.url());
  for (;;) {
    const isThere = await targets.evaluate<boolean>(PANEL, SEEN).catch(() => false);
    const now_ms = performance.now() - pressed_ms;
    if (isThere) {
      const task_ms = await page.evaluate(() => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks));
      await page.close();
      return { summary_ms: now_ms, task_ms };
    }
    if (now_ms > WAIT_MS_MAX) throw new Error(`no summary after ${WAIT_MS_MAX} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const site = await serve({});
console.log("| words | | summary (s) | longest task in the page (ms) |\n|---|---|---|---|");
for (const words of WORDS) {
  const launched = await launch();
  const settings = JSON.stringify({ settings: { backend: "cpu", length: "medium" } });
  await launched.targets.evaluate("background.js", `chrome.storage.local.set(${settings})`);
  for (const [state, seed] of [
    ["cold", 1],
    ["warm", 10_001],
  ] as const) {
    const path = `/${state}-${words}`;
    site.handle(path, (_, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8").end(article(words, seed));
    });
    const { summary_ms, task_ms } = await click(launched, site.url(path));
    const task = task_ms === 0 ? "below 50" : task_ms.toFixed(0);
    console.log(`| ${words} | ${state} | ${(summary_ms / 1000).toFixed(1)} | ${task} |`);
  }
  await launched.close();
}
await site.close();
