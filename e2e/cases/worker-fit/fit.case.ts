// Whether a model fits is known from its header, and is true.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestInfo } from "@playwright/test";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import type { RawWorker } from "../../harness/raw-worker.ts";
import { bytesOf, configure, download, empty, MIB, openStore, storedModels } from "../../helpers/downloads.ts";
import { residentUse, total_bytes } from "../../helpers/memory.ts";
import { type CacheType, ERRORS, type Fit, type MemoryUse, type ModelSource } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

type Backend = "cpu" | "webgpu" | "webgl2";

const readModel = (name: string) => readFileSync(join(referenceDir(), `models/${name}.Q8_0.gguf`));

/** Twelve architectures, among them recurrent ones, one with experts, and windows of attention; and two larger models. */
const SHAPES = [
  "llama32",
  "qwen2",
  "qwen3",
  "gemma2",
  "gemma3",
  "phi3",
  "starcoder2",
  "gptneox",
  "qwen3moe",
  "granitehybrid",
  "lfm2",
  "qwen35",
].map((name) => [name, () => readModel(name)] as const);
/** One of three shapes, but with the long suites. */
const isFull = Boolean(process.env.PITH_FULL);
const RANDOM = (["modest", "medium"] as const).map((size) => [`random-${size}`, () => bytesOf(size)] as const);

const AMPLE_BYTES = 1 << 30;
/** What is fetched of a file to read its header, which is much shorter. */
const HEADER_BYTES_MAX = MIB;

/** Asked for; all that the smallest have. */
const contextTokens = 256;

/** How far a prediction may be from what is resident afterwards. */
const ERROR_MAX = 0.03;

class Asker {
  constructor(
    readonly worker: RawWorker,
    readonly source: ModelSource,
    readonly backend: Backend,
  ) {}

  async fit(memoryBytes: number): Promise<Fit> {
    await configure(this.worker, { memoryBytes });
    return (await this.worker.get("fit", { type: "fit", source: this.source, backend: this.backend, contextTokens }))
      .fit;
  }

  load(wish: { contextTokens: number; cacheType: CacheType } = { contextTokens, cacheType: "f32" }, force = false) {
    const { contextTokens, cacheType } = wish;
    const { source, backend } = this;
    return this.worker.ask({ type: "load", name: "a", source, backend, contextTokens, cacheType, force });
  }

  unload() {
    return this.worker.get("ok", { type: "unload", name: "a" });
  }
}

test("from its header on the cpu: it fits, it fits with less, it is too large", async ({
  page,
  site,
  faulty,
}, info) => {
  const worker = await openStore(page, site, "auto");
  for (const [name, read] of [...SHAPES.filter((_, at) => isFull || at % 3 === 0), ...RANDOM]) {
    await test.step(name, async () => {
      const file = faulty.serve(`/${name}.gguf`, read());
      const asker = new Asker(worker, download(file).source, "cpu");
      const ample = await asker.fit(AMPLE_BYTES);
      expect(ample).toMatchObject({ verdict: "fits", suggestion: null, contextTokens, cacheType: "f32" });
      expect(ample).toMatchObject({ fileBytes: file.bytes.length, budgetBytes: AMPLE_BYTES, backend: { kind: "cpu" } });
      const need_bytes = total_bytes(ample.need);

      const small = await asker.fit(Math.floor(ample.need.weightsBytes / 2));
      expect(small).toMatchObject({ verdict: "tooLarge", suggestion: null, need: ample.need });
      const refused = await asker.load();
      expect(refused.error, refused.error?.detail).toMatchObject({ code: "too_large", ...ERRORS.too_large });

      const tight = await asker.fit(need_bytes - 1);
      expect(tight).toMatchObject({ verdict: "fitsSmaller", need: ample.need, budgetBytes: need_bytes - 1 });
      const suggestion = tight.suggestion!;
      expect(total_bytes(suggestion.need)).toBeLessThan(need_bytes);
      expect((await asker.load()).error?.code).toBe("too_large");
      expect((await storedModels(worker)).filter(({ whole, bytes }) => whole && bytes > MIB)).toEqual([]);
      if (file.bytes.length > 2 * MIB) expect(file.sent_bytes, "headers").toBeLessThanOrEqual(6 * HEADER_BYTES_MAX);

      const smaller = await asker.load(suggestion);
      expect(smaller.error, smaller.error?.detail).toBeUndefined();
      await fillSlices(worker);
      await expectPredicted(worker, suggestion.need, info, `${name}, as suggested`);
      await asker.unload();
      await configure(worker, { memoryBytes: AMPLE_BYTES });
      expect((await asker.load()).error).toBeUndefined();
      await fillSlices(worker);
      await expectPredicted(worker, ample.need, info, `${name}, as asked`);
      await asker.unload();
      // Insisting is possible.
      await configure(worker, { memoryBytes: need_bytes - 1 });
      expect((await asker.load(undefined, true)).error).toBeUndefined();
      await asker.unload();
      await empty(worker);
    });
  }
});

for (const [backend, names] of [
  ["webgpu", ["llama32", "granitehybrid"]],
  ["webgl2", ["llama32", "granitehybrid", "qwen3moe", "gemma3"]],
] as const) {
  test(
    `on ${backend} what is predicted is resident`,
    { tag: backend === "webgpu" ? "@long" : [] },
    async ({ page, site, faulty }, info) => {
      const worker = await openStore(page, site, "auto");
      for (const name of names) {
        const file = faulty.serve(`/${name}.gguf`, readModel(name));
        const asker = new Asker(worker, download(file).source, backend);
        const { verdict, need } = await asker.fit(AMPLE_BYTES);
        expect(verdict, name).toBe("fits");
        expect((await asker.load()).error, name).toBeUndefined();
        await expectPredicted(worker, need, info, name);
        await asker.unload();
        await empty(worker);
      }
    },
  );
}

/** The CPU takes memory for activations when it needs it for the first time: for long prompts the most. */
async function fillSlices(worker: RawWorker): Promise<void> {
  const ids = Array.from({ length: contextTokens }, (_, at) => (at * 7) % 500);
  await worker.get("logits", { type: "evaluate", model: "a", ids, first: 0 });
}

/** Goes on where it is not so: one is seldom alone. */
async function expectPredicted(worker: RawWorker, need: MemoryUse, info: TestInfo, what: string): Promise<void> {
  const resident = await residentUse(worker);
  const [predicted, actual] = [total_bytes(need), total_bytes(resident)];
  const figures = `${what}: predicted ${JSON.stringify(need)}, resident ${JSON.stringify(resident)}`;
  info.annotations.push({ type: what, description: `predicted ${predicted}, resident ${actual}` });
  expect.soft(Math.abs(predicted / actual - 1), figures).toBeLessThan(ERROR_MAX);
}
