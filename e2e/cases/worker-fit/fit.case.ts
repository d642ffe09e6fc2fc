// Whether a model fits is known from its header, and is true.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../../fixtures.ts";
import { referenceDir } from "../../harness/paths.ts";
import type { RawWorker } from "../../harness/raw-worker.ts";
import { bytesOf, configure, download, MIB, openStore, storedModels } from "../../helpers/downloads.ts";
import { residentUse, total_bytes } from "../../helpers/memory.ts";
import { type CacheType, ERRORS, type Fit, type ModelSource } from "../../../web/src/protocol.gen.ts";

test.use({ withExtension: false });

type Backend = "cpu" | "webgpu" | "webgl2";

/** Ten architectures, among them recurrent ones, one with experts, and windows of attention; and two larger models. */
const SHAPES = [
  ...["llama32", "qwen2", "qwen3", "gemma2", "gemma3", "phi3", "starcoder2", "gptneox"],
  ...["qwen3moe", "granitehybrid", "lfm2", "qwen35"],
].map((name) => [name, () => readFileSync(join(referenceDir(), `models/${name}.F16.gguf`))] as const);
const RANDOM = (["modest", "medium"] as const).map((size) => [`random-${size}`, () => bytesOf(size)] as const);

/** Asked for; the random models have more. */
const contextTokens = 512;

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

for (const [name, read] of [...SHAPES, ...RANDOM]) {
  test(`${name} on the cpu: it fits, it fits with less, it is too large`, async ({ page, site, faulty }, info) => {
    const file = faulty.serve(`/${name}.gguf`, read());
    const worker = await openStore(page, site, "auto");
    const asker = new Asker(worker, download(file).source, "cpu");
    const ample = await asker.fit(1 << 30);
    expect(ample).toMatchObject({ verdict: "fits", suggestion: null, contextTokens, cacheType: "f32" });
    expect(ample).toMatchObject({ fileBytes: file.bytes.length, budgetBytes: 1 << 30, backend: { kind: "cpu" } });
    const need_bytes = total_bytes(ample.need);

    const small = await asker.fit(Math.floor(ample.need.weightsBytes / 2));
    expect(small).toMatchObject({ verdict: "tooLarge", suggestion: null, need: ample.need });
    const refused = await asker.load();
    expect(refused.error, refused.error?.detail).toMatchObject({ code: "too_large", ...ERRORS.too_large });

    const tight = await asker.fit(need_bytes - 1);
    expect(tight, tight.reason).toMatchObject({
      verdict: "fitsSmaller",
      need: ample.need,
      budgetBytes: need_bytes - 1,
    });
    const suggestion = tight.suggestion!;
    expect(total_bytes(suggestion.need)).toBeLessThan(need_bytes);
    expect((await asker.load()).error?.code).toBe("too_large");
    expect(await storedModels(worker), "nothing but headers was fetched").toEqual([]);
    if (file.bytes.length > 2 * MIB) expect(file.sent_bytes).toBeLessThanOrEqual(MIB);

    const smaller = await asker.load(suggestion);
    expect(smaller.error, smaller.error?.detail).toBeUndefined();
    await expectPredicted(worker, suggestion.need, info, "with the suggestion");
    await asker.unload();
    await configure(worker, { memoryBytes: 1 << 30 });
    expect((await asker.load()).error).toBeUndefined();
    await expectPredicted(worker, ample.need, info, "as asked");
    await asker.unload();
    // Insisting is possible.
    await configure(worker, { memoryBytes: need_bytes - 1 });
    expect((await asker.load(undefined, true)).error).toBeUndefined();
  });
}

for (const backend of ["webgpu", "webgl2"] as const) {
  for (const [name, read] of SHAPES.filter(([name]) => ["llama32", "qwen3moe", "granitehybrid"].includes(name))) {
    test(`${name} on ${backend}: what is predicted is resident`, async ({ page, site, faulty }, info) => {
      const file = faulty.serve(`/${name}.gguf`, read());
      const worker = await openStore(page, site, "auto");
      const asker = new Asker(worker, download(file).source, backend);
      const { verdict, need } = await asker.fit(1 << 30);
      expect(verdict).toBe("fits");
      expect((await asker.load()).error).toBeUndefined();
      await expectPredicted(worker, need, info, "as asked");
    });
  }
}

async function expectPredicted(
  worker: RawWorker,
  need: Fit["need"],
  info: { annotations: { type: string; description?: string }[] },
  what: string,
): Promise<void> {
  const resident = await residentUse(worker);
  const [predicted, actual] = [total_bytes(need), total_bytes(resident)];
  info.annotations.push({ type: what, description: `predicted ${predicted}, resident ${actual}` });
  expect(Math.abs(predicted / actual - 1), `${JSON.stringify(need)} and ${JSON.stringify(resident)}`).toBeLessThan(
    ERROR_MAX,
  );
}
