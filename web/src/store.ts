import type { CallOptions, Channel, Interim } from "./channel.js";
import { clientErrors } from "./errors.js";
import { type ModelInput, toSource } from "./input.js";
import type { FetchOptions, FitOptions, RequestOptions } from "./options.js";
import type {
  BackendInfo,
  Damage,
  Fit,
  MemoryReport,
  ModelInfo,
  Outcome,
  Request,
  Settings,
  StoredModel,
  StoreInfo,
  UnknownFile,
} from "./protocol.gen.js";

type OutcomeOf<T extends Outcome["type"]> = Extract<Outcome, { type: T }>;

/** Options of `verify`. */
export interface VerifyOptions extends FetchOptions {
  /** Fetches again what is damaged, and only that. */
  repair?: boolean;
}

/** What `verify` found. */
export interface Verification {
  /** What is damaged, and not repaired. */
  damaged: Damage[];
  repairedBytes: number;
}

/** A stored model's files and what they are called. */
export interface ExportedModel {
  names: string[];
  files: Blob[];
}

/** What is loaded and stored. */
export interface Status {
  models: ModelInfo[];
  stored: StoredModel[];
  /** Stored files whose records cannot be read: keep them, or `delete` them by name. */
  unknown: UnknownFile[];
  store: StoreInfo;
  wasmHeapBytes: number;
  /** What `auto` chose; null until a model was loaded with it. */
  backend: BackendInfo | null;
}

/** The part of a client that keeps models: on disk, and what they take in memory. */
export class Store {
  protected readonly channel: Channel;
  #asked = false;

  protected constructor(channel: Channel) {
    this.channel = channel;
  }

  /** Whether a model fits, what it needs and what would. Of one that is not stored only the header is fetched. */
  async fit(input: ModelInput, options: FitOptions = {}): Promise<Fit> {
    const { backend = "auto", contextTokens = null, cacheType = "f32" } = options;
    const { source, files } = toSource(input);
    return (await this.call("fit", { type: "fit", source, backend, contextTokens, cacheType }, options, files)).fit;
  }

  /** Stores a model without loading it. Continues what was begun; what is cancelled stays for the next time. */
  async download(input: ModelInput, options: FetchOptions = {}): Promise<StoredModel> {
    const { source, files } = toSource(input);
    return (await this.call("stored", { type: "download", source }, options, files)).model;
  }

  /** Reads a stored model whole, compares it with its hashes, and tells (or with `repair` mends) what is damaged. */
  async verify(name: string, options: VerifyOptions = {}): Promise<Verification> {
    const { repair = false } = options;
    const { damaged, repairedBytes } = await this.call("verified", { type: "verify", name, repair }, options);
    return { damaged, repairedBytes };
  }

  /** Keeps a stored model from being proposed for deletion, or no longer. */
  async pin(name: string, pinned = true, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "pin", name, pinned }, options);
  }

  /** A stored model's files, in order. Nothing is copied: the browser reads them when they are used. */
  async export(name: string, options: RequestOptions = {}): Promise<ExportedModel> {
    const { names, files } = await this.call("files", { type: "export", name }, options);
    return { names, files };
  }

  /** Deletes a stored model or adapter, whole or not. One that is loaded stays usable. */
  async delete(name: string, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "delete", name }, options);
  }

  /** What is resident where, and what it takes. */
  async memory(options: RequestOptions = {}): Promise<MemoryReport> {
    return (await this.call("memory", { type: "memory" }, options)).report;
  }

  /** Changes how the worker behaves; what is absent stays as it is. */
  async configure(settings: Settings, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "configure", settings }, options);
  }

  /** What is loaded, on which backend and why, and what is stored. */
  async status(): Promise<Status> {
    const { type, ...status } = await this.call("status", { type: "status" });
    return status;
  }

  /** False once the worker has died or was closed: then open another. */
  get alive(): boolean {
    return this.channel.ended === null;
  }

  /** Ends the worker. Everything open rejects with the code `closed`. */
  close(): void {
    this.channel.end(clientErrors.closed());
  }

  protected async call<T extends Outcome["type"]>(
    wanted: T,
    request: Request,
    { onProgress, signal, pauser }: FetchOptions = {},
    files?: File[],
    watch?: (event: Interim) => void,
  ): Promise<OutcomeOf<T>> {
    if (request.type === "download" || ("source" in request && request.type !== "fit" && request.source.type === "url"))
      this.#askToKeep();
    const onEvent = (event: Interim): void => {
      if (event.type !== "progress") return watch?.(event);
      const { type, ...progress } = event;
      onProgress?.(progress);
    };
    const options: CallOptions = { onEvent, ...(signal && { signal }), ...(pauser && { pauser }), ...(files && { files }) };
    const outcome = await this.channel.call(request, options);
    if (outcome.type !== wanted) throw clientErrors.unexpected(wanted, outcome.type);
    return outcome as OutcomeOf<T>;
  }

  /** Asks the browser, once, not to delete what is stored when space gets scarce. Only pages can; the answer changes nothing here. */
  #askToKeep(): void {
    const storage = globalThis.navigator?.storage;
    if (this.#asked || !storage?.persist) return;
    this.#asked = true;
    storage
      .persisted()
      .then((kept) => kept || storage.persist())
      .catch(() => {});
  }
}
