import type { Pith } from "../client.js";
import type { ChatMessage, ToolSpec } from "../protocol.gen.js";

interface Kept {
  message: ChatMessage;
  tokens: number;
}

const QUESTION = [{ role: "user", content: "a" }] as const;

/** The messages of a session, and the tokens that each takes: its text and the template's marks around it. */
export class Context {
  readonly #pith: Pith;
  readonly #model: string;
  /** How many tokens there are. */
  readonly window: number;
  readonly tools: readonly ToolSpec[];
  readonly #marks = new Map<string, Promise<number>>();
  /** Tokens of the tools' declarations. */
  #declared = 0;
  #kept: Kept[] = [];
  /** The first messages, which stay. */
  #start = 0;

  constructor(pith: Pith, model: string, window: number, tools: readonly ToolSpec[] = []) {
    this.#pith = pith;
    this.#model = model;
    this.window = window;
    this.tools = tools;
  }

  /** Counts the tools' declarations; they stay. */
  async declare(): Promise<number> {
    if (this.tools.length === 0) return 0;
    const tools = this.tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters: JSON.parse(parameters) as unknown },
    }));
    const [without, declared] = await Promise.all([this.#rendered(QUESTION), this.#rendered(QUESTION, { tools })]);
    this.#declared = Math.max(0, declared - without);
    return this.#declared;
  }

  get messages(): ChatMessage[] {
    return this.#kept.map(({ message }) => message);
  }

  get usage(): number {
    return this.#declared + this.#kept.reduce((sum, { tokens }) => sum + tokens, 0);
  }

  /** Tokens of the messages that stay. */
  get startUsage(): number {
    return this.#declared + this.#kept.slice(0, this.#start).reduce((sum, { tokens }) => sum + tokens, 0);
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
      // An answer goes with its question, and a tool's result with its call.
      while (["assistant", "tool"].includes(this.#kept[this.#start]?.message.role ?? ""))
        this.#kept.splice(this.#start, 1);
    }
    return this.#kept.length < before;
  }

  copy(): Context {
    const copy = new Context(this.#pith, this.#model, this.window, this.tools);
    copy.#declared = this.#declared;
    copy.#kept = [...this.#kept];
    copy.#start = this.#start;
    return copy;
  }

  async #tokens(message: ChatMessage): Promise<number> {
    const { role, content, toolCalls = [], toolCallId, name } = message;
    if (role === "tool" || toolCalls.length > 0) return this.#tokensOfTool(role, content, toolCalls, toolCallId, name);
    const [text, marks] = await Promise.all([this.#count(content), this.#marksOf(role)]);
    return text + marks;
  }

  /** Tokens of a message with calls, or of a result: what the template adds for it. */
  async #tokensOfTool(
    role: string,
    content: string,
    toolCalls: NonNullable<ChatMessage["toolCalls"]>,
    toolCallId: ChatMessage["toolCallId"],
    name: ChatMessage["name"],
  ): Promise<number> {
    const calls = toolCalls.map(({ id, name: tool, arguments: text }) => ({
      id,
      type: "function",
      function: { name: tool, arguments: JSON.parse(text) as unknown },
    }));
    const call = { id: toolCallId ?? "1", type: "function", function: { name: name ?? "a", arguments: {} } };
    const before =
      role === "tool" ? [...QUESTION, { role: "assistant", content: "", tool_calls: [call] }] : [...QUESTION];
    const added =
      role === "tool" ? { role, content, tool_call_id: call.id, name } : { role, content, tool_calls: calls };
    const [short, long] = await Promise.all([this.#rendered(before), this.#rendered([...before, added])]);
    return Math.max(0, long - short);
  }

  async #count(text: string): Promise<number> {
    return text === "" ? 0 : (await this.#pith.tokenize(this.#model, text)).length;
  }

  /**
   * Tokens of the marks around a message of this role: what one more message adds, less its text. Messages of user and
   * assistant count alike, by the longer marks, so that an answer costs what its text costs as an input.
   */
  #marksOf(role: string): Promise<number> {
    const kind = role === "system" ? role : "turn";
    let marks = this.#marks.get(kind);
    if (!marks) {
      marks = kind === "system" ? this.#systemMarks() : this.#turnMarks();
      this.#marks.set(kind, marks);
    }
    return marks;
  }

  async #turnMarks(): Promise<number> {
    const all = await Promise.all(["user", "assistant"].map((role) => this.#measureMarks(role)));
    return Math.max(...all);
  }

  /** A template with a system message of its own, which ours replaces, hides the marks: then they are those of a turn. */
  async #systemMarks(): Promise<number> {
    const marks = await this.#measureMarks("system");
    return marks > 0 ? marks : this.#marksOf("user");
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

  async #rendered(messages: readonly object[], more: Record<string, unknown> = {}): Promise<number> {
    const variables = { ...more, add_generation_prompt: false };
    const turns = messages.map((message) => ({ ...message }));
    const text = await this.#pith.applyTemplate(this.#model, turns, { variables });
    return (await this.#pith.tokenize(this.#model, text, { parseSpecial: true })).length;
  }
}
