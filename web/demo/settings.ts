import type { BackendChoice, CacheType, Suggestion } from "@pith/web";
import { make, part } from "./dom.js";
import { CACHE_TYPES } from "./words.js";

const CACHE_CHOICES: readonly CacheType[] = ["f32", "f16", "q8_0", "q4_0"];

/** How a model is to run. */
export interface RunSettings {
  backend: BackendChoice;
  contextTokens?: number;
  cacheType: CacheType;
}

const cacheType = (): HTMLSelectElement => part<HTMLSelectElement>("cache-type");
const context = (): HTMLInputElement => part<HTMLInputElement>("context");

export function initSettings(): void {
  cacheType().append(...CACHE_CHOICES.map((value) => make("option", { value }, CACHE_TYPES[value])));
}

/** What the user chose. */
export function runSettings(): RunSettings {
  const tokens = context().valueAsNumber;
  return {
    backend: part<HTMLSelectElement>("backend").value as BackendChoice,
    cacheType: cacheType().value as CacheType,
    ...(tokens > 0 && { contextTokens: tokens }),
  };
}

/** Chooses what was suggested. */
export function takeOver(suggestion: Suggestion): void {
  context().valueAsNumber = suggestion.contextTokens;
  cacheType().value = suggestion.cacheType;
}
