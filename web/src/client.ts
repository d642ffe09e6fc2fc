import { Channel } from "./channel.js";
import { clientErrors } from "./errors.js";
import { Generation } from "./generation.js";
import { type LoraInput, type ModelInput, toSource } from "./input.js";
import {
  type DetokenizeOptions,
  type EmbedOptions,
  type EvaluateOptions,
  type FetchOptions,
  given,
  type GenerateOptions,
  type LoadOptions,
  type OpenOptions,
  type PromptInput,
  type RequestOptions,
  type Logits,
  type TemplateInput,
  type TemplateOptions,
  type TokenizeOptions,
  refuseUnknown,
  toLocalTime,
  toPrompt,
  type Turn,
} from "./options.js";
import type { ModelInfo, Request, TuningReport } from "./protocol.gen.js";
import { Reader } from "./reader.js";
import { explain, startWorker } from "./start.js";

/** A client of one worker and its models. */
export class Pith extends Reader {
  /** Starts the worker. Resolves when the worker is ready. */
  static async open(options: OpenOptions = {}): Promise<Pith> {
    const { workerUrl, endpoint, shared, timeoutMs = 60_000, ...unknown } = given(options);
    refuseUnknown(unknown, {});
    if (endpoint && (shared || !endpoint.postMessage)) throw clientErrors.argument("not an endpoint");
    const start = shared ? (await import("./shared/member.js")).join : startWorker;
    const started = endpoint ? { worker: endpoint } : await start(workerUrl);
    const channel = new Channel(started.worker);
    const pith = new Pith(channel);
    const late = clientErrors.start(`no answer in ${timeoutMs} ms`);
    const timer = setTimeout(() => channel.end(late), timeoutMs);
    await pith
      .status()
      .catch((error: unknown) => explain(error, started))
      .finally(() => clearTimeout(timer));
    return pith;
  }

  /** Loads a model under `name`. Replaces a model with the same name. */
  async load(name: string, input: ModelInput, options: LoadOptions = {}): Promise<ModelInfo> {
    const { source, files } = toSource(input);
    const {
      backend = "auto",
      contextTokens = null,
      cacheType = "f32",
      precision = "fast",
      force = false,
      tier = null,
    } = given(options);
    const wish = { backend, contextTokens, cacheType, precision, force, tier };
    return (await this.call("loaded", { type: "load", name, source, ...wish }, options, files)).model;
  }

  /** Adds a LoRA adapter to a loaded model; each request chooses whether to use it. Replaces one with the same name. */
  async loadLora(model: string, lora: LoraInput, options: FetchOptions = {}): Promise<ModelInfo> {
    const { name, ...input } = given(lora);
    const { source, files } = toSource("file" in input ? input.file : input);
    const request: Request = { type: "loadLora", model, name, source };
    return (await this.call("loaded", request, options, files)).model;
  }

  /** Frees a model and its LoRA adapters. */
  async unload(name: string, options: RequestOptions = {}): Promise<void> {
    await this.call("ok", { type: "unload", name }, options);
  }

  /** Unit-length vectors, one per text. */
  async embed(model: string, texts: string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    const { lora = null } = given(options);
    return (await this.call("vectors", { type: "embed", model, texts, lora }, options)).vectors;
  }

  /** Text to token ids. */
  async tokenize(model: string, text: string, options: TokenizeOptions = {}): Promise<number[]> {
    const { addSpecial = false, parseSpecial = false } = given(options);
    return (await this.call("ids", { type: "tokenize", model, text, addSpecial, parseSpecial }, options)).ids;
  }

  /** Token ids to text. */
  async detokenize(model: string, ids: number[], options: DetokenizeOptions = {}): Promise<string> {
    const { special = false } = given(options);
    return (await this.call("plain", { type: "detokenize", model, ids, special }, options)).text;
  }

  /** Renders a chat template: the prompt text of a conversation. With `null` messages the template gets only the variables. */
  async applyTemplate(
    template: TemplateInput,
    messages: Turn[] | null,
    options: TemplateOptions = {},
  ): Promise<string> {
    const { variables = {}, now } = given(options);
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
    const early = new AbortController();
    return new Generation(
      async (push) => {
        const {
          maxTokens = 512,
          stop = [],
          sampling = {},
          overflow = { type: "stop" },
          promptLookup = true,
          logprobs = null,
          format = null,
          lora = null,
          keepPrompt = false,
          signal,
        } = given(options);
        const request: Request = {
          type: "generate",
          model,
          prompt: toPrompt(prompt),
          maxTokens,
          stop,
          sampling: given(sampling),
          overflow,
          promptLookup,
          logprobs,
          format,
          lora,
          keepPrompt,
        };
        const { type, ...result } = await this.call(
          "text",
          request,
          { ...options, signal: signal ? AbortSignal.any([signal, early.signal]) : early.signal },
          undefined,
          (event) =>
            event.type === "token" &&
            push({ text: event.text, logprobs: event.logprobs ?? [], deltas: event.deltas ?? [] }),
        );
        return result;
      },
      () => early.abort(),
    );
  }

  /** Tries the shapes of the GPU's kernels on a model, and says what each took. Later loads of models like it use the fastest. */
  async tune(model: string, options: RequestOptions = {}): Promise<TuningReport> {
    return (await this.call("tuned", { type: "tune", model }, options)).report;
  }

  /** Logits of a prompt, for scoring and conformance tests. For an embedding model: the pooled vector, then one row per token. */
  async evaluate(model: string, ids: number[], options: EvaluateOptions = {}): Promise<Logits> {
    const { first = 0, decode = [], lora = null } = given(options);
    const request: Request = { type: "evaluate", model, ids, first, decode, lora };
    const { type, ...logits } = await this.call("logits", request, options);
    return logits;
  }
}
