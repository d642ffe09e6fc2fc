// Speed of embedding: so many texts of so many tokens; ours and the peer's runs in turn.

import type { Launched } from "../harness/launch.ts";
import type { Site } from "../harness/server.ts";
import { Engine, type EngineName, type LoadOrder, type Precision } from "./engine.ts";
import { gpuKib } from "../harness/processes.ts";
import { promptOf } from "./prompt.ts";

export interface EmbedOrder {
  model: string;
  backend: string;
  precision: Precision;
  texts: number;
  tokens: number;
  runs: number;
  peer: EngineName | null;
  threads: number;
  microBatch: number;
}

/** Processor time of the whole browser; null where the system does not say. */
interface Run {
  texts: number;
  time_ms: number;
  cpu_ms: number | null;
}

interface Side {
  load_ms: number;
  adapter: string;
  peak_mib: number | null;
  runs: Run[];
}

export interface EmbedResult extends Side {
  /** `cosine_min`: of the two engines' vectors of a text, the least alike. */
  peer?: (Side & { threads: number; cosine_min: number }) | { error: string };
}

export async function measureEmbedding(launched: Launched, site: Site, order: EmbedOrder): Promise<EmbedResult> {
  const gpuIdle_kib = gpuKib();
  const load: LoadOrder = { ...order, contextTokens: 512, encoder: true };
  const open = (name: EngineName) => Engine.open(name, launched.context, site, order.model, gpuIdle_kib);
  const ours = await open("pith");
  const loaded = await ours.load(load);
  const texts: string[] = [];
  for (let at = 0; at < order.texts; at += 1)
    texts.push(await promptOf(order.tokens, at, (text) => ours.countTokens(text)));
  const warm = await ours.embed(texts);
  const result = { load_ms: loaded.load_ms, adapter: loaded.adapter, peak_mib: ours.peakMib() };
  const run = async (engine: Engine, runs: Run[]): Promise<void> => {
    const { time_ms, cpu_ms } = await engine.embed(texts);
    runs.push({ texts: texts.length, time_ms, cpu_ms });
  };
  const runs: Run[] = [];
  let peer: EmbedResult["peer"];
  try {
    if (order.peer) {
      const theirs = await open(order.peer);
      const { load_ms, adapter, threads = 1 } = await theirs.load(load);
      const { vectors } = await theirs.embed(texts);
      const alike = vectors.map((vector, at) => cosine(vector, warm.vectors[at]!));
      const found = { load_ms, adapter, threads, peak_mib: theirs.peakMib(), cosine_min: Math.min(...alike) };
      const theirRuns: Run[] = [];
      while (runs.length < order.runs) {
        await run(ours, runs);
        await run(theirs, theirRuns);
      }
      peer = { ...found, runs: theirRuns };
    }
  } catch (error) {
    peer = { error: error instanceof Error ? error.message : String(error) };
  }
  while (runs.length < order.runs) await run(ours, runs);
  return peer ? { ...result, runs, peer } : { ...result, runs };
}

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
