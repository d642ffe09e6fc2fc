// Messages between the history page and the host.
import type { Reading } from "../encoder-wire.js";

/** The name of the history page's port. */
export const HISTORY_PORT = "history";

/** From the history page to the host: a search by meaning. */
export interface HistoryQuery {
  request: number;
  text: string;
  reading: Reading;
}

/** The answer: the vector of the text, or null where there is no encoder. */
export interface HistoryVector {
  request: number;
  vector: number[] | null;
  /** The stored encoder that made it; empty for the built-in one. */
  encoder: string;
}
