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
  Page,
  PageInput,
  PreparedPrompt,
  PromptTask,
  Request,
  Summary,
  WriterTest,
} from "./protocol.gen.js";
import { Store } from "./store.js";

/** The part of a client that reads pages. */
export class Reader extends Store {
  readonly #pages = new Pages();

  /**
   * Key sentences of a page, each with the position of its passage, and a summary in a language model's words if a `writer`
   * is given. A page object that was sent must not be changed: it is sent once.
   */
  async summarize(page: Page, options: SummarizeOptions = {}): Promise<Summary> {
    const { length = "medium", writer = null, kind = "keyPoints", targetLanguage = null } = given(options);
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
    const {
      limit = null,
      writer = null,
      history = [],
      unsupported = "replace",
      variant = 0,
      keepPrompt = false,
      onDraft,
    } = given(options);
    const wish = { question, limit, writer, history, unsupported, variant, keepPrompt };
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
    const { part = 0 } = given(options);
    const request = (page: PageInput): Request => ({ type: "preparePrompt", page, task, budgetTokens, part });
    return (await this.#pages.send(page, (sent) => this.call("prompt", request(sent), options))).prompt;
  }

  /** Judges a text about a page that was written elsewhere: each line gets the passages that support it. */
  async attribute(page: Page, text: string, options: AttributeOptions = {}): Promise<Attributed> {
    const { unsupported = "replace" } = given(options);
    const request = (page: PageInput): Request => ({ type: "attribute", page, text, unsupported });
    const { lines, passages } = await this.#pages.send(page, (sent) => this.call("attributed", request(sent), options));
    return { lines, passages };
  }

  /** Lets a loaded language model do a few short tasks. They decide what it may write; the worker remembers it. */
  async testWriter(model: string, options: RequestOptions = {}): Promise<WriterTest> {
    return (await this.call("writerTest", { type: "testWriter", model }, options)).test;
  }
}
