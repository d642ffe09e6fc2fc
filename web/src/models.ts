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
  /** What it is good at, as a sentence for the user. */
  goodAt: string;
}

/** Origin of the model hub that the known models come from. */
export const hub: string = catalogue.hub;

/** Language models to choose from, smallest first. */
export const knownModels: readonly KnownModel[] = catalogue.models;

/** Embedding models for languages beside English, smallest first. */
export const knownEncoders: readonly KnownModel[] = catalogue.encoders;

/** The input of `load`, `fit` and `download` for a known model. */
export function input({ source, sha256 }: KnownModel): ModelInput {
  return { url: source, ...(sha256 && { sha256 }) };
}
