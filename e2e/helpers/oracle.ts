// Golden outputs of engine/tests/oracle, and how far the worker's are from them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argmax, Distance, floatsAt } from "../conformance/score.ts";
import { ORACLE_DIR } from "../harness/paths.ts";
import type { RawWorker } from "../harness/raw-worker.ts";
import type { LoraUse, CacheType } from "../../web/src/protocol.gen.ts";

interface Place {
  offset: number;
  shape: [rows: number, cols: number];
  first_position: number;
}

export interface Prompt {
  name: string;
  ids: number[];
  prefill: Place;
  decode: Place;
  greedy: number[];
}

interface Golden {
  golden: { ref: { file: string } };
}

interface Manifest {
  lora: (Golden & {
    name: string;
    file: string;
    adapters: { name: string; file: string }[];
    runs: { scales: number[]; prompts: Prompt[] }[];
  })[];
  split: (Golden & { name: string; files: { file: string; bytes: number; sha256: string }[]; prompts: Prompt[] })[];
  kv: (Golden & {
    name: string;
    file: string;
    prompts: Prompt[];
    caches: { type: CacheType; vs_ref: { all: number } }[];
  })[];
}

export const MANIFEST = JSON.parse(readFileSync(join(ORACLE_DIR, "manifest.json"), "utf8")) as Manifest;

/** Weights are decoded in the kernels, activations and sums are f32. */
export const NMSE_MAX = 1e-8;

/** How far a model's logits are from the golden ones, after prompts and after each token fed behind them. */
export async function distance(
  worker: RawWorker,
  model: string,
  { golden }: Golden,
  prompts: Prompt[],
  lora?: LoraUse,
): Promise<{ nmse: number; greedyEqual: boolean }> {
  const file = readFileSync(join(ORACLE_DIR, golden.ref.file));
  const sum = new Distance();
  let greedyEqual = true;
  for (const { ids, prefill, decode, greedy } of prompts) {
    const first = prefill.first_position;
    const request = { type: "evaluate", model, ids, first, decode: greedy, lora: lora ?? null } as const;
    const { rows, cols, values } = await worker.get("logits", request);
    const [before, after] = [prefill.shape[0], decode.shape[0]];
    if (rows !== before + after) throw new Error(`${rows} rows, not ${before} + ${after}`);
    sum.add(values.subarray(0, before * cols), floatsAt(file, prefill.offset, before * cols));
    sum.add(values.subarray(before * cols), floatsAt(file, decode.offset, after * cols));
    for (const [step, wanted] of greedy.entries()) {
      const row = before - 1 + step;
      greedyEqual &&= argmax(values.subarray(row * cols, (row + 1) * cols)) === wanted;
    }
  }
  return { nmse: sum.nmse, greedyEqual };
}
