// What panels and the host tell each other about selected text.
import type { Job } from "./wire.js";

/** How an answer ends: by itself, at its longest length, or because it repeated itself. */
export type Ending = "whole" | "length" | "loop";

/** An answer in words, as far as it has come. */
export interface Written {
  text: string;
  /** Instead of words: sentences of the selection. */
  sentences: string[];
  ending: Ending;
  timeMs: number;
}

/** An instruction about selected text, and what became of it. */
export interface ActTurn {
  instruction: string;
  job: Job<Written>;
}

/** Selected text, and what was asked of it. */
export interface Act {
  id: number;
  /** What the first instruction is called. */
  name: string;
  text: string;
  turns: ActTurn[];
}

/** A request to do something with selected text. `act`: an earlier one that is asked on. */
export interface ActRequest {
  act: number | null;
  name: string;
  /** A summary can do without a writer. */
  isSummary: boolean;
  text: string;
  title: string;
  language: string | null;
  instruction: string;
}
