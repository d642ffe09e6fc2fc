import type { LanguageModelPromptOptions } from "./language-model-options.js";
import type { PromptInput } from "./prompt.js";
import { Session } from "./session.js";

type Listener = (event: Event) => void;

/** A session whose context can overflow, with the names that its API had before. */
export abstract class ContextSession extends Session {
  readonly #listeners = new Map<string, Listener>();

  /** How many tokens of the context are taken. */
  abstract get contextUsage(): number;

  /** How many tokens the context has. */
  abstract get contextWindow(): number;

  /** How many tokens an input would take. */
  abstract measureContextUsage(input: PromptInput, options?: LanguageModelPromptOptions): Promise<number>;

  get oncontextoverflow(): Listener | null {
    return this.#listeners.get("contextoverflow") ?? null;
  }

  set oncontextoverflow(listener: Listener | null) {
    this.#listen("contextoverflow", listener);
  }

  /** The older name of `contextUsage`. */
  get inputUsage(): number {
    return this.contextUsage;
  }

  /** The older name of `contextWindow`. */
  get inputQuota(): number {
    return this.contextWindow;
  }

  /** The older name of `measureContextUsage`. */
  measureInputUsage(input: PromptInput, options: LanguageModelPromptOptions = {}): Promise<number> {
    return this.measureContextUsage(input, options);
  }

  /** The older name of `oncontextoverflow`. */
  get onquotaoverflow(): Listener | null {
    return this.#listeners.get("quotaoverflow") ?? null;
  }

  set onquotaoverflow(listener: Listener | null) {
    this.#listen("quotaoverflow", listener);
  }

  #listen(type: string, listener: unknown): void {
    const last = this.#listeners.get(type);
    if (last) this.removeEventListener(type, last);
    this.#listeners.delete(type);
    if (typeof listener !== "function") return;
    this.#listeners.set(type, listener as Listener);
    this.addEventListener(type, listener as Listener);
  }

  /** Tells listeners that the oldest turns were dropped. */
  protected overflowed(): void {
    for (const type of ["contextoverflow", "quotaoverflow"]) this.dispatchEvent(new Event(type));
  }
}
