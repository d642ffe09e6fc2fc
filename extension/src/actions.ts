// What can be done with selected text: the built-in actions, and the reader's own.
import { readStored, watchStored, writeStored } from "./storage.js";

const KEY = "actions";
export const BUILT_IN = ["explain", "simplify", "summarize", "translate", "define"] as const;
export type BuiltIn = (typeof BUILT_IN)[number];

export const OWN_MAX = 20;
export const NAME_CHARS_MAX = 60;
/** Of an instruction, the reader's own or one that was edited. */
export const PROMPT_CHARS_MAX = 4_000;
/** Of a selection: what is longer is cut. */
export const SELECTION_CHARS_MAX = 20_000;
/** Alt, Shift and this key. Browsers do not use these combinations. */
export const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;

/** An action that the reader wrote. */
export interface OwnAction {
  id: string;
  name: string;
  /** `{selection}` stands for the selected text, `{title}` for the page's title. */
  prompt: string;
  /** With Alt and Shift, in the panel; null without a shortcut. */
  digit: string | null;
}

/** What is wrong with an own action. Each has its sentence in messages/. */
export type ActionProblem =
  "nameMissing" | "nameTooLong" | "promptMissing" | "promptTooLong" | "tooMany" | "digitTaken";

/** The first thing that is wrong with `action` beside the `others`; null where nothing is. */
export function problemOf(action: OwnAction, others: readonly OwnAction[]): ActionProblem | null {
  if (action.name.trim() === "") return "nameMissing";
  if (action.name.length > NAME_CHARS_MAX) return "nameTooLong";
  if (action.prompt.trim() === "") return "promptMissing";
  if (action.prompt.length > PROMPT_CHARS_MAX) return "promptTooLong";
  if (others.length >= OWN_MAX) return "tooMany";
  if (action.digit !== null && others.some(({ digit }) => digit === action.digit)) return "digitTaken";
  return null;
}

/** An older version, or a broken profile, may have stored anything: what is no valid action is left out. */
export function toActions(stored: unknown): OwnAction[] {
  const found: OwnAction[] = [];
  for (const value of Array.isArray(stored) ? stored.slice(0, OWN_MAX) : []) {
    const { id, name, prompt, digit } = (value ?? {}) as Record<string, unknown>;
    if (typeof id !== "string" || !/^[\w-]{1,64}$/.test(id) || found.some((one) => one.id === id)) continue;
    if (typeof name !== "string" || typeof prompt !== "string") continue;
    const isFree = DIGITS.some((one) => one === digit) && !found.some((one) => one.digit === digit);
    const action = { id, name, prompt, digit: isFree ? (digit as string) : null };
    if (problemOf(action, found) === null) found.push(action);
  }
  return found;
}

/** The reader's own actions, in their order. */
export async function readActions(): Promise<OwnAction[]> {
  return toActions(await readStored(KEY));
}

export const writeActions = (actions: readonly OwnAction[]): Promise<void> => writeStored(KEY, actions);

/** Calls with every change of the own actions; returns what ends that. */
export function watchActions(listener: (actions: OwnAction[]) => void): () => void {
  const stop = new AbortController();
  watchStored((keys) => keys.includes(KEY) && void readActions().then(listener), stop.signal);
  return () => stop.abort();
}

/** Text selected on a page, as the panel takes it over. */
export interface Selected {
  text: string;
  /** Characters that were selected, where more than `text` has. */
  chars: number;
  title: string;
  /** Of the page; BCP 47. */
  language: string | null;
  /** Why there is no text. Each has its sentences in messages/. */
  problem: "selection_none" | "selection_secret" | "selection_closed" | null;
}

/** A wish to do something with selected text. Without `selected` the text is still being read. */
export interface ActionWish {
  /** A built-in action or the id of an own one. */
  action: string;
  selected: Selected | null;
}

/** Where the background leaves such a wish, so that a panel finds it whenever it opens. */
export const wishKey = (tab: number): string => `action.${tab}`;

/** The message of the button at a selection. It carries no text: the background reads the selection itself. */
export const OFFER_TAKEN = "offer-taken";
