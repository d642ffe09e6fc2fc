import { type BackendChoice, type ModelInput, Pith, type Progress } from "@pith/web";
import { gone, incomplete } from "./writers/missing.js";

/** The name by which the summarizer knows its embedding model. */
const EMBEDDING = "embedding";
/** The packaged model. */
export const MODEL_FILE = "models/minilm-q8_0.gguf";
/** The name under which the language model is loaded. */
export const LANGUAGE = "language";

interface Loaded {
  /** Which model of the store; empty for the one in the package. */
  file: string;
  backend: BackendChoice;
  /** Settles when the model is resident. */
  ready: Promise<void>;
  watchers: Set<(progress: Progress) => void>;
  settled: boolean;
}

/** A worker with its models: opened when first needed, opened again after it died. */
export class Engine {
  #pith: Promise<Pith> | null = null;
  #writing: Engine | null = null;
  /** By the names under which they are loaded. */
  readonly #loaded = new Map<string, Loaded>();

  /** The worker, whether or not a model is loaded; a new one where the last one has died. */
  async pith(): Promise<Pith> {
    const last = this.#pith;
    const open = await last?.catch(() => null);
    if (open?.alive) return open;
    // Whoever else found it dead may have been faster.
    if (this.#pith === last) {
      this.#loaded.clear();
      this.#pith = Pith.open();
    }
    return this.#pith ?? this.pith();
  }

  /**
   * The engine of language models. It has a worker of its own: a worker does one request after the other, and key sentences
   * and passages must not wait for a text that takes a minute.
   */
  forWriting(): Engine {
    return (this.#writing ??= new Engine());
  }

  /** Ends the workers. The next request opens another. */
  close(): void {
    this.#writing?.close();
    this.#pith?.then(
      (pith) => pith.close(),
      () => {},
    );
    this.#pith = null;
    this.#loaded.clear();
  }

  /** True when a request with this choice need not wait for the embedding model. */
  isReady(backend: BackendChoice): boolean {
    const loaded = this.#loaded.get(EMBEDDING);
    return loaded?.backend === backend && loaded.settled;
  }

  /** Makes the embedding model resident on the chosen backend. */
  async load(backend: BackendChoice, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<void> {
    await this.pith();
    const input = { packaged: chrome.runtime.getURL(MODEL_FILE) };
    await this.#wait(EMBEDDING, "", input, backend, signal, onProgress);
  }

  /**
   * Makes a language model of the store resident, in place of another one. Throws `writer_gone` where it was deleted, also
   * where the memory still has it, and `writer_incomplete` where its download has not ended.
   */
  async loadWriter(
    name: string,
    backend: BackendChoice,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<void> {
    const pith = await this.pith();
    const { stored } = await pith.status();
    signal.throwIfAborted();
    const found = stored.find((one) => one.name === name);
    if (found?.whole) {
      // Lines are compared with the page by their embeddings.
      await this.load(backend, signal, onProgress);
      return this.#wait(LANGUAGE, name, { stored: name }, backend, signal, onProgress);
    }
    if (this.#loaded.delete(LANGUAGE)) await pith.unload(LANGUAGE).catch(() => {});
    throw found ? incomplete(name) : gone(name);
  }

  /** Several callers wait for the same load; none of them ends it for the others. */
  async #wait(
    name: string,
    file: string,
    input: ModelInput,
    backend: BackendChoice,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<void> {
    let loaded = this.#loaded.get(name);
    if (loaded?.backend !== backend || loaded.file !== file) loaded = this.#start(name, file, input, backend);
    loaded.watchers.add(onProgress);
    try {
      await Promise.race([loaded.ready, rejectOn(signal)]);
    } finally {
      loaded.watchers.delete(onProgress);
    }
  }

  /** Vectors of texts, of unit length. The encoder is loaded with this choice where none is there. */
  async embed(texts: string[], backend?: BackendChoice): Promise<Float32Array[]> {
    const choice = this.#loaded.get(EMBEDDING)?.backend ?? backend;
    if (choice) await this.load(choice, new AbortController().signal, () => {});
    return (await this.pith()).embed(EMBEDDING, texts);
  }

  #start(name: string, file: string, input: ModelInput, backend: BackendChoice): Loaded {
    const watchers: Loaded["watchers"] = new Set();
    const loaded: Loaded = { file, backend, watchers, settled: false, ready: Promise.resolve() };
    this.#loaded.set(name, loaded);
    const onProgress = (progress: Progress): void => watchers.forEach((watch) => watch(progress));
    loaded.ready = this.pith()
      .then((pith) => pith.load(name, input, { backend, onProgress }))
      .then(() => {
        loaded.settled = true;
      })
      .catch((error: unknown) => {
        if (this.#loaded.get(name) === loaded) this.#loaded.delete(name);
        throw error;
      });
    // Callers may all have left by the time it fails.
    loaded.ready.catch(() => {});
    return loaded;
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
