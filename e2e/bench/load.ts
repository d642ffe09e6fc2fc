// What it takes to load a stored file: time beside reading the same file alone, and memory of every kind.

import type { Page } from "@playwright/test";
import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { launch } from "../harness/launch.ts";
import { residentKib } from "../harness/processes.ts";
import { RawWorker } from "../harness/raw-worker.ts";
import { serve } from "../harness/server.ts";
import { WorkerHeap } from "../harness/worker-heap.ts";
import type { MemoryReport } from "../../web/src/protocol.gen.ts";

export interface LoadOrder {
  model: string;
  backend: "cpu" | "webgpu" | "webgl2";
  store: "opfs" | "indexedDb";
}

/** Memory at its most while loading, less what there was before. */
interface Growth {
  js_heap_bytes: number;
  /** Of the worker's ArrayBuffers outside its JavaScript heap. */
  buffers_bytes: number;
  renderer_bytes: number;
  gpu_process_bytes: number;
}

export interface LoadResult extends LoadOrder {
  file_bytes: number;
  download_mb_s: number;
  /** From the request to its answer. */
  load_ms: number;
  load_mb_s: number;
  /** The same file read alone, by 1 MiB through a sync access handle: once before, once after. Only for OPFS. */
  read_mb_s: number[];
  /** Of the faster of these. */
  load_to_read: number | null;
  wasm_heap_growth_bytes: number;
  growth: Growth;
  memory: MemoryReport;
}

const TIMEOUT_MS = 3_600_000;
const SAMPLE_MS = 50;

const mbPerS = (bytes: number, time_ms: number): number => Number((bytes / 1000 / time_ms).toFixed(1));

export async function measureLoad({ model, backend, store }: LoadOrder): Promise<LoadResult> {
  const launched = await launch({ extension: null });
  const site = await serve({ "/models/": dirname(model) });
  const { size: file_bytes } = statSync(model);
  try {
    const page = await launched.context.newPage();
    const worker = await RawWorker.open(page, site, TIMEOUT_MS);
    await worker.get("ok", { type: "configure", settings: { store } });
    const start_ms = performance.now();
    const source = { type: "url", url: site.url(`/models/${basename(model)}`) } as const;
    const { model: stored } = await worker.get("stored", { type: "download", source });
    const download_mb_s = mbPerS(file_bytes, performance.now() - start_ms);
    const read = async () => (store === "opfs" ? [mbPerS(file_bytes, await readAlone(page, stored.name))] : []);

    const before_mb_s = await read();
    // A worker whose memory has held nothing yet.
    await worker.restart();
    await worker.get("ok", { type: "configure", settings: { store } });
    const peaks = await Peaks.open(page);
    const load_start_ms = performance.now();
    const { model: info } = await worker.get("loaded", {
      type: "load",
      name: "bench",
      source: { type: "stored", name: stored.name },
      backend,
      contextTokens: 512,
      force: true,
    });
    const load_ms = performance.now() - load_start_ms;
    const growth = await peaks.close();
    const { report } = await worker.get("memory", { type: "memory" });
    const read_mb_s = [...before_mb_s, ...(await read())];
    const load_mb_s = mbPerS(file_bytes, load_ms);
    return {
      model: basename(model),
      backend,
      store,
      file_bytes,
      download_mb_s,
      load_ms: Math.round(load_ms),
      load_mb_s,
      read_mb_s,
      load_to_read: read_mb_s.length > 0 ? Number((load_mb_s / Math.max(...read_mb_s)).toFixed(3)) : null,
      wasm_heap_growth_bytes: info.heapGrowthBytes,
      growth,
      memory: report,
    };
  } finally {
    await launched.close();
    await site.close();
  }
}

/** Milliseconds to read a file of the store and do nothing with it. */
function readAlone(page: Page, name: string): Promise<number> {
  return page.evaluate(async (name) => {
    const code = `onmessage = async ({ data: name }) => {
      const root = await navigator.storage.getDirectory();
      const file = await (await root.getDirectoryHandle("pith-models")).getFileHandle(name);
      const handle = await file.createSyncAccessHandle();
      const into = new Uint8Array(1 << 20);
      const start_ms = performance.now();
      for (let at = 0, read = 1; read > 0; at += read) read = handle.read(into, { at });
      postMessage(performance.now() - start_ms);
      handle.close();
    };`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    const answer = new Promise<number>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data as number);
      worker.onerror = ({ message }) => reject(new Error(message));
    });
    worker.postMessage(name);
    return answer.finally(() => worker.terminate());
  }, name);
}

/** Follows memory from now on. */
class Peaks {
  #most: Growth;
  readonly #timer: ReturnType<typeof setInterval>;

  private constructor(
    private readonly heap: WorkerHeap,
    private readonly first: Growth,
  ) {
    this.#most = first;
    this.#timer = setInterval(() => void this.#sample(), SAMPLE_MS).unref();
  }

  static async open(page: Page): Promise<Peaks> {
    const heap = await WorkerHeap.open(page);
    return new Peaks(heap, await now(heap));
  }

  /** Stops, and tells how much more there was. */
  async close(): Promise<Growth> {
    clearInterval(this.#timer);
    await this.#sample();
    const { first } = this;
    return mapped((key) => this.#most[key] - first[key]);
  }

  async #sample(): Promise<void> {
    const found = await now(this.heap);
    const most = this.#most;
    this.#most = mapped((key) => Math.max(most[key], found[key]));
  }
}

async function now(heap: WorkerHeap): Promise<Growth> {
  const { used_bytes, buffers_bytes } = await heap.usage();
  const [renderer_kib, gpu_kib] = [residentKib("renderer"), residentKib("gpu-process")];
  return {
    js_heap_bytes: used_bytes,
    buffers_bytes,
    renderer_bytes: renderer_kib * 1024,
    gpu_process_bytes: gpu_kib * 1024,
  };
}

const mapped = (value: (key: keyof Growth) => number): Growth => ({
  js_heap_bytes: value("js_heap_bytes"),
  buffers_bytes: value("buffers_bytes"),
  renderer_bytes: value("renderer_bytes"),
  gpu_process_bytes: value("gpu_process_bytes"),
});
