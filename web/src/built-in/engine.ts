// The worker and the models that all sessions of a page share.
import { Pith } from "../client.js";
import type { ModelInput } from "../input.js";
import { input as inputOf, type KnownModel, knownModels } from "../models.js";
import type { LoadOptions, OpenOptions, Progress } from "../options.js";
import { notAllowed, toDomException, unsupported } from "./errors.js";
import { Meter } from "./meter.js";

/** Whether a session can be created, and whether that downloads. */
export type Availability = "unavailable" | "downloadable" | "downloading" | "available";

/** A model: the id of a known one, or where its file is. */
export type ModelChoice = string | ModelInput;

/** What sessions run on. */
export interface BuiltInOptions extends OpenOptions {
  /** The language model; `granite-4.0-350m` by default. */
  model?: ModelChoice;
  /** The embedding model of `SemanticEmbedder`. */
  embedder?: ModelChoice;
  /** How models are loaded. */
  load?: LoadOptions;
  /** A client that is open already. */
  pith?: Pith;
}

export const DEFAULT_MODEL = "granite-4.0-350m";
type Role = "model" | "embedder";
const NAMES: Readonly<Record<Role, string>> = { model: "built-in", embedder: "built-in-embedder" };

let options: BuiltInOptions = {};
let opened: Promise<Pith> | undefined;
const loading = new Map<Role, { ready: Promise<void>; meter: Meter }>();

/** Chooses models and worker. Sessions that exist end with their worker. */
export function configure(next: BuiltInOptions): void {
  if (opened && !options.pith) void opened.then((pith) => pith.close());
  options = next;
  opened = undefined;
  loading.clear();
}

/** The client; another one where its worker has ended. */
export async function open(): Promise<Pith> {
  const last = opened;
  const pith = await last?.catch(() => undefined);
  if (pith?.alive) return pith;
  // Whoever else found none may have been faster.
  if (opened !== last) return open();
  loading.clear();
  const { model: _model, embedder: _embedder, load: _load, pith: given, ...ofClient } = options;
  opened = given ? Promise.resolve(given) : Pith.open(ofClient);
  return opened;
}

function choiceOf(role: Role): { input: ModelInput; known: KnownModel | undefined } | null {
  const chosen = options[role] ?? (role === "model" ? DEFAULT_MODEL : undefined);
  if (chosen === undefined) return null;
  if (typeof chosen !== "string") return { input: chosen, known: undefined };
  const known = knownModels.find(({ id }) => id === chosen);
  if (!known) throw unsupported(`The model "${chosen}"`);
  return { input: inputOf(known), known };
}

/** Whether the model is there, comes, can come, or cannot. `languages` are those that it has to know. */
export async function availability(role: Role, languages: readonly string[] = []): Promise<Availability> {
  const choice = choiceOf(role);
  if (!choice) return "unavailable";
  const { input, known } = choice;
  // A language without a name, such as "xx", is none.
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const knows = (tag: string): boolean => {
    const { language } = new Intl.Locale(tag);
    return known?.languages?.includes(language) ?? names.of(language) !== undefined;
  };
  if (!languages.every(knows)) return "unavailable";
  const pith = await open();
  const { models, stored } = await pith.status();
  if (models.some(({ name }) => name === NAMES[role])) return "available";
  if (loading.has(role)) return "downloading";
  if (!("url" in input)) return "available";
  const url = String(new URL(input.url, globalThis.location?.href));
  return stored.some((one) => one.url === url && one.whole) ? "available" : "downloadable";
}

/** The client, with the model loaded under the name that is returned. Several sessions wait for one load. */
export async function ready(
  role: Role,
  monitor: EventTarget | null,
  signal: AbortSignal | undefined,
): Promise<{ pith: Pith; name: string; contextTokens: number }> {
  const choice = choiceOf(role);
  if (!choice) throw unsupported("This API without a model");
  try {
    const pith = await open();
    signal?.throwIfAborted();
    if ((await availability(role)) === "downloadable" && globalThis.navigator?.userActivation?.isActive === false)
      throw notAllowed();
    const isThere = (await pith.status()).models.some(({ name }) => name === NAMES[role]);
    let one = loading.get(role);
    if (!one) {
      const meter = new Meter();
      const onProgress = (progress: Progress): void => meter.take(progress);
      const load = isThere
        ? Promise.resolve()
        : pith.load(NAMES[role], choice.input, { ...options.load, onProgress }).then(() => {});
      one = { meter, ready: load.finally(() => loading.delete(role)) };
      one.ready.catch(() => {});
      loading.set(role, one);
    }
    const stop = monitor ? one.meter.watch(monitor) : (): void => {};
    try {
      await untilAborted(one.ready, signal);
      if (monitor) one.meter.end(monitor);
    } finally {
      stop();
    }
    const model = (await pith.status()).models.find(({ name }) => name === NAMES[role]);
    signal?.throwIfAborted();
    return { pith, name: NAMES[role], contextTokens: model?.contextTokens ?? 0 };
  } catch (error) {
    throw toDomException(error);
  }
}

/** The promise, or the signal's reason as soon as it is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
