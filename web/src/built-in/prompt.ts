// Inputs of the Prompt API, checked as its specification says.
import type { ChatMessage } from "../protocol.gen.js";
import { syntax, unsupported } from "./errors.js";
import { readCall, readResponse } from "./tools.js";

export interface MessageContent {
  type: string;
  value: unknown;
}

/** A message of an input. */
export interface PromptMessage {
  role: string;
  content: string | readonly MessageContent[];
  /** The answer begins with this message, the last one, of the assistant. */
  prefix?: boolean;
}

export type PromptInput = string | readonly PromptMessage[];

/** Messages as chat templates know them. */
export interface Turns {
  messages: ChatMessage[];
  hasPrefix: boolean;
}

const ROLES = ["system", "user", "assistant"];
const TYPES = ["text", "image", "audio", "tool-call", "tool-response"];

/** What an input may have beside text of the user and the assistant. */
export interface PromptRules {
  /** A first message of the system. */
  system: boolean;
  /** A last message of the assistant that the answer continues. */
  prefix: boolean;
  /** Types of content that the session expects. */
  types: ReadonlySet<string>;
}

/** Reads an input. A text is a message of the user. */
export function readPrompt(input: unknown, rules: PromptRules): Turns {
  if (!Array.isArray(input)) return { messages: [{ role: "user", content: String(input) }], hasPrefix: false };
  let hasPrefix = false;
  const messages = (input as PromptMessage[]).flatMap((message, at) => {
    const { role, content, prefix = false } = message;
    if (!ROLES.includes(role)) throw new TypeError(`"${String(role).slice(0, 40)}" is no role of a message.`);
    if (role === "system" && !(rules.system && at === 0))
      throw new TypeError("The system's message must be the first of a session.");
    if (prefix) {
      if (role !== "assistant" || at !== input.length - 1 || !rules.prefix)
        throw syntax("Only a last message of the assistant can be a prefix.");
      hasPrefix = true;
    }
    return readMessage(role, content, rules.types);
  });
  return { messages, hasPrefix };
}

/** A message; a user's message with results of tools is one for each result, and one for its text. */
function readMessage(role: string, content: unknown, types: ReadonlySet<string>): ChatMessage[] {
  if (!Array.isArray(content)) return [{ role, content: String(content) }];
  const texts: string[] = [];
  const toolCalls: NonNullable<ChatMessage["toolCalls"]> = [];
  const results: ChatMessage[] = [];
  for (const { type, value } of content as MessageContent[]) {
    if (!TYPES.includes(type)) throw new TypeError(`"${String(type).slice(0, 40)}" is no type of content.`);
    if (type === "text") {
      if (typeof value !== "string") throw new TypeError("The value of a text must be a string.");
      texts.push(value);
      continue;
    }
    if (type === "tool-call" && role !== "assistant") throw new TypeError("A tool call is content of the assistant.");
    if (type === "tool-response" && role !== "user") throw new TypeError("A tool response is content of the user.");
    if (!types.has(type)) throw unsupported(`Content of the type "${type}" that expectedInputs does not have`);
    if (type === "tool-call") toolCalls.push(readCall(value));
    else {
      const { id, name, text } = readResponse(value);
      results.push({ role: "tool", content: text, toolCallId: id, name });
    }
  }
  if (texts.length === 0 && results.length > 0) return results;
  return [...results, { role, content: texts.join(""), ...(toolCalls.length > 0 && { toolCalls }) }];
}

/** What a session expects, as far as it is checked. */
export interface Expected {
  type: string;
  languages?: readonly string[];
}

/** Types and languages that are expected; throws for a bad tag, and for a type that is not in `able`. */
export function readExpected(
  list: readonly Expected[] | undefined,
  able: readonly string[],
): { types: Set<string>; languages: string[] } {
  const types = new Set<string>();
  const languages = (list ?? []).flatMap(({ type, languages: tags = [] }) => {
    if (!TYPES.includes(type)) throw new TypeError(`"${String(type).slice(0, 40)}" is no type of content.`);
    const known = tagsOf(tags);
    if (!able.includes(type)) throw unsupported(`Content of the type "${type}"`);
    types.add(type);
    return known;
  });
  return { types, languages };
}

/** Canonical tags; a RangeError for what is none. */
export const tagsOf = (tags: readonly string[]): string[] => Intl.getCanonicalLocales([...tags]);
