// Loads, writes, summarises, opens and closes tabs for as long as it is told, and says whether the browser's processes grow.
//   cargo xtask endurance --minutes N
// A round is 10 generations, 2 loads and unloads, 20 summaries of pages, and a tab that comes and goes. Exit status 1 where
// a process grows by more than GROWTH_MAX in 100 rounds, or a request fails.

import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import type { Page as WebPage } from "@playwright/test";
import { launch } from "./harness/launch.ts";
import { MINILM_FILE } from "./harness/paths.ts";
import { residentKib } from "./harness/processes.ts";
import { RawWorker } from "./harness/raw-worker.ts";
import { serve } from "./harness/server.ts";
import { WorkerHeap } from "./harness/worker-heap.ts";
import { randomModel } from "./helpers/random-model.ts";
import type { Page, Request } from "../web/src/protocol.gen.ts";

const GROWTH_MAX = 0.005;
/** Rounds before caches of code and of the allocator have filled. */
const WARM = 5;
/** Fewer say nothing about 100. */
const ROUNDS_MIN = 20;

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error("--minutes takes a number");

/** A page of its own for every summary: nothing may come from a cache alone. */
function article(seed: number): Page {
  const subjects = ["The harbour", "A ferry", "The council", "Its engineer", "The northern line", "A survey"];
  const verbs = ["reported", "measured", "postponed", "repaired", "counted", "explained"];
  const sentence = (at: number) => {
    const [subject, verb] = [subjects[(seed + at) % 6]!, verbs[(seed * 7 + at) % 6]!];
    return `${subject} ${verb} ${seed + at} cases of corrosion in year ${1900 + ((seed * 31 + at) % 120)}.`;
  };
  const paragraph = (at: number) => Array.from({ length: 4 }, (_, i) => sentence(4 * at + i)).join(" ");
  const blocks = Array.from({ length: 8 }, (_, at) => ({ kind: "paragraph" as const, text: paragraph(at) }));
  return { title: `Report ${seed}`, description: null, language: "en", blocks };
}

/** What grows, per 100 rounds, as a share of its mean: the slope of a straight line through the figures. */
function growth(rounds: number[], figures: number[]): number {
  const mean = (list: number[]) => list.reduce((a, b) => a + b, 0) / list.length;
  const [x, y] = [mean(rounds), mean(figures)];
  const covariance = rounds.reduce((sum, round, at) => sum + (round - x) * (figures[at]! - y), 0);
  const variance = rounds.reduce((sum, round) => sum + (round - x) ** 2, 0);
  return (100 * covariance) / variance / y;
}

const file = randomModel("small");
const site = await serve({ "/random/": dirname(file), "/models/": dirname(MINILM_FILE) });
const browser = await launch({ extension: null });
const page: WebPage = await browser.context.newPage();
const worker = await RawWorker.open(page, site);
const heap = await WorkerHeap.open(page);
const devtools = await browser.context.newCDPSession(page);

const load = (name: string, path: string): Request => ({
  type: "load",
  name,
  source: { type: "packaged", url: site.url(path) },
  backend: "cpu",
  contextTokens: 256,
});
const write: Request = { type: "generate", model: "a", prompt: { type: "ids", ids: [1, 2, 3] }, maxTokens: 8 };
await worker.get("loaded", load("embedding", `/models/${basename(MINILM_FILE)}`));

const rounds: number[] = [];
const figures: Record<"renderer" | "gpu-process", number[]> = { renderer: [], "gpu-process": [] };
const until = performance.now() + minutes * 60_000;
let round = 0;
while (performance.now() < until || round < ROUNDS_MIN) {
  round += 1;
  for (const name of ["a", "b"]) await worker.get("loaded", load(name, `/random/${basename(file)}`));
  for (let i = 0; i < 10; i += 1) await worker.get("text", write);
  for (let i = 0; i < 20; i += 1) await worker.get("summary", { type: "summarize", page: article(20 * round + i) });
  for (const name of ["a", "b"]) await worker.get("ok", { type: "unload", name });
  const tab = await browser.context.newPage();
  await tab.goto(site.url("/raw"));
  await tab.close();
  // What has been answered is not kept by the page either.
  await page.evaluate(() => void ((globalThis as unknown as { raw: { received: unknown[] } }).raw.received.length = 0));
  if (round <= WARM) continue;
  await heap.collectGarbage();
  await devtools.send("Memory.simulatePressureNotification", { level: "critical" });
  await page.waitForTimeout(300);
  rounds.push(round);
  for (const type of ["renderer", "gpu-process"] as const) figures[type].push(residentKib(type));
  console.log(`round ${round}: renderer ${figures.renderer.at(-1)} KiB, GPU process ${figures["gpu-process"].at(-1)} KiB`);
}
const errors = browser.errors.unexpected();
await browser.close();
await site.close();

let grows = false;
for (const [type, list] of Object.entries(figures)) {
  const share = growth(rounds, list);
  grows ||= share > GROWTH_MAX;
  console.log(`${type}: ${(100 * share).toFixed(2)} % in 100 rounds (${(100 * GROWTH_MAX).toFixed(1)} % at most)`);
}
console.log(`${round} rounds: ${10 * round} generations, ${2 * round} loads, ${20 * round} summaries, ${round} tabs`);
if (errors.length > 0) console.error(`the console shows errors:\n${errors.join("\n")}`);
process.exitCode = grows || errors.length > 0 ? 1 : 0;
