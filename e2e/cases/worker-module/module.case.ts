// The engine's two modules: the one with relaxed SIMD, which this browser has, and the one for those that have not.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { openSubject } from "../../conformance/browser.ts";
import { referenceDir } from "../../harness/paths.ts";
import { BLOCK_MODEL_IDS, type BlockRecord, writeBlockModels } from "../../helpers/block-model.ts";
import type { Precision } from "../../../web/src/protocol.gen.ts";
import { Distance, distance, floatsAt, NMSE_MAX, type Prompt, type Rows } from "../../helpers/golden.ts";

interface Fixture {
  name: string;
  file: string;
  golden: { ref: { file: string } };
  prompts: Prompt[];
  cpu_vs_ref: { prefill: { nmse: number } };
}

const FOLDER = referenceDir();
const MANIFEST = JSON.parse(await readFile(join(FOLDER, "manifest.json"), "utf8")) as {
  formats?: Fixture[];
  mixes?: Fixture[];
  blocks?: BlockRecord[];
};
/** One module is tried on every second, the other on those between; with the long suites both on all. */
const isFull = Boolean(process.env.PITH_FULL);
/** Of one product whose inputs have 8 bits, on random weights. */
const FAST_NMSE_MAX = 1e-2;
/** The README names as many. */
const FORMATS = 28;

for (const [parity, [adapter, simd128]] of (
  [
    ["WebAssembly relaxed SIMD", false],
    ["WebAssembly SIMD", true],
  ] as const
).entries()) {
  const isTried = (_: unknown, at: number): boolean => isFull || at % 2 === parity;
  test(`weight formats on ${adapter}`, async ({}, info) => {
    const { formats = [], mixes = [], blocks = [] } = MANIFEST;
    const made = info.outputPath("models");
    const subject = await openSubject("cpu", "chromium", { "/reference/": FOLDER, "/made/": made }, simd128);
    const ask = async <T>(call: string, ...values: unknown[]): Promise<T> => {
      const { value, error } = await subject.call(call, values);
      if (error) throw new Error(`${call} ${JSON.stringify(values).slice(0, 200)}: ${error.code}: ${error.detail}`);
      return value as T;
    };
    const evaluate = async (ids: number[], first: number, decode: number[]): Promise<Rows> => {
      const options = { first, decode };
      const { rows, cols, values } = await ask<{ rows: number; cols: number; values: string }>(
        "evaluate",
        ids,
        options,
      );
      return { rows, cols, values: floatsAt(Buffer.from(values, "base64"), 0, rows * cols) };
    };
    const logits = async (file: string, precision: Precision) => {
      await ask("load", `/made/${file}`, { precision });
      const { values } = await evaluate(BLOCK_MODEL_IDS, 0, []);
      await ask("unload");
      return values;
    };
    try {
      const { backend } = await ask<{ backend: { device: string } }>("load", "/reference/models/llama32.F16.gguf");
      expect(backend.device).toBe(adapter);
      await ask("unload");
      for (const record of blocks.filter(isTried)) {
        const [stored, twin] = writeBlockModels(made, FOLDER, record);
        const want = await logits(twin, "exact");
        for (const [precision, most] of [
          ["exact", NMSE_MAX],
          ["fast", FAST_NMSE_MAX],
        ] as const) {
          const distance = new Distance();
          distance.add(await logits(stored, precision), want);
          expect(distance.nmse, `${record.format} beside its twin in F32, ${precision}`).toBeLessThan(most);
        }
      }
      for (const { name, file, golden, prompts, cpu_vs_ref: theirs } of [...formats, ...mixes].filter(isTried)) {
        // No further off than llama.cpp, whose inputs of products have 8 bits too.
        for (const [precision, most] of [
          ["exact", NMSE_MAX],
          ["fast", theirs.prefill.nmse],
        ] as const) {
          await ask("load", `/reference/${file}`, { precision });
          const { nmse } = await distance(evaluate, await readFile(join(FOLDER, golden.ref.file)), prompts);
          expect(nmse, `${name}, ${precision}`).toBeLessThan(most);
          await ask("unload");
        }
      }
    } finally {
      await subject.close();
    }
    expect(blocks).toHaveLength(FORMATS);
    expect(formats.length + mixes.length).toBeGreaterThan(0);
  });
}
