// What language models may write about pages: by data where their file is known, else by their test, once, whoever asks for it.
import type { BackendChoice, ModelInfo, Progress, StoredModel, WriterTier } from "@pith/web";
import { findFile } from "@pith/web/models";
import type { Engine } from "./engine.js";
import { LANGUAGE } from "./model-names.js";
import { rejectOn } from "./reject-on.js";

interface Test {
  tier: Promise<WriterTier>;
  stop: AbortController;
  watchers: Set<(progress: Progress) => void>;
}

/** What is known of a stored file without a test. A model in several files is not known. */
export function knownTier({ sha256 }: Pick<StoredModel, "sha256">): WriterTier | null {
  const [hash] = sha256;
  return sha256.length === 1 && hash ? (findFile(hash)?.verdict?.tier ?? null) : null;
}

export class Verdicts {
  readonly #engine: Engine;
  /** Is called when nobody asks any more. */
  onIdle = (): void => {};
  /** Those that are running, by the loaded model. */
  readonly #tests = new Map<ModelInfo, Test>();
  #asked = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** A model is being loaded or tested. */
  get isBusy(): boolean {
    return this.#asked > 0;
  }

  /**
   * Loads the stored model `name`, and tells what it may write about pages. It is tested unless that is known. A test goes on while
   * somebody waits for it.
   */
  async tierOf(
    name: string,
    backend: BackendChoice,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<WriterTier> {
    this.#asked += 1;
    try {
      const info = await this.#engine.loadWriter(name, backend, signal, onProgress);
      return info.tier ?? (await this.#tested(info, signal, onProgress));
    } finally {
      this.#asked -= 1;
      if (!this.isBusy) this.onIdle();
    }
  }

  async #tested(info: ModelInfo, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<WriterTier> {
    const test = this.#tests.get(info) ?? this.#begin(info);
    test.watchers.add(onProgress);
    try {
      return await Promise.race([test.tier, rejectOn(signal)]);
    } finally {
      test.watchers.delete(onProgress);
      if (test.watchers.size === 0) this.#end(info, test);
    }
  }

  #begin(info: ModelInfo): Test {
    const stop = new AbortController();
    const watchers: Test["watchers"] = new Set();
    const onProgress = (progress: Progress): void => watchers.forEach((watch) => watch(progress));
    const tier = this.#engine
      .pith()
      .then((pith) => pith.testWriter(LANGUAGE, { signal: stop.signal, onProgress }))
      .then((found) => (info.tier = found.tier));
    const test = { tier, stop, watchers };
    this.#tests.set(info, test);
    // Whoever waited may have left by the time it fails.
    tier.catch(() => {}).finally(() => this.#end(info, test));
    return test;
  }

  #end(info: ModelInfo, test: Test): void {
    test.stop.abort();
    if (this.#tests.get(info) === test) this.#tests.delete(info);
  }
}
