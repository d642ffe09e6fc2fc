// The worker in a browser, for `cargo xtask conformance --in-browser`, which scores: requests come as lines of JSON,
// `{call, values}`, and each is answered by a line, `{value}` or `{error}`. The end of the input closes the browser.

import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { openSubject } from "./conformance/browser.ts";

const { values: options } = parseArgs({
  options: {
    backend: { type: "string" },
    browser: { type: "string", default: "chromium" },
    mount: { type: "string", multiple: true, default: [] },
    simd128: { type: "boolean", default: false },
  },
});
const { backend, browser } = options;
if (backend !== "cpu" && backend !== "webgpu" && backend !== "webgl2") {
  console.error(`--backend ${backend}: cpu, webgpu and webgl2 are possible`);
  process.exit(2);
}
if (browser !== "chromium" && browser !== "firefox") {
  console.error(`--browser ${browser}: chromium and firefox are possible`);
  process.exit(2);
}

// Only answers go to the output.
console.log = console.error;
const mounts = Object.fromEntries(options.mount.map((one) => one.split("=", 2) as [path: string, folder: string]));
const subject = await openSubject(backend, browser, mounts, options.simd128);
try {
  for await (const line of createInterface({ input: process.stdin })) {
    const { call, values } = JSON.parse(line) as { call: string; values: unknown[] };
    process.stdout.write(`${JSON.stringify(await subject.call(call, values))}\n`);
  }
} finally {
  await subject.close();
}
