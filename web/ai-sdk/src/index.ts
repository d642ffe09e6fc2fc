// Models of a Pith client as a provider of the AI SDK.
import { type EmbeddingModelV4, type LanguageModelV4, NoSuchModelError, type ProviderV4 } from "@ai-sdk/provider";
import type { Pith } from "@pith/web";
import { PithEmbeddingModel } from "./embedding-model.js";
import { PithLanguageModel } from "./language-model.js";

/** Calling it is calling `languageModel`. */
export interface PithProvider extends ProviderV4 {
  (modelId: string): LanguageModelV4;
}

/** A provider whose models are those that are loaded in `pith`, by their names. */
export function createPith(pith: Pith): PithProvider {
  const languageModel = (modelId: string): LanguageModelV4 => new PithLanguageModel(pith, modelId);
  const embeddingModel = (modelId: string): EmbeddingModelV4 => new PithEmbeddingModel(pith, modelId);
  const imageModel = (modelId: string): never => {
    throw new NoSuchModelError({ modelId, modelType: "imageModel" });
  };
  return Object.assign((modelId: string) => languageModel(modelId), {
    specificationVersion: "v4" as const,
    languageModel,
    embeddingModel,
    imageModel,
  });
}

export { PithEmbeddingModel } from "./embedding-model.js";
export { PithLanguageModel } from "./language-model.js";
