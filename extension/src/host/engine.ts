import { type BackendChoice, Pith, type Progress } from "@pith/web";

/** The name by which the summarizer knows its model. */
const MODEL = "embedding";
const MODEL_FILE = "models/minilm-q8_0.gguf";

interface Loaded {
  backend: BackendChoice;
  /** Settles when the model is resident. */
  ready: Promise<void>;
  watchers: Set<(progress: Progress) => void>;
  settled: boolean;
}

/** The one worker with its one model: opened when first needed, opened again after it died. */
export class Engine {
  #pith: Promise<Pith> | null = null;
  #loaded: Loaded | null = null;

  /** The worker, whether or not the model is loaded; a new one where the last one has died. */
  async pith(): Promise<Pith> {
    const last = this.#pith;
    const open = await last?.catch(() => null);
    if (open?.alive) return open;
    // Whoever else found it dead may have been faster.
    if (this.#pith === last) {
      this.#loaded = null;
      this.#pith = Pith.open();
    }
    return this.#pith ?? this.pith();
  }

  /** Ends the worker. The next request opens another. */
  close(): void {
    this.#pith?.then(
      (pith) => pith.close(),
      () => {},
    );
    this.#pith = this.#loaded = null;
  }

  /** True when a request with this choice need not wait for the model. */
  isReady(backend: BackendChoice): boolean {
    return this.#loaded?.backend === backend && this.#loaded.settled;
  }

  /** Makes the model resident on the chosen backend. Several callers wait for the same load; none of them ends it for the others. */
  async load(backend: BackendChoice, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<void> {
    await this.pith();
    if (this.#loaded?.backend !== backend) this.#loaded = this.#start(backend);
    const { ready, watchers } = this.#loaded;
    watchers.add(onProgress);
    try {
      await Promise.race([ready, rejectOn(signal)]);
    } finally {
      watchers.delete(onProgress);
    }
  }

  /** Vectors of texts, of unit length. The encoder is loaded with this choice where none is there. */
  async embed(texts: string[], backend?: BackendChoice): Promise<Float32Array[]> {
    const choice = this.#loaded?.backend ?? backend;
    if (choice) await this.load(choice, new AbortController().signal, () => {});
    return (await this.pith()).embed(MODEL, texts);
  }

  #start(backend: BackendChoice): Loaded {
    const watchers: Loaded["watchers"] = new Set();
    const loaded: Loaded = { backend, watchers, settled: false, ready: Promise.resolve() };
    loaded.ready = this.pith()
      .then((pith) =>
        pith.load(
          MODEL,
          { packaged: chrome.runtime.getURL(MODEL_FILE) },
          { backend, onProgress: (progress) => watchers.forEach((watch) => watch(progress)) },
        ),
      )
      .then(() => {
        loaded.settled = true;
      })
      .catch((error: unknown) => {
        if (this.#loaded === loaded) this.#loaded = null;
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
