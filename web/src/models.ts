import catalogue from "../models.json" with { type: "json" };
import type { ModelInput } from "./input.js";

/** A model of an architecture and format that the engine runs: where it is, and what it is good at. What is not known is absent. */
export interface KnownModel {
  id: string;
  name: string;
  maker: string;
  /** Address of the GGUF file. */
  source: string;
  /** Where to read about it. */
  page: string;
  /** Of most of its weights, such as `Q4_K_M`. */
  format: string;
  architecture: string;
  licence: string;
  bytes?: number;
  /** In hexadecimal. */
  sha256?: string;
  /** The longest context that it was made for. */
  contextTokens?: number;
  /** BCP 47 tags. */
  languages?: string[];
  /** The family of its chat template. */
  template?: string;
  /** A sentence for the user. */
  goodAt: string;
}

/** Models to choose from, smallest first. */
export const knownModels: readonly KnownModel[] = catalogue.models;

/** What `load`, `fit` and `download` take for a known model. */
export function input({ source, sha256 }: KnownModel): ModelInput {
  return { url: source, ...(sha256 && { sha256 }) };
}
