import { Channel } from "./channel.js";
import { clientErrors } from "./errors.js";
import { Generation } from "./generation.js";
import { type LoraInput, type ModelInput, toSource } from "./input.js";
import {
  type DetokenizeOptions,
  type EmbedOptions,
  type EvaluateOptions,
  type FetchOptions,
  type GenerateOptions,
  type LoadOptions,
  type OpenOptions,
  type PromptInput,
  type RequestOptions,
  type Logits,
  type TemplateInput,
  type TemplateOptions,
  type TokenizeOptions,
  toLocalTime,
  toPrompt,
  type Turn,
} from "./options.js";
import type { ModelInfo, Request } from "./protocol.gen.js";
import { Reader } from "./reader.js";

/** A client of one worker and its models. */
export class Pith extends Reader {
  /** Starts the worker. Resolves when the worker is ready. */
  static async open({ workerUrl, endpoint, timeoutMs = 60_000 }: OpenOptions = {}): Promise<Pith> {
    const channel = new Channel(endpoint ?? startWorker(workerUrl));
    const pith = new Pith(channel);
    const late = clientErrors.start(`the worker has not answered for ${timeoutMs} ms`);
    const timer = setTimeout(() => channel.end(late), timeoutMs);
    await pith.status().finally(() => clearTimeout(timer));
    return pith;
  }

  /** Loads a model under `name`. Replaces a model with the same name. */
  async load(name: string, input: ModelInput, options: LoadOptions = {}): Promise<ModelInfo> {
    const { source, files } = toSource(input);
    const { backend = "auto", contextTokens = null, cacheType = "f32", force = false } = options;
    const request: Request = { type: "load", name, source, backend, contextTokens, cacheType, force };
    return (await this.call("loaded", request, options, files)).model;
  }

  /** Adds a LoRA adapter to a loaded model; each request chooses whether to use it. Replaces one with the same name. */
  async loadLora(model: string, lora: LoraInput, options: FetchOptions = {}): Promise<ModelInfo> {
    const { source, files } = toSource("file" in lora ? lora.file : lora);
    const request: Request = { type: "loadLora", model, name: lora.name, source };
    return (await this.call("loaded", request, options, files)).model;
  }

  /** Frees a model and its LoRA adapters. */
  async unload(name: string, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "unload", name }, options);
  }

  /** Unit-length vectors, one per text. */
  async embed(model: string, texts: string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const { lora = null } = options;
    return (await this.call("vectors", { type: "embed", model, texts, lora }, options)).vectors;
  }

  /** Text to token ids. */
  async tokenize(model: string, text: string, options: TokenizeOptions = {}): Promise<number[]> {
    const { addSpecial = false, parseSpecial = false } = options;
    return (await this.call("ids", { type: "tokenize", model, text, addSpecial, parseSpecial }, options)).ids;
  }

  /** Token ids to text. */
  async detokenize(model: string, ids: number[], options: DetokenizeOptions = {}): Promise<string> {
    const { special = false } = options;
    return (await this.call("plain", { type: "detokenize", model, ids, special }, options)).text;
  }

  /** Renders a chat template: the prompt text of a conversation. With `null` messages the template gets only the variables. */
  async applyTemplate(
    template: TemplateInput,
    messages: Turn[] | null,
    options: TemplateOptions = {},
  ): Promise<string> {
    const { variables = {}, now } = options;
    const request: Request = {
      type: "applyTemplate",
      template: typeof template === "string" ? { type: "model", model: template } : { type: "text", ...template },
      messages,
      variables,
      now: now ? toLocalTime(now) : null,
    };
    return (await this.call("plain", request, options)).text;
  }

  /** Continues a text or a conversation. Iterate for text as it is generated; `result` has the complete text. */
  generate(model: string, prompt: PromptInput, options: GenerateOptions = {}): Generation {
    const { maxTokens = 512, stop = [], sampling = {}, overflow = { type: "stop" }, promptLookup = true } = options;
    const { logprobs = null, lora = null, signal, onProgress } = options;
    const early = new AbortController();
    const what = { model, prompt: toPrompt(prompt), sampling, maxTokens, stop, overflow, promptLookup, logprobs, lora };
    const request: Request = { type: "generate", ...what };
    return new Generation(
      async (push) => {
        const { text, ids, logprobs, finishReason, stats } = await this.call(
          "text",
          request,
          {
            signal: signal ? AbortSignal.any([signal, early.signal]) : early.signal,
            ...(onProgress && { onProgress }),
          },
          undefined,
          (event) => event.type === "token" && push({ text: event.text, logprobs: event.logprobs ?? [] }),
        );
        return { text, ids, logprobs, finishReason, stats };
      },
      () => early.abort(),
    );
  }

  /** Logits of a prompt, for scoring and conformance tests. For an embedding model: the pooled vector, then one row per token. */
  async evaluate(model: string, ids: number[], options: EvaluateOptions = {}): Promise<Logits> {
    const { first = 0, decode = [], lora = null } = options;
    const request: Request = { type: "evaluate", model, ids, first, decode, lora };
    const { rows, cols, values } = await this.call("logits", request, options);
    return { rows, cols, values };
  }
}

function startWorker(url: string | URL | undefined): Worker {
  // Bundlers recognize the second form and bundle the worker.
  return url
    ? new Worker(url, { type: "module", name: "pith" })
    : new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "pith" });
}
