import { Channel, type Interim } from "./channel.js";
import { clientErrors } from "./errors.js";
import { Generation } from "./generation.js";
import { type LoraInput, type ModelInput, toSource } from "./input.js";
import {
  type AskOptions,
  type Attributed,
  type AttributeOptions,
  type DetokenizeOptions,
  type EmbedOptions,
  type EvaluateOptions,
  type FetchOptions,
  type GenerateOptions,
  type LoadOptions,
  type OpenOptions,
  type PreparePromptOptions,
  type PromptInput,
  type RequestOptions,
  type Logits,
  type SummarizeOptions,
  type TemplateInput,
  type TemplateOptions,
  type TokenizeOptions,
  toLocalTime,
  toPrompt,
  type Turn,
} from "./options.js";
import { Pages } from "./pages.js";
import type {
  Answer,
  ModelInfo,
  Page,
  PageInput,
  Request,
  Summary,
  WriterTest,
  PreparedPrompt,
  PromptTask,
} from "./protocol.gen.js";
import { Store } from "./store.js";

/** A client of one worker and its models. */
export class Pith extends Store {
  readonly #pages = new Pages();

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

  /**
   * Key sentences of a page, each with the position of its passage, and a summary in a language model's words if a `writer`
   * is given. A page object that was sent must not be changed: it is sent once.
   */
  async summarize(page: Page, options: SummarizeOptions = {}): Promise<Summary> {
    const { length = "medium", writer = null, kind = "keyPoints", targetLanguage = null } = options;
    const { unsupported = "replace", variant = 0, onDraft } = options;
    const wish = { length, writer, kind, targetLanguage, unsupported, variant };
    const watch = (event: Interim): void => {
      if (event.type === "draft") onDraft?.(event.summary);
    };
    const request = (page: PageInput): Request => ({ type: "summarize", page, options: wish });
    return (await this.#pages.send(page, (sent) => this.call("summary", request(sent), options, undefined, watch)))
      .summary;
  }

  /** The passages of a page that are closest to a question, and an answer in a language model's words if a `writer` is given. */
  async ask(page: Page, question: string, options: AskOptions = {}): Promise<Answer> {
    const { limit = null, writer = null, history = [], unsupported = "replace", variant = 0, onDraft } = options;
    const wish = { question, limit, writer, history, unsupported, variant };
    const watch = (event: Interim): void => {
      if (event.type === "answerDraft") onDraft?.(event.answer);
    };
    const request = (page: PageInput): Request => ({ type: "ask", page, ...wish });
    return (await this.#pages.send(page, (sent) => this.call("answer", request(sent), options, undefined, watch)))
      .answer;
  }

  /** Up to three questions that the page answers. They are made from its text, without a language model. */
  async suggestQuestions(page: Page, options: RequestOptions = {}): Promise<string[]> {
    const request = (page: PageInput): Request => ({ type: "suggestQuestions", page });
    return (await this.#pages.send(page, (sent) => this.call("questions", request(sent), options))).questions;
  }

  /**
   * The prompt for a text about a page that is written elsewhere, such as on a server of the user's own. Its length is estimated; a
   * page that is longer than `budgetTokens` has several parts.
   */
  async preparePrompt(
    page: Page,
    task: PromptTask,
    budgetTokens: number,
    options: PreparePromptOptions = {},
  ): Promise<PreparedPrompt> {
    const { part = 0 } = options;
    const request = (page: PageInput): Request => ({ type: "preparePrompt", page, task, budgetTokens, part });
    return (await this.#pages.send(page, (sent) => this.call("prompt", request(sent), options))).prompt;
  }

  /** Judges a text about a page that was written elsewhere: each line gets the passages that support it. */
  async attribute(page: Page, text: string, options: AttributeOptions = {}): Promise<Attributed> {
    const { unsupported = "replace" } = options;
    const request = (page: PageInput): Request => ({ type: "attribute", page, text, unsupported });
    const { lines, passages } = await this.#pages.send(page, (sent) => this.call("attributed", request(sent), options));
    return { lines, passages };
  }

  /** Lets a loaded language model do a few short tasks. They decide what it may write; the worker remembers it. */
  async testWriter(model: string, options: RequestOptions = {}): Promise<WriterTest> {
    return (await this.call("writerTest", { type: "testWriter", model }, options)).test;
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
