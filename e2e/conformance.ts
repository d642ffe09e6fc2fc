// The reference set in Chromium's worker: every case of the manifest, and the trained models.
//   cargo xtask conformance --in-browser --fixtures DIR [--backend cpu|webgpu|webgl2] [--browser chromium|firefox] [--only NAME] [--simd128] [--all] [--json]
// Exit status 1 if any case fails or is unsupported.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Backend, openSubject } from "./conformance/browser.ts";
import { type Manifest, runFixture } from "./conformance/fixtures.ts";
import { runReal } from "./conformance/real.ts";
import { Report } from "./conformance/report.ts";
import { runChat, runTokenizer } from "./conformance/text.ts";
import { MINILM_FILE, referenceDir } from "./harness/paths.ts";

const { values: options } = parseArgs({
  options: {
    fixtures: { type: "string" },
    backend: { type: "string", default: "webgpu" },
    browser: { type: "string", default: "chromium" },
    only: { type: "string" },
    simd128: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
if (options.backend !== "cpu" && options.backend !== "webgpu" && options.backend !== "webgl2") {
  console.error(`--backend ${options.backend}: cpu, webgpu and webgl2 are possible`);
  process.exit(2);
}
const backend: Backend = options.backend;
if (options.browser !== "chromium" && options.browser !== "firefox") {
  console.error(`--browser ${options.browser}: chromium and firefox are possible`);
  process.exit(2);
}
const folder = resolve(options.fixtures ?? referenceDir());
const minilm = process.env.PITH_MINILM ?? MINILM_FILE;
const { only } = options;
const wanted = (name: string): boolean => only === undefined || name.includes(only);

const manifest = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")) as Manifest;
const report = new Report(options.json);
const mounts = { "/reference/": folder, "/minilm/": dirname(minilm) };
const subject = await openSubject(backend, options.browser, mounts, options.simd128);
try {
  for (const section of ["fixtures", "formats", "mixes"] as const) {
    for (const fixture of (manifest[section] ?? []).filter(({ name }) => wanted(name)))
      await runFixture(subject, backend, section, folder, fixture, report);
  }
  if (manifest.blocks)
    console.error("skipped: blocks, because a page has no call that decodes them; they run natively");
  for (const set of (manifest.tokenizers ?? []).filter(({ preset = "" }) => wanted(preset)))
    await runTokenizer(subject, backend, set, report);
  await runChat(subject, backend, folder, wanted, report);
  if (existsSync(join(folder, "real"))) {
    const file = existsSync(minilm) ? basename(minilm) : null;
    if (!file) console.error(`skipped: minilm-q8_0, because ${minilm} does not exist (cargo xtask setup makes it)`);
    // A software adapter takes minutes for all that trained models are asked.
    const stride = backend === "cpu" || options.all ? 1 : 9;
    await runReal(subject, backend, folder, file, stride, wanted, report);
  }
} finally {
  await subject.close();
}
process.exitCode = report.finish() ? 0 : 1;
