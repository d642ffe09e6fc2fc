import type { Interim } from "./channel.js";
import { given, type RequestOptions } from "./options.js";
import type {
  AskOptions,
  Attributed,
  AttributeOptions,
  PreparePromptOptions,
  SummarizeOptions,
} from "./page-options.js";
import { Pages } from "./pages.js";
import type {
  Answer,
  Outcome,
  Page,
  PageInput,
  PreparedPrompt,
  PromptTask,
  Request,
  Summary,
  WriterTest,
} from "./protocol.gen.js";
import { Store } from "./store.js";

/** Results that name the page for later requests. */
type AboutPage = Extract<Outcome, { handle: string }>;
type WithoutPage<T> = T extends { page: PageInput } ? Omit<T, "page"> : never;

/** The part of a client that reads pages. */
export class Reader extends Store {
  readonly #pages = new Pages();

  /**
   * Key sentences of a page, each with the position of its passage, and a summary in a language model's words if a `writer`
   * is given. A page object that was sent must not be changed: it is sent once.
   */
  async summarize(page: Page, options: SummarizeOptions = {}): Promise<Summary> {
    const {
      length = "medium",
      kind = "keyPoints",
      targetLanguage = null,
      writer = null,
      unsupported = "replace",
      variant = 0,
      resume = null,
      onDraft,
    } = given(options);
    const wish = { length, kind, targetLanguage, writer, unsupported, variant, resume };
    const watch = (event: Interim): void => {
      if (event.type === "draft") onDraft?.(event.summary);
    };
    return (await this.#about("summary", page, { type: "summarize", options: wish }, options, watch)).summary;
  }

  /** The passages of a page that are closest to a question, and an answer in a language model's words if a `writer` is given. */
  async ask(page: Page, question: string, options: AskOptions = {}): Promise<Answer> {
    const {
      limit = null,
      history = [],
      keepPrompt = false,
      writer = null,
      unsupported = "replace",
      variant = 0,
      resume = null,
      onDraft,
    } = given(options);
    const wish = { question, limit, history, keepPrompt, writer, unsupported, variant, resume };
    const watch = (event: Interim): void => {
      if (event.type === "answerDraft") onDraft?.(event.answer);
    };
    return (await this.#about("answer", page, { type: "ask", ...wish }, options, watch)).answer;
  }

  /** Up to three questions that the page answers. They are made from its text, without a language model. */
  async suggestQuestions(page: Page, options: RequestOptions = {}): Promise<string[]> {
    return (await this.#about("questions", page, { type: "suggestQuestions" }, options)).questions;
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
    const { part = 0 } = given(options);
    return (await this.#about("prompt", page, { type: "preparePrompt", task, budgetTokens, part }, options)).prompt;
  }

  /** Judges a text about a page that was written elsewhere: each line gets the passages that support it. */
  async attribute(page: Page, text: string, options: AttributeOptions = {}): Promise<Attributed> {
    const { unsupported = "replace" } = given(options);
    const request = { type: "attribute", text, unsupported } as const;
    const { lines, passages } = await this.#about("attributed", page, request, options);
    return { lines, passages };
  }

  /** Lets a loaded language model do a few short tasks. They decide what it may write; the worker remembers it. */
  async testWriter(model: string, options: RequestOptions = {}): Promise<WriterTest> {
    return (await this.call("writerTest", { type: "testWriter", model }, options)).test;
  }

  /** A request about a page, which is sent once. */
  #about<T extends AboutPage["type"]>(
    type: T,
    page: Page,
    request: WithoutPage<Request>,
    options: RequestOptions,
    watch?: (event: Interim) => void,
  ): Promise<Extract<AboutPage, { type: T }>> {
    const ask = (page: PageInput) => this.call(type, { ...request, page } as Request, options, undefined, watch);
    return this.#pages.send(page, ask as (page: PageInput) => Promise<Extract<AboutPage, { type: T }>>);
  }
}
