// The browser's own language model (Prompt API), where the browser has one. What a script put in its place is not taken for it.

/** Whether it can be used: at once, after a download, or not. */
export type Availability = "unavailable" | "downloadable" | "downloading" | "available";

export interface BrowserMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

export interface BrowserSession {
  promptStreaming(input: string, options: { signal: AbortSignal }): ReadableStream<string>;
  /** Its context length in tokens; under this name in newer browsers. */
  readonly contextWindow?: number;
  readonly inputQuota?: number;
  destroy(): void;
}

interface Languages {
  type: "text";
  languages: string[];
}

export interface BrowserOptions {
  expectedInputs?: Languages[];
  expectedOutputs?: Languages[];
  initialPrompts?: BrowserMessage[];
  temperature?: number;
  topK?: number;
  signal?: AbortSignal;
  monitor?: (monitor: EventTarget) => void;
}

/** `LanguageModel`, as far as it is used here. */
export interface BrowserModel {
  availability(options?: BrowserOptions): Promise<Availability>;
  create(options?: BrowserOptions): Promise<BrowserSession>;
  /** In extensions alone. */
  params?: () => Promise<{ defaultTopK: number; maxTemperature: number } | null>;
}

/** The browser's classes are not written in JavaScript, those of @pith/web/built-in and of other scripts are. */
const isNative = (value: unknown): value is BrowserModel =>
  typeof value === "function" && /\{\s*\[native code\]\s*\}\s*$/.test(Function.prototype.toString.call(value));

/** The browser's model; null where it has none. */
export function findBrowserModel(scope: object = globalThis): BrowserModel | null {
  const { LanguageModel } = scope as { LanguageModel?: unknown };
  return isNative(LanguageModel) ? LanguageModel : null;
}

/** Whether it can be used. What the browser refuses to tell counts as no. */
export async function browserAvailability(model = findBrowserModel()): Promise<Availability> {
  return model ? model.availability().catch(() => "unavailable" as const) : "unavailable";
}

/**
 * Has the browser download its model. Must be called in the task of a press. `onProgress` is told the share that is there, 0 to 1.
 * Rejects with the browser's error, or when the signal aborts.
 */
export async function downloadBrowserModel(
  model: BrowserModel,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const monitor = (target: EventTarget): void =>
    target.addEventListener("downloadprogress", (event) => onProgress((event as ProgressEvent).loaded));
  (await model.create({ signal, monitor })).destroy();
}
