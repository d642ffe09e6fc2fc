import type { Pith } from "../client.js";
import { input, knownModels } from "../models.js";
import type { LoadOptions } from "../options.js";
import type { ModelInfo } from "../protocol.gen.js";
import { noModel } from "./errors.js";
import type { Model } from "./types.js";

/** Finds models by name, and loads known ones when they are first used. */
export class Models {
  readonly #pith: Pith;
  readonly #options: LoadOptions;
  readonly #loading = new Map<string, Promise<ModelInfo>>();

  constructor(pith: Pith, options: LoadOptions) {
    this.#pith = pith;
    this.#options = options;
  }

  /** The loaded model. A known model is loaded under its id; several requests wait for one load. */
  async ready(name: string, signal?: AbortSignal): Promise<ModelInfo> {
    const { models } = await this.#pith.status();
    const found = models.find((model) => model.name === name);
    if (found) return found;
    const known = knownModels.find(({ id }) => id === name);
    if (!known) throw noModel(name);
    let loading = this.#loading.get(name);
    if (!loading) {
      loading = this.#pith.load(name, input(known), this.#options).finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    if (!signal) return loading;
    return Promise.race([
      loading,
      new Promise<never>((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
    ]);
  }

  /** Loaded models. */
  async list(): Promise<{ object: "list"; data: Model[] } & AsyncIterable<Model>> {
    const { models } = await this.#pith.status();
    const data = models.map(({ name }) => toModel(name));
    return {
      object: "list",
      data,
      async *[Symbol.asyncIterator]() {
        yield* data;
      },
    };
  }

  /** A loaded model. */
  async retrieve(name: string): Promise<Model> {
    const { models } = await this.#pith.status();
    if (!models.some((model) => model.name === name)) throw noModel(name);
    return toModel(name);
  }
}

const toModel = (id: string): Model => ({ id, object: "model", created: 0, owned_by: "local" });
