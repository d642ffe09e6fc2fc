import type {
  EmbeddingModelV4,
  EmbeddingModelV4CallOptions,
  EmbeddingModelV4Result,
  SharedV4Warning,
} from "@ai-sdk/provider";
import type { Pith } from "@pith/web";

/** An embedding model that is loaded in a client. */
export class PithEmbeddingModel implements EmbeddingModelV4 {
  readonly specificationVersion = "v4";
  readonly provider = "pith";
  readonly modelId: string;
  readonly maxEmbeddingsPerCall = 2048;
  /** One worker does one thing after the other. */
  readonly supportsParallelCalls = false;
  readonly #pith: Pith;

  constructor(pith: Pith, modelId: string) {
    this.#pith = pith;
    this.modelId = modelId;
  }

  async doEmbed({ values, dimensions, abortSignal }: EmbeddingModelV4CallOptions): Promise<EmbeddingModelV4Result> {
    const warnings: SharedV4Warning[] =
      dimensions === undefined ? [] : [{ type: "unsupported", feature: "dimensions" }];
    const options = abortSignal ? { signal: abortSignal } : {};
    const vectors = await this.#pith.embed(this.modelId, values, options);
    let tokens = 0;
    for (const value of values)
      tokens += (await this.#pith.tokenize(this.modelId, value, { addSpecial: true, ...options })).length;
    return { embeddings: vectors.map((vector) => [...vector]), usage: { tokens }, warnings };
  }
}
