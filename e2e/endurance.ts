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
/** Rounds before caches of code, of pipelines and of the allocators have filled. */
const WARM = 30;
/** Fewer say nothing about 100. */
const ROUNDS_MIN = WARM + 20;

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

/**
 * What grows, per 100 rounds, as a share of its median: the median of the slopes between all pairs of rounds (Theil-Sen), which
 * an allocator's few jumps between two sizes do not move.
 */
function growth(rounds: number[], figures: number[]): number {
  const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1]!;
  const slopes = rounds.flatMap((round, at) =>
    rounds.slice(0, at).map((earlier, before) => (figures[at]! - figures[before]!) / (round - earlier)),
  );
  return (100 * median(slopes)) / median([...figures]);
}

const file = randomModel("small");
const site = await serve({ "/random/": dirname(file), "/models/": dirname(MINILM_FILE) });
const browser = await launch({ extension: null });
const page: WebPage = await browser.context.newPage();
const worker = await RawWorker.open(page, site);
const heap = await WorkerHeap.open(page);
const devtools = await browser.context.newCDPSession(page);

const load = (name: string, path: string, backend: "cpu" | "webgpu"): Request => ({
  type: "load",
  name,
  source: { type: "packaged", url: site.url(path) },
  backend,
  contextTokens: 256,
});
/** One model runs where there is no GPU, one on a GPU, which may be emulated. */
const MODELS = [
  ["a", "cpu"],
  ["b", "webgpu"],
] as const;
const write = (model: string): Request => ({
  type: "generate",
  model,
  prompt: { type: "ids", ids: [1, 2, 3] },
  maxTokens: 8,
});
await worker.get("loaded", load("embedding", `/models/${basename(MINILM_FILE)}`, "cpu"));

const rounds: number[] = [];
const figures: Record<"renderer" | "gpu-process", number[]> = { renderer: [], "gpu-process": [] };
const until = performance.now() + minutes * 60_000;
let round = 0;
while (performance.now() < until || round < ROUNDS_MIN) {
  round += 1;
  for (const [name, backend] of MODELS) await worker.get("loaded", load(name, `/random/${basename(file)}`, backend));
  for (let i = 0; i < 10; i += 1) await worker.get("text", write(MODELS[i % 2]![0]));
  for (let i = 0; i < 20; i += 1) await worker.get("summary", { type: "summarize", page: article(20 * round + i) });
  for (const [name] of MODELS) await worker.get("ok", { type: "unload", name });
  const tab = await browser.context.newPage();
  await tab.goto(site.url("/raw"));
  await tab.close();
  // What has been answered is not kept by the page either.
  await page.evaluate(() => void ((globalThis as unknown as { raw: { received: unknown[] } }).raw.received.length = 0));
  await heap.collectGarbage();
  await devtools.send("HeapProfiler.collectGarbage");
  await devtools.send("Memory.simulatePressureNotification", { level: "critical" });
  await page.waitForTimeout(300);
  const [renderer, gpu] = [residentKib("renderer"), residentKib("gpu-process")];
  console.log(`round ${round}: renderer ${renderer} KiB, GPU process ${gpu} KiB`);
  if (round <= WARM) continue;
  rounds.push(round);
  figures.renderer.push(renderer);
  figures["gpu-process"].push(gpu);
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
