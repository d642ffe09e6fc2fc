import type { Pith } from "../client.js";
import { type Availability, availability, ready } from "./engine.js";
import { toDomException } from "./errors.js";
import { type CreateOptions, monitorOf, Session } from "./session.js";

const TASKS = ["semantic-similarity", "clustering", "classification", "retrieval-query", "retrieval-document"] as const;

export interface EmbedOptions {
  /** Accepted and without effect: the models known here embed every text alike. */
  taskType?: (typeof TASKS)[number];
  signal?: AbortSignal;
}

/** `SemanticEmbedder`: unit-length vectors. */
export class SemanticEmbedder extends Session {
  readonly #pith: Pith;
  readonly #name: string;

  private constructor(pith: Pith, name: string, signal: AbortSignal | undefined) {
    super(signal);
    this.#pith = pith;
    this.#name = name;
  }

  static availability(): Promise<Availability> {
    return availability("embedder");
  }

  static async create(options: CreateOptions = {}): Promise<SemanticEmbedder> {
    options.signal?.throwIfAborted();
    const { pith, name } = await ready("embedder", monitorOf(options), options.signal);
    return new SemanticEmbedder(pith, name, options.signal);
  }

  async embed(
    input: string | readonly string[],
    { taskType, signal }: EmbedOptions = {},
  ): Promise<{ embeddings: { values: Float32Array }[] }> {
    const both = this.begin(signal);
    if (taskType !== undefined && !TASKS.includes(taskType))
      throw new TypeError(`"${String(taskType).slice(0, 40)}" is no value of taskType.`);
    const texts = Array.isArray(input) ? input.map(String) : [String(input)];
    try {
      const vectors = await this.#pith.embed(this.#name, texts, { signal: both });
      return { embeddings: vectors.map((values) => ({ values })) };
    } catch (error) {
      throw toDomException(error);
    }
  }
}
