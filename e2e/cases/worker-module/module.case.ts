// The engine's two modules: the one with relaxed SIMD, which this browser has, and the one for those that have not.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { openSubject } from "../../conformance/browser.ts";
import { type Manifest, runFixture } from "../../conformance/fixtures.ts";
import { Report } from "../../conformance/report.ts";
import { referenceDir } from "../../harness/paths.ts";

for (const [adapter, simd128] of [
  ["WebAssembly relaxed SIMD", false],
  ["WebAssembly SIMD", true],
] as const) {
  test(`every weight format on ${adapter}`, async () => {
    const folder = referenceDir();
    const { formats = [], mixes = [] } = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
    const subject = await openSubject("cpu", "chromium", { "/reference/": folder }, simd128);
    const report = new Report(false);
    try {
      const { value } = await subject.load("/reference/models/llama32.F16.gguf");
      expect(value?.backend.adapter).toBe(adapter);
      for (const fixture of formats) await runFixture(subject, "cpu", "formats", folder, fixture, report);
      for (const fixture of mixes) await runFixture(subject, "cpu", "mixes", folder, fixture, report);
    } finally {
      await subject.close();
    }
    expect(report.finish()).toBe(true);
  });
}
