// The engine's two modules: the one with relaxed SIMD, which this browser has, and the one for those that have not.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { openSubject } from "../../conformance/browser.ts";
import { type Manifest, runFixture, unwrap } from "../../conformance/fixtures.ts";
import { Report } from "../../conformance/report.ts";
import { Distance } from "../../conformance/score.ts";
import { referenceDir } from "../../harness/paths.ts";
import { BLOCK_MODEL_IDS, writeBlockModels } from "../../helpers/block-model.ts";

const FOLDER = referenceDir();
const MANIFEST = JSON.parse(await readFile(join(FOLDER, "manifest.json"), "utf8")) as Manifest;
/** The README names as many. */
const FORMATS = 28;
const NMSE_MAX = 1e-8;

for (const [adapter, simd128] of [
  ["WebAssembly relaxed SIMD", false],
  ["WebAssembly SIMD", true],
] as const) {
  test(`every weight format on ${adapter}`, async ({}, info) => {
    const { formats = [], mixes = [], blocks = [] } = MANIFEST;
    const made = info.outputPath("models");
    const subject = await openSubject("cpu", "chromium", { "/reference/": FOLDER, "/made/": made }, simd128);
    const report = new Report(false);
    const logits = async (file: string) => {
      unwrap(await subject.load(`/made/${file}`));
      const { values } = unwrap(await subject.evaluate(BLOCK_MODEL_IDS, 0, []));
      await subject.unload();
      return values;
    };
    try {
      const { value } = await subject.load("/reference/models/llama32.F16.gguf");
      expect(value?.backend.device).toBe(adapter);
      for (const record of blocks) {
        const [stored, twin] = writeBlockModels(made, FOLDER, record);
        const distance = new Distance();
        distance.add(await logits(stored), await logits(twin));
        expect(distance.nmse, `${record.format} beside its twin in F32`).toBeLessThan(NMSE_MAX);
      }
      for (const fixture of formats) await runFixture(subject, "cpu", "formats", FOLDER, fixture, report);
      for (const fixture of mixes) await runFixture(subject, "cpu", "mixes", FOLDER, fixture, report);
    } finally {
      await subject.close();
    }
    expect(blocks).toHaveLength(FORMATS);
    expect(report.finish()).toBe(true);
  });
}
