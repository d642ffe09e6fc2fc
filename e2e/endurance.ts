// Loads, writes, summarises, opens and closes tabs for as long as it is told, and says whether the browser's processes grow.
//   cargo xtask endurance --minutes N
// A round is 10 generations, 2 loads and unloads, 20 summaries of pages, and a tab that comes and goes. Exit status 1 where
// a process or a heap grows by more than GROWTH_MAX in 100 rounds, or a request fails. Heaps are the engine's own: what the
// page and the worker hold after a collection, wasm memory included. A process has the browser's caches besides.

import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import type { Page as WebPage } from "@playwright/test";
import { launch } from "./harness/launch.ts";
import { MINILM_FILE } from "./harness/paths.ts";
import { ownKib } from "./harness/processes.ts";
import { RawWorker } from "./harness/raw-worker.ts";
import { serve } from "./harness/server.ts";
import { WorkerHeap } from "./harness/worker-heap.ts";
import { randomModel } from "./helpers/random-model.ts";
import type { Page, Request } from "../web/src/protocol.gen.ts";

const GROWTH_MAX = 0.005;
/** Rounds before caches of pipelines and of the allocators have filled. */
const WARM = 120;
/** Rounds of which the lowest figure counts: a renderer's memory is a saw tooth, whose teeth are up to 70 rounds long. */
const WINDOW = 40;
/** Fewer say nothing about 100. */
const ROUNDS_MIN = WARM + 4 * WINDOW;

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
 * What grows, per 100 rounds, as a share of its median: the lowest figure of each window, then the median of the slopes between
 * all pairs of these (Theil-Sen). What a garbage collector or an allocator gives back later does not count; what stays does.
 */
function growth(figures: number[]): number {
  const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1]!;
  const windows = Array.from({ length: Math.floor(figures.length / WINDOW) }, (_, at) =>
    Math.min(...figures.slice(at * WINDOW, (at + 1) * WINDOW)),
  );
  const slopes = windows.flatMap((low, at) =>
    windows.slice(0, at).map((earlier, before) => (low - earlier) / (WINDOW * (at - before))),
  );
  return (100 * median(slopes)) / median([...figures]);
}

const file = randomModel("small");
const site = await serve({ "/random/": dirname(file), "/models/": dirname(MINILM_FILE) });
/** Without what V8 makes of scripts that run often: a hundred rounds later it would still count as growth. Wasm is not concerned. */
const INTERPRETED = "--js-flags=--no-opt --no-maglev --no-sparkplug";
const browser = await launch({ extension: null, args: [INTERPRETED] });
const page: WebPage = await browser.context.newPage();
const worker = await RawWorker.open(page, site);
const heap = await WorkerHeap.open(page);
const devtools = await browser.context.newCDPSession(page);

/** From the store, but for the first time: what watches a browser's requests keeps 3 to 6 KiB of each in the renderer. */
const load = (name: string, path: string, backend: "cpu" | "webgpu"): Request => ({
  type: "load",
  name,
  source: { type: "url", url: site.url(path) },
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

const kib = (bytes: number) => Math.round(bytes / 1024);
/** KiB after a round. */
async function measure() {
  const [own, js] = [(await devtools.send("Runtime.getHeapUsage")) as { usedSize: number }, await heap.usage()];
  return {
    renderer: ownKib("renderer"),
    "GPU process": ownKib("gpu-process"),
    "page's heap": kib(own.usedSize),
    "worker's heap": kib(js.used_bytes),
    "worker's buffers": kib(js.buffers_bytes),
    "wasm memory": kib((await worker.get("memory", { type: "memory" })).report.wasmHeapBytes),
  };
}
const figures: Record<string, number[]> = {};
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
  const found = Object.entries(await measure());
  console.log(`round ${round}: ${found.map(([what, n]) => `${what} ${n} KiB`).join(", ")}`);
  if (round > WARM) for (const [what, n] of found) (figures[what] ??= []).push(n);
}
const errors = browser.errors.unexpected();
await browser.close();
await site.close();

let grows = false;
for (const [what, list] of Object.entries(figures)) {
  const share = growth(list);
  grows ||= share > GROWTH_MAX;
  console.log(`${what}: ${(100 * share).toFixed(2)} % in 100 rounds (${(100 * GROWTH_MAX).toFixed(1)} % at most)`);
}
console.log(`${round} rounds: ${10 * round} generations, ${2 * round} loads, ${20 * round} summaries, ${round} tabs`);
if (errors.length > 0) console.error(`the console shows errors:\n${errors.join("\n")}`);
process.exitCode = grows || errors.length > 0 ? 1 : 0;
