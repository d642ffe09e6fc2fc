import catalogue from "../models.json" with { type: "json" };
import type { ModelInput } from "./input.js";
import type { WriterTier } from "./protocol.gen.js";

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
  /** How many weights a token is multiplied with, from which its time can be estimated. */
  parameters?: {
    /** Of all layers: for each token that is read or written. */
    layers: number;
    /** Of the output matrix: for each token that is written. */
    vocabulary: number;
  };
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
  /** How it did in the test of writers; absent where nobody has measured it. */
  verdict?: WriterVerdict;
  /** The same model in other files, such as those that are no longer at `source`. */
  otherFiles?: KnownFile[];
}

/** What the test of writers (`testWriter`) says of one file of a model. */
export interface WriterVerdict {
  /** What it may write about pages: `tier` of the test. */
  tier: WriterTier;
  /** How well it writes, 0 to 1: the share of the test's `lines` that are `ok` and not their `source` again. */
  score: number;
}

/** One file of a known model. */
export interface KnownFile {
  format: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  verdict?: WriterVerdict;
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

/** A file whose hash is known, whatever it is called and wherever it came from. */
export interface FoundFile {
  model: KnownModel;
  format: string;
  verdict: WriterVerdict | null;
}

/** Finds a file by its SHA-256 in hexadecimal. */
export function findFile(sha256: string): FoundFile | null {
  for (const model of [...knownModels, ...knownEncoders]) {
    const file = [model, ...(model.otherFiles ?? [])].find((one) => one.sha256 === sha256);
    if (file) return { model, format: file.format, verdict: file.verdict ?? null };
  }
  return null;
}

/** The input of `load`, `fit` and `download` for a known model. */
export function input({ source, sha256 }: KnownModel): ModelInput {
  return { url: source, ...(sha256 && { sha256 }) };
}
