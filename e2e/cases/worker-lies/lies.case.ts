// GPUs that compute wrongly: the self-check names the kernel, takes another shape of it where there is one, and the next backend
// where there is none. What is written then is what the CPU writes. A sample of the lies; with the long suites every kernel.

import type { Page } from "@playwright/test";
import { basename, dirname } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { type Faults, type Lie, type Liar, lyingWorker } from "../../harness/lying-worker.ts";
import { RawWorker } from "../../harness/raw-worker.ts";
import type { Site } from "../../harness/server.ts";
import { randomModel } from "../../helpers/random-model.ts";
import type { Prompt, Request } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false, freshProfile: true });

const prompt: Prompt = { type: "ids", ids: Array.from({ length: 60 }, (_, at) => (at * 37) % 8192) };
const write: Request = { type: "generate", model: "text", prompt, maxTokens: 12 };

/** Every shape of a kernel for WebGPU, or one of them. */
const all = (kernel: string, lie: Lie, right?: number): Liar => ({
  kernel: `^${kernel}( |$)`,
  lie,
  ...(right === undefined ? {} : { right }),
});
const shape = (kernel: string, consts: string, lie: Lie): Liar => ({ kernel: `^${kernel} .*${consts}`, lie });

interface Row {
  what: string;
  faults: Faults;
  /** What runs then, and what the reason says. */
  backend: "webgpu" | "webgl2" | "cpu";
  reason: RegExp;
}

const SAMPLE: Row[] = [
  {
    what: "norms on WebGPU, attention on WebGL2",
    faults: { webgpu: [all("norm_rows", "lane")], webgl2: [{ kernel: "POSITIONS", lie: "off" }] },
    backend: "cpu",
    reason: /^WebGPU failed its self-check on .*norm_rows.* WebGL2 failed its self-check on .*attend/,
  },
  {
    what: "PowerVR",
    faults: { vendor: "img-tec" },
    backend: "webgl2",
    reason: /^WebGPU is known to compute wrongly on this GPU \(img-tec made-up\)\. a made-up GPU passed/,
  },
];

const KERNELS = ["embed_rows", "norm_rows", "matmul", "matvec", "matvec_few", "rope_store"];
const LIES: Lie[] = ["off", "lane", "nan", "nothing"];
const TABLE: Row[] = [
  {
    what: "one shape of the products for many tokens",
    faults: { webgpu: [shape("matmul", "COLS=4u UNITS=1u", "nan")] },
    backend: "webgpu",
    reason: /with another kernel where linear for many tokens is off/,
  },
  ...KERNELS.flatMap((kernel) =>
    LIES.map((lie) => ({ what: `${kernel}, ${lie}`, faults: { webgpu: [all(kernel, lie)] } })),
  ).map((row) => ({ ...row, backend: "webgl2" as const, reason: /^WebGPU failed its self-check/ })),
  ...LIES.map((lie) => ({
    what: `attention in tiles, ${lie}`,
    faults: { webgpu: [{ kernel: "^attend_tiles", lie }] },
    backend: "webgpu" as const,
    reason: /with another kernel where attend for/,
  })),
  ...LIES.map((lie) => ({
    what: `products for one token whose rows threads share, ${lie}`,
    faults: { webgpu: [shape("matvec", "ONE_LANE=false", lie)] },
    backend: "webgpu" as const,
    reason: /with another kernel where linear for/,
  })),
  {
    what: "products that are right in the first run only",
    faults: { webgpu: [all("matvec", "off", 4)] },
    backend: "webgl2",
    reason: /^WebGPU failed its self-check/,
  },
];

async function opened(page: Page, site: Site) {
  const file = randomModel("small");
  site.mount("/random/", dirname(file));
  const worker = await RawWorker.open(page, site, 300_000);
  const load = (backend: "auto" | "cpu"): Request => ({
    type: "load",
    name: "text",
    source: { type: "packaged", url: site.url(`/random/${basename(file)}`) },
    backend,
    contextTokens: 256,
  });
  await worker.get("loaded", load("cpu"));
  const { ids } = await worker.get("text", write);
  const begin = async (faults: Faults) => {
    await worker.restart(lyingWorker(site, faults));
    await worker.get("ok", { type: "ping" });
    const start = performance.now();
    const { backend } = (await worker.get("loaded", load("auto"))).model;
    return { backend, seconds: (performance.now() - start) / 1000 };
  };
  return { worker, begin, want: ids };
}

for (const row of process.env.PITH_FULL ? [...SAMPLE, ...TABLE] : SAMPLE) {
  test(
    `a GPU that computes wrongly: ${row.what}`,
    { tag: row.faults.vendor ? [] : "@long" },
    async ({ page, site, errors }) => {
      test.setTimeout(900_000);
      errors.expect(/./);
      const { worker, begin, want } = await opened(page, site);
      const { backend, seconds } = await begin(row.faults);
      console.log(`${row.what}: ${backend.kind} after ${seconds.toFixed(1)} s. ${backend.reason}`);
      expect(backend.kind).toBe(row.backend);
      expect(backend.reason).toMatch(row.reason);
      expect((await worker.get("text", write)).ids).toEqual(want);

      // It is kept: the next start does not ask.
      const again = await begin(row.faults);
      expect(again.backend.kind).toBe(row.backend);
      if (!row.faults.vendor) expect(again.backend.reason).toMatch(/at an earlier start/);
      expect((await worker.get("text", write)).ids).toEqual(want);
      expect(await worker.deaths()).toEqual([]);
    },
  );
}
