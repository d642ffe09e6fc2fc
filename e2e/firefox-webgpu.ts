// Tokens per second in a Firefox that has WebGPU, with the submissions that keep read-backs from waiting for its timer and without.
//   PITH_FIREFOX=/path/to/firefox npx tsx firefox-webgpu.ts [--model FILE] [--tokens N] [--runs N]

import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Firefox } from "./harness/firefox.ts";
import { patchedWorker } from "./harness/patched-worker.ts";
import { ROOT, SMOLLM2_FILE } from "./harness/paths.ts";
import { serve } from "./harness/server.ts";

const { values } = parseArgs({
  options: {
    model: { type: "string", default: SMOLLM2_FILE },
    tokens: { type: "string", default: "48" },
    runs: { type: "string", default: "3" },
  },
});

/** Drops submissions of nothing: what the engine sends behind its read-backs. */
function withoutNudges(): void {
  const submit = GPUQueue.prototype.submit;
  GPUQueue.prototype.submit = function (buffers) {
    if ([...buffers].length > 0) submit.call(this, buffers);
  };
}

const file = resolve(values.model);
const site = await serve({ "/model/": dirname(file), "/pith/": resolve(ROOT, "web/dist") });
const workers = { with: "/pith/worker.js", without: patchedWorker(site, withoutNudges) };
const script = `
  import { Pith } from "/pith/index.js";
  globalThis.measure = {
    async tokens(workerUrl, path, maxTokens, runs) {
      const pith = await Pith.open({ workerUrl });
      const { backend } = await pith.load("text", { packaged: new URL(path, location.href).href }, { backend: "webgpu", contextTokens: 256 });
      const speeds = [];
      let written;
      for (let run = 0; run <= runs; run += 1) {
        const { ids, stats } = await pith.generate("text", "The lighthouse keeper wrote in his diary that", { maxTokens }).result;
        // The first one compiles.
        if (run > 0) speeds.push((1000 * (ids.length - 1)) / stats.decodeMs);
        written = ids;
      }
      pith.close();
      return { backend, speeds, written };
    },
  };`;
site.handle("/", (_, response) => {
  response.setHeader("content-type", "text/html").end(`<!doctype html><script type="module">${script}</script>`);
});

const firefox = await Firefox.launch({
  preferences: () => ({ "dom.webgpu.enabled": true, "gfx.webgpu.ignore-blocklist": true }),
});
try {
  await firefox.goto(site.url("/"));
  const texts = new Set<string>();
  for (const [how, worker] of Object.entries(workers)) {
    const { backend, speeds, written } = await firefox.call<{ backend: object; speeds: number[]; written: number[] }>(
      "measure",
      "tokens",
      [worker, `/model/${basename(file)}`, Number(values.tokens), Number(values.runs)],
    );
    texts.add(written.join());
    console.log(`${how} submissions behind read-backs: ${speeds.map((speed) => speed.toFixed(2)).join(", ")} tokens/s`);
    console.log(`  ${JSON.stringify(backend)}`);
  }
  console.log(texts.size === 1 ? "the same tokens" : "other tokens");
} finally {
  await firefox.close();
  await site.close();
}
