// A model on a server of the reader's own. Prompts and judgement are this device's; the server gets chat messages alone.
import type { Answer, Page, Progress, Summary, Unsupported, WrittenText } from "@pith/web";
import type { Device, Prepared, Wanted } from "./device.js";
import { chat } from "./openai/client.js";
import type { ChatResult } from "./openai/collected.js";
import { type Connection, readConnection } from "./openai/connection.js";
import { serverError, ServerError } from "./openai/errors.js";
import { LIMITS } from "./openai/limits.js";
import { hostOf } from "./openai/request.js";
import { linesMax, type Part, toWritten } from "./parts.js";
import { isOther, translationPrompt, withTranslation } from "./translate.js";
import type { AnswerWish, Hooks, SummaryWish, Writer } from "./writer.js";

/** Where a server does not tell its context length: what most have at least. */
const CONTEXT_TOKENS = 4_096;
/** Longest text that is asked for, with thinking. */
const WRITTEN_TOKENS = 1_024;
/** The prompt's length is an estimate, and the chat template adds to it. */
const SLACK = 0.85;
/** How often a prompt that is too long is made shorter. */
const SHORTER_MAX = 2;
const BUDGET_MIN = 256;

interface Task {
  connection: Connection;
  page: Page;
  wanted: Wanted;
  unsupported: Unsupported;
  variant: number;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  onDraft: (written: WrittenText) => void;
}

/** Lets the reader's server write. */
export class ServerWriter implements Writer {
  constructor(
    private readonly device: Device,
    private readonly connect = readConnection,
    private readonly limits = LIMITS,
  ) {}

  async summarize(page: Page, wish: SummaryWish, hooks: Hooks<Summary>): Promise<Summary> {
    const { kind, length, targetLanguage } = wish;
    const connection = await this.#connected();
    const summary = await this.device.summarize(page, length, hooks.signal);
    const wanted: Wanted = { type: "summarize", kind, length };
    const onDraft = (written: WrittenText): void => hooks.onDraft({ ...summary, written });
    const written = await this.#write({ connection, page, wanted, ...wish, ...hooks, onDraft });
    if (!written?.lines.length) return { ...summary, written: null, notWritten: "nothingSupported" };
    if (!isOther(targetLanguage, summary.language)) return { ...summary, written };
    onDraft(written);
    return { ...summary, written: await this.#translated(written, targetLanguage, { connection, ...wish, ...hooks }) };
  }

  /** What was written, in another language. */
  async #translated(
    written: WrittenText,
    target: string,
    { connection, variant, signal, onProgress }: Pick<Task, "connection" | "variant" | "signal" | "onProgress">,
  ): Promise<WrittenText> {
    const begun_ms = performance.now();
    const maxTokens = this.#answerTokens(connection.contextTokens ?? CONTEXT_TOKENS);
    const { text, tokens, usage } = await chat(
      connection,
      { messages: translationPrompt(written.lines, target), maxTokens, variant },
      {
        signal,
        onText: () => onProgress({ stage: "decode", done: 0, total: 0 }),
        onReading: () => {},
        onLoading: () => {},
      },
      this.limits,
    );
    return {
      ...written,
      lines: withTranslation(written.lines, text),
      tokens: written.tokens + tokens,
      promptTokens: written.promptTokens + (usage?.promptTokens ?? 0),
      timeMs: written.timeMs + performance.now() - begun_ms,
    };
  }

  async ask(page: Page, question: string, wish: AnswerWish, hooks: Hooks<Answer>): Promise<Answer> {
    const connection = await this.#connected();
    const answer = await this.device.ask(page, question, hooks.signal);
    const wanted: Wanted = { type: "ask", question, history: wish.history };
    const onDraft = (written: WrittenText): void => hooks.onDraft({ ...answer, written });
    const written = await this.#write({ connection, page, wanted, ...wish, ...hooks, onDraft });
    if (written?.lines.length) return { ...answer, written };
    return { ...answer, written: null, notWritten: written ? "nothingSupported" : "notOnPage" };
  }

