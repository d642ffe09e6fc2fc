import { type BackendChoice, type FetchOptions, Pauser, Pith } from "@pith/web";
import { toFailure } from "../failure.js";
import {
  type ModelsState,
  NO_MODELS,
  type RemoteModel,
  type ToModels,
  type Work,
  type WorkKind,
  type WorkResult,
} from "../models-wire.js";
import { measureSpeed } from "./measure-speed.js";
import { MODEL_FILE } from "./model-names.js";
import { testModel } from "./test-model.js";
import type { Verdicts } from "./verdicts.js";
import { type Run, watch, type WorkOptions } from "./work-run.js";

/**
 * Stored models and the work on them: downloads, checks, tests. It has a worker of its own, because the one that reads pages is
 * replaced whenever a page is forgotten. The worker is open while a page is connected or work is running.
 */
export class Models {
  state: ModelsState = NO_MODELS;
  readonly #changed: () => void;
  readonly #runs = new Map<string, Run>();
  readonly #verdicts: Verdicts;
  #pith: Promise<Pith> | null = null;

  /** `verdicts`: of the worker that writes. A page that waits for a verdict waits for the same test. */
  constructor(verdicts: Verdicts, changed: () => void) {
    this.#verdicts = verdicts;
    this.#changed = changed;
  }

  /** True while something is running. A paused download is kept on disk and does not count. */
  get isBusy(): boolean {
    return [...this.#runs.values()].some(({ pauser }) => !pauser.paused);
  }

  /** Ends the worker, and with it paused downloads: their bytes stay on disk. */
  close(): void {
    for (const { stop } of this.#runs.values()) stop.abort();
    this.#pith?.then(
      (pith) => pith.close(),
      () => {},
    );
    this.#pith = null;
    this.state = NO_MODELS;
  }

  handle(message: ToModels): void {
    switch (message.type) {
      case "look":
        return void this.#look(message.backend);
      case "measure":
        return void this.#measure(message.backend);
      case "check":
        return void this.#run(message.key, "check", (options) => this.#check(message.model, message.backend, options));
      case "download":
        return void this.#run(message.model.url, "download", (options) => this.#download(message, options));
      case "pause":
        return this.#runs.get(message.key)?.pauser.pause();
      case "resume":
        return this.#runs.get(message.key)?.pauser.resume();
      case "cancel":
        return this.#runs.get(message.key)?.stop.abort();
      case "verify":
      case "repair":
        return void this.#run(message.key, message.type, (options) =>
          this.#verify(message.name, message.type === "repair", options),
        );
      case "delete":
        return void this.#run(message.key, "delete", async () => {
          await (await this.#open()).delete(message.name);
          return { type: "deleted" };
        });
      case "pin":
        return void this.#pin(message.name, message.pinned);
      case "test":
        return void this.#run(message.key, "test", async (options) => ({
          type: "tested",
          test: await testModel(await this.#open(), message, options),
        }));
      case "judge":
        return void this.#run(message.key, "judge", (options) => this.#judge(message, options));
    }
  }

  async #open(): Promise<Pith> {
    const last = this.#pith;
    const open = await last?.catch(() => null);
    if (open?.alive) return open;
    if (this.#pith === last) this.#pith = Pith.open();
    return this.#pith ?? this.#open();
  }

  /** Reads what is stored, and where models would run: the packaged model tells, without a download. */
  async #look(backend: BackendChoice): Promise<void> {
    await this.#restock();
    try {
      const pith = await this.#open();
      const fit = await pith.fit({ packaged: chrome.runtime.getURL(MODEL_FILE) }, { backend });
      this.#set({ machine: { backend: fit.backend, budgetBytes: fit.budgetBytes } });
    } catch (error) {
      this.#set({ machine: null, problem: toFailure(error) });
    }
  }

  async #measure(backend: BackendChoice): Promise<void> {
    try {
      this.#set({ speed: await measureSpeed(await this.#open(), backend) });
    } catch (error) {
      this.#set({ problem: toFailure(error) });
    }
  }

  async #restock(): Promise<void> {
    try {
      const { stored, unknown, store } = await (await this.#open()).status();
      this.#set({ stock: { stored, unknown, store }, problem: null });
    } catch (error) {
      this.#set({ problem: toFailure(error) });
    }
  }

  async #pin(name: string, pinned: boolean): Promise<void> {
    try {
      await (await this.#open()).pin(name, pinned);
      await this.#restock();
    } catch (error) {
      this.#set({ problem: toFailure(error) });
    }
  }

  async #check(
    model: RemoteModel | { stored: string },
    backend: BackendChoice,
    options: FetchOptions,
  ): Promise<WorkResult> {
    return { type: "fit", fit: await (await this.#open()).fit(model, { ...options, backend }) };
  }

  async #download(
    { model, backend, force }: Extract<ToModels, { type: "download" }>,
    options: FetchOptions,
  ): Promise<WorkResult> {
    if (!force) {
      const checked = await this.#check(model, backend, options);
      const verdict = checked.type === "fit" && checked.fit.verdict;
      if (verdict === "tooLarge" || verdict === "noRoom") return checked;
    }
    return { type: "stored", model: await (await this.#open()).download(model, options) };
  }

  async #judge({ name, backend }: Extract<ToModels, { type: "judge" }>, options: WorkOptions): Promise<WorkResult> {
    const { signal, onProgress } = options;
    return { type: "judged", tier: await this.#verdicts.tierOf(name, backend, signal, onProgress) };
  }

  async #verify(name: string, repair: boolean, options: FetchOptions): Promise<WorkResult> {
    const { damaged, repairedBytes } = await (await this.#open()).verify(name, { ...options, repair });
    return { type: "verified", damaged: damaged.length, repairedBytes };
  }

  /** Runs work on a model, one at a time for each, and keeps its state true until it ends. Only a check gives way to other work. */
  async #run(key: string, kind: WorkKind, work: (options: WorkOptions) => Promise<WorkResult>): Promise<void> {
    const last = this.#runs.get(key);
    if (last && (last.kind !== "check" || kind === "check")) return;
    last?.stop.abort();
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const run: Run = { kind, stop: new AbortController(), pauser: new Pauser(), ended };
    this.#runs.set(key, run);
    await last?.ended;
    const outcome = await watch(run, work, (state) => this.#show(key, state));
    if (this.#runs.get(key) === run) this.#runs.delete(key);
    if (this.#pith) await this.#restock();
    if (!this.#runs.has(key)) this.#show(key, outcome);
    end();
  }

  #show(key: string, work: Work): void {
    this.#set({ work: { ...this.state.work, [key]: work } });
  }

  #set(change: Partial<ModelsState>): void {
    this.state = { ...this.state, ...change };
    this.#changed();
  }
}
