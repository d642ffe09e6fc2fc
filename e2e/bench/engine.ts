// One of the two engines in a page of its own, in the browser that both share.

import type { BrowserContext, Page } from "@playwright/test";
import { resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";
import { serve, type Site } from "../harness/server.ts";
import { cpuMs, MemoryWatch } from "../harness/processes.ts";

export type EngineName = "pith" | "wllama";

export type Precision = "fast" | "exact";

/** How a model is to be loaded; the engines take what concerns them. */
export interface LoadOrder {
  backend: string;
  contextTokens: number;
  /** Ours. */
  precision: Precision;
  /** Ours: finds the fastest kernels before. */
  tune?: boolean;
  /** Of the CPU. */
  threads: number;
  /** The peer's largest piece of a prompt; its own default where 0. */
  microBatch: number;
  encoder: boolean;
}

export interface Loaded {
  load_ms: number;
  adapter: string;
  /** Ours only. */
  vocab?: number;
  backend?: string;
  /** The peer's only. */
  threads?: number;
}

/** What a generation took, by the engine's own clock. */
export interface Generated {
  /** From the call to the first text in the page; null where no token gave text. */
  ttft_ms: number | null;
  prompt_tokens: number;
  made: number;
  finishReason: string;
  prefill_ms: number;
  /** For all tokens but the first, which belongs to the prompt. */
  decode_ms: number;
  /** Ours only. */
  stats?: Record<string, number>;
}

/** Processor time of the whole browser by phase; null where the system does not say. */
export interface CpuTimes {
  prefill_cpu_ms: number | null;
  decode_cpu_ms: number | null;
}

export interface Embedded {
  time_ms: number;
  vectors: number[][];
}

interface PageCalls {
  load(order: LoadOrder): Promise<Loaded>;
  generate(order: { prompt: string; tokens: number; banned: number[] }): Promise<Generated>;
  pieces(order: object): Promise<number[]>;
  embed(order: { texts: string[] }): Promise<Embedded>;
  countTokens(order: { text: string }): Promise<number>;
  longestTaskMs(order: object): Promise<number>;
}

/** A server with both engines and the page. Threads need the headers that isolate a page from other origins. */
export async function serveEngines(): Promise<Site> {
  const site = await serve({
    "/pith/": resolve(ROOT, "web/dist"),
    "/wllama/": resolve(ROOT, "node_modules/@wllama/wllama/esm"),
    "/bench/": resolve(ROOT, "e2e/bench"),
  });
  site.isolate();
  site.handle("/", (_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      '<!doctype html><title>bench</title><input type="file"><script type="module" src="/bench/page.mjs"></script>',
    );
  });
  return site;
}

/** An engine with a page of its own. */
export class Engine {
  readonly #page: Page;
  readonly #memory: MemoryWatch;
  #decodeStart_cpu_ms: number | null = null;

  private constructor(page: Page, memory: MemoryWatch) {
    this.#page = page;
    this.#memory = memory;
  }

  static async open(
    name: EngineName,
    context: BrowserContext,
    site: Site,
    model: string,
    gpuIdle_kib: number,
  ): Promise<Engine> {
    const memory = new MemoryWatch(gpuIdle_kib);
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    const engine = new Engine(page, memory);
    await page.exposeFunction("mark", () => void (engine.#decodeStart_cpu_ms ??= cpuMs()));
    await page.goto(site.url(`/?engine=${name}`));
    await page.waitForFunction(() => "engine" in globalThis, undefined, { timeout: 60_000 });
    await page.setInputFiles("input", model);
    return engine;
  }

  close(): Promise<void> {
    return this.#page.close();
  }

  load(order: LoadOrder): Promise<Loaded> {
    return this.#call("load", order);
  }

  /** `banned`: ids that the peer must not choose. */
  async generate(prompt: string, tokens: number, banned: number[] = []): Promise<Generated & CpuTimes> {
    this.#decodeStart_cpu_ms = null;
    const start = cpuMs();
    const generated = await this.#call("generate", { prompt, tokens, banned });
    const [middle, end] = [this.#decodeStart_cpu_ms, cpuMs()];
    const between = (from: number | null, to: number | null) => (from === null || to === null ? null : to - from);
    return { ...generated, prefill_cpu_ms: between(start, middle), decode_cpu_ms: between(middle, end) };
  }

  async embed(texts: string[]): Promise<Embedded & { cpu_ms: number | null }> {
    const start = cpuMs();
    const embedded = await this.#call("embed", { texts });
    const end = cpuMs();
    return { ...embedded, cpu_ms: start === null || end === null ? null : end - start };
  }

  /** Ids that are no text by themselves. Ours only. */
  pieces(): Promise<number[]> {
    return this.#call("pieces", {});
  }

  countTokens(text: string): Promise<number> {
    return this.#call("countTokens", { text });
  }

  /** Of the page's own thread, from 50 ms on; else 0. */
  longestTaskMs(): Promise<number> {
    return this.#call("longestTaskMs", {});
  }

  peakMib(): number | null {
    return this.#memory.peakMib();
  }

  #call<Name extends keyof PageCalls>(name: Name, order: Parameters<PageCalls[Name]>[0]) {
    return this.#page.evaluate(
      ([n, o]) => (globalThis as unknown as { engine: Record<string, (o: unknown) => unknown> }).engine[n]!(o),
      [name, order] as const,
    ) as ReturnType<PageCalls[Name]>;
  }
}