  async #connected(): Promise<Connection> {
    const connection = await this.connect();
    if (!connection) throw serverError("server_off", "");
    return connection;
  }

  /** Null where the page does not answer. A prompt that is too long for the server is made shorter. */
  async #write(task: Task): Promise<WrittenText | null> {
    const context_tokens = task.connection.contextTokens ?? CONTEXT_TOKENS;
    let budget_tokens = Math.floor((context_tokens - this.#answerTokens(context_tokens)) * SLACK);
    for (let tried = 0; ; tried++) {
      try {
        return await this.#parts(task, Math.max(budget_tokens, BUDGET_MIN));
      } catch (error) {
        if (!(error instanceof ServerError) || error.code !== "server_too_long" || tried >= SHORTER_MAX) throw error;
        budget_tokens = shorter(budget_tokens, error, this.#answerTokens(error.room?.contextTokens ?? context_tokens));
      }
    }
  }

  /** At most half of the context is for what is written. */
  #answerTokens = (context_tokens: number): number => Math.min(WRITTEN_TOKENS, Math.floor(context_tokens / 2));

  async #parts(task: Task, budget_tokens: number): Promise<WrittenText | null> {
    const { device } = this;
    const begun_ms = performance.now();
    const parts: Part[] = [];
    const facts = { by: hostOf(task.connection), context_tokens: task.connection.contextTokens ?? 0, begun_ms };
    for (let at = 0, count = 1; at < count; at++) {
      const prepared = await device.prepare(task.page, task.wanted, budget_tokens, at, task.signal);
      if (!prepared.answered) return null;
      count = prepared.parts;
      const onLines = (part: Part): void => task.onDraft(toWritten([...parts, part], linesMax(task.wanted), facts));
      parts.push(await this.#part(task, prepared, onLines));
    }
    return toWritten(parts, linesMax(task.wanted), facts);
  }

  /** Has one part written. Lines are judged as they come, one judgement at a time. */
  async #part(task: Task, prepared: Prepared, onLines: (part: Part) => void): Promise<Part> {
    const { connection, page, unsupported, signal, onProgress } = task;
    let judging: Promise<void> | null = null;
    let judged = 0;
    let first_ms: number | null = null;
    const judge = async (text: string, result: ChatResult | null): Promise<Part> => {
      const judged = await this.device.attribute(page, text, unsupported, signal);
      if (judged.lines.length > 0) first_ms ??= performance.now();
      return { prepared, ...judged, result, first_ms };
    };
    const onText = (text: string): void => {
      onProgress({ stage: "decode", done: 0, total: 0 });
      const end = text.lastIndexOf("\n");
      if (judging !== null || end <= judged) return;
      judged = end;
      // The whole text is judged again at its end, and says what went wrong.
      judging = judge(text.slice(0, end), null)
        .then(onLines, () => {})
        .finally(() => {
          judging = null;
        });
    };
    const maxTokens = this.#answerTokens(connection.contextTokens ?? CONTEXT_TOKENS);
    const result = await chat(
      connection,
      { messages: prepared.messages, maxTokens, variant: task.variant },
      {
        signal,
        onText,
        onReading: (done, total) => onProgress({ stage: "prefill", done, total }),
        onLoading: () => onProgress({ stage: "load", done: 0, total: 0 }),
      },
      this.limits,
    );
    await judging;
    return judge(result.text, result);
  }
}

/** By as much as the server says that it is too long, else by half. */
function shorter(budget_tokens: number, { room }: ServerError, answer_tokens: number): number {
  const { promptTokens, contextTokens } = room ?? {};
  if (!promptTokens || !contextTokens) return Math.floor(budget_tokens / 2);
  const share = Math.max(0.1, ((contextTokens - answer_tokens) / promptTokens) * SLACK);
  return Math.floor(budget_tokens * Math.min(share, 0.75));
}
