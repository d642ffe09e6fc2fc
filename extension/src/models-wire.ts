// Messages between the pages that manage models and the host. All JSON.
import type {
  BackendChoice,
  BackendInfo,
  ErrorData,
  Fit,
  Progress,
  StoredModel,
  StoreInfo,
  UnknownFile,
  WriterTier,
} from "@pith/web";

/** The name of such a page's port. */
export const MODELS_PORT = "models";

/** A model at an address. */
export interface RemoteModel {
  url: string;
  /** Of each file, where the source tells it. */
  sha256?: string[];
}

/** A text that a model wrote as a test, and its cost. */
export interface TestResult {
  text: string;
  tokensPerS: number;
  firstTokenMs: number;
  loadMs: number;
  backend: BackendInfo;
  /** What it may write of pages. */
  tier: WriterTier;
}

/** What is done with one model. */
export type WorkKind = "check" | "download" | "import" | "verify" | "repair" | "test" | "judge" | "delete";

/** What came of it. */
export type WorkResult =
  | { type: "fit"; fit: Fit }
  | { type: "stored"; model: StoredModel }
  | { type: "verified"; damaged: number; repairedBytes: number }
  | { type: "tested"; test: TestResult }
  | { type: "judged"; tier: WriterTier }
  | { type: "deleted" };

/** Work on one model, in every state it can have. */
export type Work = { kind: WorkKind } & (
  | { phase: "working"; progress: Progress; paused: boolean }
  | { phase: "done"; result: WorkResult }
  | { phase: "failed"; error: ErrorData }
  | { phase: "stopped" }
);

/** Where models run on this machine, and what they may take. */
export interface Machine {
  backend: BackendInfo;
  budgetBytes: number;
}

/** What is stored. */
export interface Stock {
  stored: StoredModel[];
  unknown: UnknownFile[];
  store: StoreInfo;
}

/** What the host knows of models. */
export interface ModelsState {
  stock: Stock | null;
  machine: Machine | null;
  /** By the model's address, or by its name in the store where it has none. */
  work: Record<string, Work>;
  /** How fast the built-in model reads here, in weights per second; null until it was measured. */
  speed: number | null;
  /** Why the store, or the machine, cannot be asked. */
  problem: ErrorData | null;
}

/** From a page to the host. `key` is that of `work`. */
export type ToModels =
  | { type: "look"; backend: BackendChoice }
  /** Measures the machine's speed, which takes about a second. */
  | { type: "measure"; backend: BackendChoice }
  | { type: "check"; key: string; model: RemoteModel | { stored: string }; backend: BackendChoice }
  /** Checks first; a model that does not fit is downloaded with `force` only. */
  | { type: "download"; model: RemoteModel; backend: BackendChoice; force: boolean }
  | { type: "pause" | "resume" | "cancel"; key: string }
  | { type: "verify" | "repair" | "delete"; key: string; name: string }
  | { type: "pin"; name: string; pinned: boolean }
  | { type: "test"; key: string; name: string; prompt: string; backend: BackendChoice }
  /** Finds out what a model may write that was chosen to. */
  | { type: "judge"; key: string; name: string; backend: BackendChoice };

/** From the host to the pages. */
export type FromModels = { type: "state"; state: ModelsState };

export const NO_MODELS: ModelsState = { stock: null, machine: null, work: {}, speed: null, problem: null };

/** Under which work on a stored model is found. */
export const workKey = ({ url, name }: Pick<StoredModel, "url" | "name">): string => url ?? name;
