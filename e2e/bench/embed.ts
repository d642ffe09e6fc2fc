// Speed of embedding: so many texts of so many tokens; ours and the peer's runs in turn.

import type { Launched } from "../harness/launch.ts";
import type { Site } from "../harness/server.ts";
import { Engine, type EngineName, type LoadOrder } from "./engine.ts";
import { spread, type Spread } from "./figures.ts";
import { gpuKib } from "../harness/processes.ts";
import { promptOf } from "./prompt.ts";

export interface EmbedOrder {
  model: string;
  backend: string;
  texts: number;
  tokens: number;
  runs: number;
  peer: EngineName | null;
  threads: number;
  microBatch: number;
}

interface Side {
  load_ms: number;
  adapter: string;
  time_ms: Spread;
  texts_per_s: Spread;
  cpu_ms: Spread | null;
  peak_mib: number | null;
}

export interface EmbedResult extends Side {
  /** `cosine_min`: of the two engines' vectors of a text, the least alike. */
  peer?: (Side & { threads: number; cosine_min: number }) | { error: string };
  ratio?: { time: number; cpu: number | null };
}

export async function measureEmbedding(launched: Launched, site: Site, order: EmbedOrder): Promise<EmbedResult> {
  const gpuIdle_kib = gpuKib();
  const load: LoadOrder = { ...order, contextTokens: 512, encoder: true };
  const open = (name: EngineName) => Engine.open(name, launched.context, site, order.model, gpuIdle_kib);
  const ours = new Timed(await open("pith"));
  const loaded = await ours.engine.load(load);
  const count = (text: string) => ours.engine.countTokens(text);
  const texts: string[] = [];
  for (let at = 0; at < order.texts; at += 1) texts.push(await promptOf(order.tokens, at, count));
  const warm = await ours.engine.embed(texts);
  const result = { load_ms: loaded.load_ms, adapter: loaded.adapter, peak_mib: ours.engine.peakMib() };
  let theirs: Timed | null = null;
  let peer: EmbedResult["peer"];
  try {
    if (order.peer) {
      theirs = new Timed(await open(order.peer));
      const { load_ms, adapter, threads = 1 } = await theirs.engine.load(load);
      const { vectors } = await theirs.engine.embed(texts);
      const alike = vectors.map((vector, at) => cosine(vector, warm.vectors[at]!));
      const found = { load_ms, adapter, threads, peak_mib: theirs.engine.peakMib(), cosine_min: Math.min(...alike) };
      for (let at = 0; at < order.runs; at += 1) {
        await ours.run(texts);
        await theirs.run(texts);
      }
      peer = { ...found, ...theirs.figures(texts.length) };
    }
  } catch (error) {
    peer = { error: error instanceof Error ? error.message : String(error) };
  }
  while (ours.runs < order.runs) await ours.run(texts);
  const figures = ours.figures(texts.length);
  if (!peer) return { ...result, ...figures };
  if ("error" in peer) return { ...result, ...figures, peer };
  const cpu = figures.cpu_ms && peer.cpu_ms ? peer.cpu_ms.median / figures.cpu_ms.median : null;
  return { ...result, ...figures, peer, ratio: { time: peer.time_ms.median / figures.time_ms.median, cpu } };
}

/** An engine and the times of its runs. */
class Timed {
  readonly engine: Engine;
  readonly #times_ms: number[] = [];
  readonly #cpu_ms: number[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
  }

  get runs(): number {
    return this.#times_ms.length;
  }

  async run(texts: string[]): Promise<void> {
    const { time_ms, cpu_ms } = await this.engine.embed(texts);
    this.#times_ms.push(time_ms);
    if (cpu_ms !== null) this.#cpu_ms.push(cpu_ms);
  }

  figures(texts: number): Pick<Side, "time_ms" | "texts_per_s" | "cpu_ms"> {
    return {
      time_ms: spread(this.#times_ms),
      texts_per_s: spread(this.#times_ms.map((ms) => (1000 * texts) / ms)),
      cpu_ms: this.#cpu_ms.length > 0 ? spread(this.#cpu_ms) : null,
    };
  }
}

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
