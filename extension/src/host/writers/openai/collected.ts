// What the events of one stream add up to.
import type { Connection } from "./connection.js";
import type { ServerCode, ServerError } from "./errors.js";
import type { Limits } from "./limits.js";
import { refusalError, toRefusal } from "./refusals.js";
import { type Call, hostOf, problem } from "./request.js";
import type { StreamEvent, Usage } from "./stream.js";
import { Thinking } from "./thinking.js";

/** What is told while a server works. */
export interface ChatHooks {
  signal: AbortSignal;
  /** All the text so far. */
  onText?: (text: string) => void;
  /** Tokens of the prompt that were read. */
  onReading?: (done: number, total: number) => void;
  /** The server is loading its model; it will be asked again. */
  onLoading?: () => void;
}

export interface ChatResult {
  text: string;
  finish: string | null;
  usage: Usage | null;
  /** Tokens of the hidden thinking, or its pieces where the server does not count. */
  thinkingTokens: number;
  /** Tokens of the answer and the thinking, or their pieces where the server does not count. */
  tokens: number;
  firstToken_ms: number;
  tokensPerSecond: number | null;
}

export class Collected {
  isOver = false;
  hasBegun = false;
  finish: string | null = null;
  #text = "";
  /** Characters that are not shown. */
  #hidden = 0;
  #thinkingPieces = 0;
  #pieces = 0;
  #readTokens = 0;
  #progress = 0;
  #usage: Usage | null = null;
  #rate: number | null = null;
  #first_ms = 0;
  #last_ms = 0;
  readonly #tags = new Thinking();

  constructor(
    private readonly hooks: ChatHooks,
    private readonly begun_ms: number,
  ) {}

  /** Whether more of the prompt was read than ever before, since the last call. */
  hasProgressed(): boolean {
    const before = this.#progress;
    this.#progress = this.#readTokens;
    return this.#progress > before;
  }

  /** Pieces of text so far. */
  get pieces(): number {
    return this.#pieces;
  }

  /** Takes an event; gives an error where it is one. */
  take(event: StreamEvent, connection: Connection, call: Call, limits: Limits): ServerError | null {
    const fail = (code: ServerCode, said = ""): ServerError => problem(connection, call, code, said);
    if (event.type === "tooLong") return fail("server_too_much");
    if (event.type === "garbage") return fail("server_garbage", event.text);
    if (event.type === "error") {
      const names = { host: hostOf(connection), tried: `${connection.base}${call.path}`, retryAfter: null };
      return refusalError(toRefusal(0, event.error), { ...names, hasKey: connection.key !== "" });
    }
    if (event.type === "end") {
      this.isOver = true;
      return null;
    }
    const { content, thinking, finish, usage, reading, tokensPerSecond } = event.piece;
    this.finish = finish ?? this.finish;
    this.#usage = usage ?? this.#usage;
    this.#rate = tokensPerSecond ?? this.#rate;
    if (reading && !this.hasBegun) {
      this.#readTokens = Math.max(this.#readTokens, reading.done);
      this.hooks.onReading?.(reading.done, reading.total);
    }
    if (content === "" && thinking === "") return null;
    const now_ms = performance.now();
    if (!this.hasBegun) this.#first_ms = now_ms;
    this.#last_ms = now_ms;
    this.hasBegun = true;
    this.#pieces += 1;
    const split = this.#tags.take(content);
    if (thinking !== "" || split.thinking !== "") this.#thinkingPieces += 1;
    this.#hidden += thinking.length + Math.max(0, content.length - split.content.length);
    this.#text += split.content;
    if (this.#text.length > limits.text || this.#hidden > limits.text) return fail("server_too_much");
    if (split.content !== "") this.hooks.onText?.(this.#text);
    return null;
  }

  result(fail: (code: ServerCode) => ServerError): ChatResult {
    const text = this.#text + this.#tags.end().content;
    if (text.trim() === "") throw fail(this.#thinkingPieces > 0 ? "server_only_thought" : "server_empty");
    const spent_ms = this.#last_ms - this.#first_ms;
    const tokens = this.#usage?.tokens || this.#pieces;
    return {
      text,
      finish: this.finish,
      usage: this.#usage,
      tokens,
      thinkingTokens: this.#usage?.thinkingTokens ?? this.#thinkingPieces,
      firstToken_ms: this.#first_ms - this.begun_ms,
      tokensPerSecond: this.#rate ?? (spent_ms > 0 && tokens > 1 ? ((tokens - 1) * 1000) / spent_ms : null),
    };
  }
}
