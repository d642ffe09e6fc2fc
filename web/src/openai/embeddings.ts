import type { Pith } from "../client.js";
import { invalid, toOpenAI } from "./errors.js";
import type { Models } from "./models.js";
import { check, modelName } from "./params.js";
import type { EmbeddingParams, EmbeddingResponse } from "./types.js";
import { controllerOf, type RequestOptions } from "./write.js";

const TEXTS_MAX = 2048;

/** `embeddings`: unit-length vectors. */
export class Embeddings {
  readonly #pith: Pith;
  readonly #models: Models;

  constructor(pith: Pith, models: Models) {
    this.#pith = pith;
    this.#models = models;
  }

  /** A vector for each text. With `base64` each is the bytes of its 32-bit floats, little-endian. */
  async create(params: EmbeddingParams, options: RequestOptions = {}): Promise<EmbeddingResponse> {
    check(params, ["model", "input", "encoding_format"]);
    const model = modelName(params);
    const texts = readTexts(params.input);
    const format = params.encoding_format ?? "float";
    if (format !== "float" && format !== "base64")
      throw invalid("encoding_format", '"encoding_format" must be "float" or "base64".');
    const { signal } = controllerOf(options);
    try {
      await this.#models.ready(model, signal);
      const vectors = await this.#pith.embed(model, texts, { signal });
      let tokens = 0;
      for (const text of texts) tokens += (await this.#pith.tokenize(model, text, { addSpecial: true, signal })).length;
      return {
        object: "list",
        model,
        data: vectors.map((vector, index) => ({
          object: "embedding",
          index,
          // OpenAI's own type has numbers here, whatever the format.
          embedding: format === "float" ? [...vector] : (base64(vector) as unknown as number[]),
        })),
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      };
    } catch (error) {
      throw toOpenAI(error);
    }
  }
}

function readTexts(given: unknown): string[] {
  const texts: unknown = typeof given === "string" ? [given] : given;
  const isList = Array.isArray(texts) && texts.length > 0 && texts.length <= TEXTS_MAX;
  if (!isList || texts.some((text) => typeof text !== "string" || text === ""))
    throw invalid(
      "input",
      `"input" must be a text or a list of at most ${TEXTS_MAX} texts. Token ids are not supported.`,
    );
  return texts as string[];
}

function base64(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, at) => view.setFloat32(at * 4, value, true));
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
}
