import catalogue from "../models.json" with { type: "json" };
import type { ModelInput } from "./input.js";

/** A model that the engine supports. Unknown properties are absent. */
export interface KnownModel {
  id: string;
  name: string;
  maker: string;
  /** URL of the GGUF file. */
  source: string;
  /** URL of its model card. */
  page: string;
  /** Quantization, such as `Q4_K_M`. */
  format: string;
  architecture: string;
  licence: string;
  bytes?: number;
  /** In hexadecimal. */
  sha256?: string;
  /** The context length that it was trained for. */
  contextTokens?: number;
  /** BCP 47 tags. */
  languages?: string[];
  /** The family of its chat template; embedding models have none. */
  template?: string;
  /** What it is for. */
  use: ModelUse;
  /** What it is good at, as a sentence for the user. */
  goodAt: string;
}

/**
 * `gist`: the rough gist of a short page; `short`: short summaries of ordinary articles; `articles`: summaries of longer ones; `long`:
 * detailed summaries of long pages. Of embedding models: `read`, and `readSlowly` for those that need a graphics card.
 */
export type ModelUse = "gist" | "short" | "articles" | "long" | "read" | "readSlowly";

/** Origin of the model hub that the known models come from. */
export const hub: string = catalogue.hub;

/** Language models to choose from, smallest first. */
export const knownModels: readonly KnownModel[] = catalogue.models as readonly KnownModel[];

/** Embedding models for languages beside English, smallest first. */
export const knownEncoders: readonly KnownModel[] = catalogue.encoders as readonly KnownModel[];

/** The input of `load`, `fit` and `download` for a known model. */
export function input({ source, sha256 }: KnownModel): ModelInput {
  return { url: source, ...(sha256 && { sha256 }) };
}
