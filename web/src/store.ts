import type { CallOptions, Channel, Interim } from "./channel.js";
import { clientErrors } from "./errors.js";
import { type ModelInput, toSource } from "./input.js";
import { type FetchOptions, type FitOptions, given, refuseUnknown, type RequestOptions } from "./options.js";
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

/** Options that no request sends. */
const EVERYWHERE = { signal: 0, onProgress: 0, pauser: 0, onDraft: 0 };

type OutcomeOf<T extends Outcome["type"]> = Extract<Outcome, { type: T }>;

/** Options of `verify`. */
export interface VerifyOptions extends FetchOptions {
  /** Downloads the damaged parts again. */
  repair?: boolean | undefined;
}

/** Result of `verify`. */
export interface Verification {
  /** Damaged parts that were not repaired. */
  damaged: Damage[];
  repairedBytes: number;
}

/** A stored model's files and their names. */
export interface ExportedModel {
  names: string[];
  files: Blob[];
}

/** Loaded and stored models. */
export interface Status {
  models: ModelInfo[];
  stored: StoredModel[];
  /** Stored files whose records cannot be read. They stay until `delete` is called with their name. */
  unknown: UnknownFile[];
  store: StoreInfo;
  wasmHeapBytes: number;
  /** The backend that `auto` chose; null before the first load with `auto`. */
  backend: BackendInfo | null;
}

/** The part of a client that manages stored models and memory. */
export class Store {
  /** For this package's own modules. */
  readonly channel: Channel;
  #asked = false;

  protected constructor(channel: Channel) {
    this.channel = channel;
  }

  /** Whether a model fits, what it needs, and what would fit. Downloads only the header of a model that is not stored. */
  async fit(input: ModelInput, options: FitOptions = {}): Promise<Fit> {
    const { backend = "auto", contextTokens = null, cacheType = "f32" } = given(options);
    const { source, files } = toSource(input);
    return (await this.call("fit", { type: "fit", source, backend, contextTokens, cacheType }, options, files)).fit;
  }

  /** Stores a model without loading it. Resumes an interrupted download; an aborted one can be resumed later. */
  async download(input: ModelInput, options: FetchOptions = {}): Promise<StoredModel> {
    const { source, files } = toSource(input);
    return (await this.call("stored", { type: "download", source }, options, files)).model;
  }

  /** Compares every byte of a stored model with its hashes; reports damaged parts, and with `repair` downloads them again. */
  async verify(name: string, options: VerifyOptions = {}): Promise<Verification> {
    const { repair = false } = given(options);
    const { damaged, repairedBytes } = await this.call("verified", { type: "verify", name, repair }, options);
    return { damaged, repairedBytes };
  }

  /** Excludes a stored model from suggestions to delete, or with `false` includes it again. */
  async pin(name: string, pinned = true, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "pin", name, pinned }, options);
  }

  /** A stored model's files, in order. Nothing is copied: the browser reads a blob when it is used. */
  async export(name: string, options: RequestOptions = {}): Promise<ExportedModel> {
    const { names, files } = await this.call("files", { type: "export", name }, options);
    return { names, files };
  }

  /** Deletes a stored model or LoRA adapter, complete or not. A loaded model stays usable. */
  async delete(name: string, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "delete", name }, options);
  }

  /** Memory of each loaded model, by place. */
  async memory(options: RequestOptions = {}): Promise<MemoryReport> {
    return (await this.call("memory", { type: "memory" }, options)).report;
  }

  /** Changes settings of the worker; absent settings keep their values. */
  async configure(settings: Settings, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "configure", settings }, options);
  }

  /** Loaded models with their backends, and stored models. */
  async status(): Promise<Status> {
    const { type, ...status } = await this.call("status", { type: "status" });
    return status;
  }

  /** False once the worker has died or was closed; open a new client then. */
  get alive(): boolean {
    return this.channel.ended === null;
  }

  /** Terminates the worker. Open requests reject with the code `closed`. */
  close(): void {
    this.channel.end(clientErrors.closed());
  }

  protected async call<T extends Outcome["type"]>(
    wanted: T,
    request: Request,
    options: FetchOptions = {},
    files?: File[],
    watch?: (event: Interim) => void,
  ): Promise<OutcomeOf<T>> {
    const present = given(options);
    const { onProgress, signal, pauser } = present;
    refuseUnknown(present, { ...request, ...("options" in request && request.options), ...EVERYWHERE });
    if (request.type === "download" || ("source" in request && request.type !== "fit" && request.source.type === "url"))
      this.#askToKeep();
    const onEvent = (event: Interim): void => {
      if (event.type !== "progress") return watch?.(event);
      const { type, ...progress } = event;
      onProgress?.(progress);
    };
    const how: CallOptions = {
      onEvent,
      ...(signal && { signal }),
      ...(pauser && { pauser }),
      ...(files && { files }),
    };
    const outcome = await this.channel.call(request, how);
    if (outcome.type !== wanted) throw clientErrors.unexpected(wanted, outcome.type);
    return outcome as OutcomeOf<T>;
  }

  /** Asks the browser once for persistent storage. Only pages can ask; the answer changes nothing here. */
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
