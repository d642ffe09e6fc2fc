// A model that is not the worker's: on a server of the reader's own, or the browser's. Prompts and judgement are this device's; the
// model gets chat messages alone.
import type { Answer, Page, Progress, Summary, Unsupported, WrittenText } from "@pith/web";
import type { Device, Prepared, Wanted } from "./device.js";
import type { ChatRequest } from "./openai/client.js";
import type { ChatHooks, ChatResult } from "./openai/collected.js";
import type { Room } from "./openai/errors.js";
import { linesMax, type Part, toWritten } from "./parts.js";
import { isOther, translationPrompt, withoutFar, withTranslation } from "./translate.js";
import type { AnswerWish, Hooks, SummaryWish, Writer } from "./writer.js";

/** Who is given messages, and gives text. */
export interface Talker {
  /** As the reader knows it. */
  by: string;
  where: "server" | "browser";
  /** Its context length; null where nobody tells it. */
  contextTokens: number | null;
  chat(request: ChatRequest, hooks: ChatHooks): Promise<ChatResult>;
  /** What an error tells of a prompt that is too long; null where it is about something else. */
  roomOf(error: unknown): Room | null;
}

/** Where nobody tells the context length: what most have at least. */
const CONTEXT_TOKENS = 4_096;
/** Longest text that is asked for, with thinking. */
const WRITTEN_TOKENS = 1_024;
/** The prompt's length is an estimate, and the chat template adds to it. */
const SLACK = 0.85;
/** How often a prompt that is too long is made shorter. */
const SHORTER_MAX = 2;
const BUDGET_MIN = 256;

interface Task {
  talker: Talker;
  page: Page;
  wanted: Wanted;
  unsupported: Unsupported;
  variant: number;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
  onDraft: (written: WrittenText) => void;
}

/** Lets another model than the worker's write. */
export class ElsewhereWriter implements Writer {
  constructor(
    private readonly device: Device,
    private readonly open: (signal: AbortSignal) => Promise<Talker>,
  ) {}

  async summarize(page: Page, wish: SummaryWish, hooks: Hooks<Summary>): Promise<Summary> {
    const { kind, length, targetLanguage } = wish;
    const talker = await this.open(hooks.signal);
    const summary = await this.device.summarize(page, length, hooks.signal);
    const wanted: Wanted = { type: "summarize", kind, length };
    const onDraft = (written: WrittenText): void => hooks.onDraft({ ...summary, written });
    const written = await this.#write({ talker, page, wanted, ...wish, ...hooks, onDraft });
    if (!written?.lines.length) return { ...summary, written: null, notWritten: "nothingSupported" };
    if (!isOther(targetLanguage, summary.language)) return { ...summary, written };
    onDraft(written);
    return {
      ...summary,
      written: await this.#translated(written, summary.language, { talker, ...wish, ...hooks, targetLanguage }),
    };
  }

  /** What was written, in another language. */
  async #translated(
    written: WrittenText,
    language: string,
    {
      talker,
      variant,
      signal,
      onProgress,
      targetLanguage: target,
    }: Pick<Task, "talker" | "variant" | "signal" | "onProgress"> & { targetLanguage: string },
  ): Promise<WrittenText> {
    const begun_ms = performance.now();
    const maxTokens = this.#answerTokens(talker.contextTokens ?? CONTEXT_TOKENS);
    const { text, tokens, usage } = await talker.chat(
      { messages: translationPrompt(written.lines, target), maxTokens, variant },
      { signal, onText: () => onProgress({ stage: "decode", done: 0, total: 0 }) },
    );
    const lines = withTranslation(written.lines, text, target);
    const vectors = await this.device.embed(
      [...written.lines, ...lines].map(({ text }) => text),
      [language, target],
      signal,
    );
    return {
      ...written,
      lines: vectors ? withoutFar(written.lines, lines, vectors) : lines,
      tokens: written.tokens + tokens,
      promptTokens: written.promptTokens + (usage?.promptTokens ?? 0),
      timeMs: written.timeMs + performance.now() - begun_ms,
    };
  }

  async ask(page: Page, question: string, wish: AnswerWish, hooks: Hooks<Answer>): Promise<Answer> {
    const talker = await this.open(hooks.signal);
    const answer = await this.device.ask(page, question, hooks.signal);
    const wanted: Wanted = { type: "ask", question, history: wish.history };
    const onDraft = (written: WrittenText): void => hooks.onDraft({ ...answer, written });
    const written = await this.#write({ talker, page, wanted, ...wish, ...hooks, onDraft });
    if (written?.lines.length) return { ...answer, written };
    return { ...answer, written: null, notWritten: written ? "nothingSupported" : "notOnPage" };
  }

  /** Null where the page does not answer. A prompt that is too long is made shorter. */
  async #write(task: Task): Promise<WrittenText | null> {
    const context_tokens = task.talker.contextTokens ?? CONTEXT_TOKENS;
    let budget_tokens = Math.floor((context_tokens - this.#answerTokens(context_tokens)) * SLACK);
    for (let tried = 0; ; tried++) {
      try {
        return await this.#parts(task, Math.max(budget_tokens, BUDGET_MIN));
      } catch (error) {
        const room = task.talker.roomOf(error);
        if (!room || tried >= SHORTER_MAX) throw error;
        budget_tokens = shorter(budget_tokens, room, this.#answerTokens(room.contextTokens ?? context_tokens));
      }
    }
  }

  /** At most half of the context is for what is written. */
  #answerTokens = (context_tokens: number): number => Math.min(WRITTEN_TOKENS, Math.floor(context_tokens / 2));

  async #parts(task: Task, budget_tokens: number): Promise<WrittenText | null> {
    const { device } = this;
    const begun_ms = performance.now();
    const parts: Part[] = [];
    const { by, where, contextTokens } = task.talker;
    const facts = { by, where, context_tokens: contextTokens ?? 0, begun_ms };
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
    const { talker, page, unsupported, signal, onProgress } = task;
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
    const maxTokens = this.#answerTokens(talker.contextTokens ?? CONTEXT_TOKENS);
    const result = await talker.chat(
      { messages: prepared.messages, maxTokens, variant: task.variant },
      {
        signal,
        onText,
        onReading: (done, total) => onProgress({ stage: "prefill", done, total }),
        onLoading: () => onProgress({ stage: "load", done: 0, total: 0 }),
      },
    );
    await judging;
    return judge(result.text, result);
  }
}

/** By as much as it is said to be too long, else by half. */
function shorter(budget_tokens: number, { promptTokens, contextTokens }: Room, answer_tokens: number): number {
  if (!promptTokens || !contextTokens) return Math.floor(budget_tokens / 2);
  const share = Math.max(0.1, ((contextTokens - answer_tokens) / promptTokens) * SLACK);
  return Math.floor(budget_tokens * Math.min(share, 0.75));
}
