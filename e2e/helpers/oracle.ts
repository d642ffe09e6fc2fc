// Golden outputs of engine/tests/oracle, and how far the worker's are from them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { distance as distanceOf, type Prompt } from "./golden.ts";
import { ORACLE_DIR } from "../harness/paths.ts";
import type { RawWorker } from "../harness/raw-worker.ts";
import type { LoraUse, CacheType } from "../../web/src/protocol.gen.ts";

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

/** How far a model's logits are from the golden ones. */
export function distance(
  worker: RawWorker,
  model: string,
  { golden }: Golden,
  prompts: Prompt[],
  lora?: LoraUse,
): Promise<{ nmse: number; greedyEqual: boolean }> {
  const evaluate = (ids: number[], first: number, decode: number[]) =>
    worker.get("logits", { type: "evaluate", model, ids, first, decode, lora: lora ?? null });
  return distanceOf(evaluate, readFileSync(join(ORACLE_DIR, golden.ref.file)), prompts);
}
