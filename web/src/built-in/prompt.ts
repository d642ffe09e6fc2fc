// Inputs of the Prompt API, checked as its specification says.
import type { ChatMessage } from "../protocol.gen.js";
import { syntax, unsupported } from "./errors.js";

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

/** Reads an input. A text is a message of the user. `isStart`: these are the first messages of a session. */
export function readPrompt(input: unknown, isStart: boolean): Turns {
  if (!Array.isArray(input)) {
    const text = String(input);
    if (text === "" && !isStart) throw syntax("The prompt is empty.");
    return { messages: [{ role: "user", content: text }], hasPrefix: false };
  }
  if (input.length === 0 && !isStart) throw syntax("The prompt is empty.");
  let hasPrefix = false;
  const messages = (input as PromptMessage[]).map((message, at) => {
    const { role, content, prefix = false } = message;
    if (!ROLES.includes(role)) throw new TypeError(`"${String(role).slice(0, 40)}" is no role of a message.`);
    if (role === "system" && !(isStart && at === 0))
      throw isStart ? new TypeError("The system's message must be the first.") : unsupported("A later system message");
    if (prefix) {
      if (role !== "assistant" || at !== input.length - 1 || isStart)
        throw syntax("Only a last message of the assistant can be a prefix.");
      hasPrefix = true;
    }
    return { role, content: readContent(content, role) };
  });
  return { messages, hasPrefix };
}

function readContent(content: unknown, role: string): string {
  if (!Array.isArray(content)) return String(content);
  return (content as MessageContent[])
    .map(({ type, value }) => {
      if (type !== "text") {
        const known = ["image", "audio", "tool-call", "tool-response"].includes(type);
        if (!known) throw new TypeError(`"${String(type).slice(0, 40)}" is no type of content.`);
        throw unsupported(`Content of the type "${type}" in a message of the ${role}`);
      }
      if (typeof value !== "string") throw new TypeError("The value of a text must be a string.");
      return value;
    })
    .join("");
}

/** What a session expects, as far as it is checked. */
export interface Expected {
  type: string;
  languages?: readonly string[];
}

/** The languages that are expected; throws for a bad tag, and for what is no text. */
export function readExpected(lists: readonly (readonly Expected[] | undefined)[]): string[] {
  return lists.flatMap((list) =>
    (list ?? []).flatMap(({ type, languages = [] }) => {
      if (!["text", "image", "audio", "tool-call", "tool-response"].includes(type))
        throw new TypeError(`"${String(type).slice(0, 40)}" is no type of content.`);
      if (type !== "text") throw unsupported(`Content of the type "${type}"`);
      return tagsOf(languages);
    }),
  );
}

/** Canonical tags; a RangeError for what is none. */
export const tagsOf = (tags: readonly string[]): string[] => Intl.getCanonicalLocales([...tags]);
