import type { Pith } from "../client.js";
import type { ChatMessage } from "../protocol.gen.js";

interface Kept {
  message: ChatMessage;
  tokens: number;
}

/** The messages of a session, and the tokens that each takes: its text and the template's marks around it. */
export class Context {
  readonly #pith: Pith;
  readonly #model: string;
  /** How many tokens there are. */
  readonly window: number;
  readonly #marks = new Map<string, Promise<number>>();
  #kept: Kept[] = [];
  /** The first messages, which stay. */
  #start = 0;

  constructor(pith: Pith, model: string, window: number) {
    this.#pith = pith;
    this.#model = model;
    this.window = window;
  }

  get messages(): ChatMessage[] {
    return this.#kept.map(({ message }) => message);
  }

  get usage(): number {
    return this.#kept.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Tokens of the messages that stay. */
  get startUsage(): number {
    return this.#kept.slice(0, this.#start).reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Tokens that messages take. */
  async measure(messages: readonly ChatMessage[]): Promise<number> {
    const all = await Promise.all(messages.map((message) => this.#tokens(message)));
    return all.reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Adds messages; with `isStart` they are never dropped. */
  async keep(messages: readonly ChatMessage[], isStart = false): Promise<void> {
    const tokens = await Promise.all(messages.map((message) => this.#tokens(message)));
    this.#kept.push(...messages.map((message, at) => ({ message, tokens: tokens[at] ?? 0 })));
    if (isStart) this.#start = this.#kept.length;
  }

  /** Drops the oldest turns until `tokens` more fit. True where any was dropped. */
  makeRoom(tokens: number): boolean {
    const before = this.#kept.length;
    while (this.#kept.length > this.#start && this.usage + tokens > this.window) {
      this.#kept.splice(this.#start, 1);
      // An answer goes with its question.
      while (this.#kept[this.#start]?.message.role === "assistant") this.#kept.splice(this.#start, 1);
    }
    return this.#kept.length < before;
  }

  copy(): Context {
    const copy = new Context(this.#pith, this.#model, this.window);
    copy.#kept = [...this.#kept];
    copy.#start = this.#start;
    return copy;
  }

  async #tokens({ role, content }: ChatMessage): Promise<number> {
    const [text, marks] = await Promise.all([this.#count(content), this.#marksOf(role)]);
    return text + marks;
  }

  async #count(text: string): Promise<number> {
    return text === "" ? 0 : (await this.#pith.tokenize(this.#model, text)).length;
  }

  /** Tokens of the marks around a message of this role: what one more message adds, less its text. */
  #marksOf(role: string): Promise<number> {
    let marks = this.#marks.get(role);
    if (!marks) {
      marks = this.#measureMarks(role);
      this.#marks.set(role, marks);
    }
    return marks;
  }

  async #measureMarks(role: string): Promise<number> {
    const word = "a";
    const pair: ChatMessage[] = [
      { role: "user", content: word },
      { role: "assistant", content: word },
    ];
    const [before, after] =
      role === "system"
        ? [pair, [{ role, content: word }, ...pair]]
        : role === "user"
          ? [pair, [...pair, { role, content: word }]]
          : [pair.slice(0, 1), pair];
    const [short, long, text] = await Promise.all([this.#rendered(before), this.#rendered(after), this.#count(word)]);
    return Math.max(0, long - short - text);
  }

  async #rendered(messages: readonly ChatMessage[]): Promise<number> {
    const variables = { add_generation_prompt: false };
    const turns = messages.map((message) => ({ ...message }));
    const text = await this.#pith.applyTemplate(this.#model, turns, { variables });
    return (await this.#pith.tokenize(this.#model, text, { parseSpecial: true })).length;
  }
}
