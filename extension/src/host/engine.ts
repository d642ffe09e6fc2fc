import { type BackendChoice, type ModelInfo, type ModelInput, Pith, type Progress, type WriterTier } from "@pith/web";
import { builtInReads } from "../language-tag.js";
import type { LocalEncoder } from "../roles.js";
import type { EncoderUsed, Reading } from "../encoder-wire.js";
import { afterFailure, BUILT_IN, builtInFor, expectEncoder, whyNot } from "./encoder.js";
import { EMBEDDING, LANGUAGE, MODEL_FILE } from "./model-names.js";
import { rejectOn } from "./reject-on.js";
import { knownTier, Verdicts } from "./verdicts.js";
import { gone, incomplete } from "./writers/missing.js";

interface Loaded {
  /** Which model of the store; empty for the one in the package. */
  file: string;
  backend: BackendChoice;
  /** Settles when the model is resident. */
  ready: Promise<ModelInfo>;
  watchers: Set<(progress: Progress) => void>;
}

/** A worker with its models: opened when first needed, opened again after it died. */
export class Engine {
  #pith: Promise<Pith> | null = null;
  #writing: Engine | null = null;
  /** By the names under which they are loaded. */
  readonly #loaded = new Map<string, Loaded>();
  /** What its language models may write. */
  readonly verdicts = new Verdicts(this);

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

  /**
   * Makes the encoder resident that is to read a page in this language: the chosen one, or the built-in one where that
   * cannot. Tells which.
   */
  async load(
    { backend, encoder }: Reading,
    language: string | null,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<EncoderUsed> {
    const used = encoder ? await this.#loadChosen(encoder, backend, language, signal, onProgress) : BUILT_IN;
    if (used.title !== null) return used;
    await this.pith();
    const input = { packaged: chrome.runtime.getURL(MODEL_FILE) };
    await this.#wait(EMBEDDING, "", input, backend, signal, onProgress);
    return used;
  }

  async #loadChosen(
    encoder: LocalEncoder,
    backend: BackendChoice,
    language: string | null,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<EncoderUsed> {
    const { name, title } = encoder;
    const { stored } = await (await this.pith()).status();
    signal.throwIfAborted();
    const why = whyNot(encoder, language, stored);
    if (why) return builtInFor(encoder, why);
    try {
      await this.#wait(EMBEDDING, name, { stored: name }, backend, signal, onProgress);
      return { title, instead: null };
    } catch (error) {
      return afterFailure(encoder, error, signal);
    }
  }

  /**
   * Makes a language model of the store resident, in place of another one. A file that is known is not tested. Throws `writer_gone`
   * where it was deleted, also where the memory still has it, and `writer_incomplete` where its download has not ended.
   */
  async loadWriter(
    name: string,
    backend: BackendChoice,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<ModelInfo> {
    const pith = await this.pith();
    const { stored } = await pith.status();
    signal.throwIfAborted();
    const found = stored.find((one) => one.name === name);
    if (found?.whole) {
      const input = { stored: name };
      return this.#wait(LANGUAGE, name, input, backend, signal, onProgress, knownTier(found));
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
    tier: WriterTier | null = null,
  ): Promise<ModelInfo> {
    let loaded = this.#loaded.get(name);
    if (loaded?.backend !== backend || loaded.file !== file) loaded = this.#start(name, file, input, backend, tier);
    loaded.watchers.add(onProgress);
    try {
      return await Promise.race([loaded.ready, rejectOn(signal)]);
    } finally {
      loaded.watchers.delete(onProgress);
    }
  }

  /**
   * Vectors of texts in a language, of unit length, and the name of the encoder that made them, which is empty for the built-in
   * one. One that is loaded stays where it runs.
   */
  async embed(
    texts: string[],
    { encoder, ...chosen }: Reading,
    language: string | null = null,
  ): Promise<{ vectors: Float32Array[]; encoder: string }> {
    const backend = this.#loaded.get(EMBEDDING)?.backend ?? chosen.backend;
    const used = await this.load({ encoder, backend }, language, new AbortController().signal, () => {});
    if (used.title === null && !builtInReads(language)) throw new Error(`no encoder was made for ${language}`);
    const loaded = this.#loaded.get(EMBEDDING);
    await loaded?.ready;
    const vectors = await (await this.pith()).embed(EMBEDDING, texts);
    // A page in another language may have replaced it meanwhile.
    if (!loaded || this.#loaded.get(EMBEDDING) !== loaded) throw new Error("the encoder was replaced");
    return { vectors, encoder: loaded.file };
  }

  #start(name: string, file: string, input: ModelInput, backend: BackendChoice, tier: WriterTier | null): Loaded {
    const watchers: Loaded["watchers"] = new Set();
    const onProgress = (progress: Progress): void => watchers.forEach((watch) => watch(progress));
    const loading = this.pith().then((pith) => pith.load(name, input, { backend, onProgress, ...(tier && { tier }) }));
    const loaded: Loaded = { file, backend, watchers, ready: loading };
    this.#loaded.set(name, loaded);
    loaded.ready = loading
      .then((info) => {
        if (name === EMBEDDING) expectEncoder(info);
        return info;
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
