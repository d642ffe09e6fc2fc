// OpenAI's API on models of this browser: same methods, same shapes, no server.
import { Pith } from "../client.js";
import type { LoadOptions, OpenOptions } from "../options.js";
import { ChatCompletions } from "./chat.js";
import { Completions } from "./completions.js";
import { Embeddings } from "./embeddings.js";
import { Models } from "./models.js";
import { Responses } from "./responses.js";

/** Options of `OpenAI.open`. */
export interface OpenAIOptions extends OpenOptions {
  /** How known models are loaded when a request names one first. */
  load?: LoadOptions;
}

/** A client with the methods of the npm package `openai`. What it does not support it refuses by name. */
export class OpenAI {
  /** The client of the worker: loads models, and does all that OpenAI's API has no words for. */
  readonly pith: Pith;
  readonly chat: { readonly completions: ChatCompletions };
  readonly completions: Completions;
  readonly embeddings: Embeddings;
  readonly models: Models;
  readonly responses: Responses;

  constructor(pith: Pith, load: LoadOptions = {}) {
    this.pith = pith;
    this.models = new Models(pith, load);
    this.chat = { completions: new ChatCompletions(pith, this.models) };
    this.completions = new Completions(pith, this.models);
    this.embeddings = new Embeddings(pith, this.models);
    this.responses = new Responses(this.chat.completions);
  }

  /** Starts a worker. */
  static async open({ load, ...options }: OpenAIOptions = {}): Promise<OpenAI> {
    return new OpenAI(await Pith.open(options), load);
  }
}

export { OpenAIError } from "./errors.js";
export { Stream } from "./stream.js";
export type * from "./response-types.js";
export type * from "./types.js";
export type { RequestOptions } from "./write.js";
