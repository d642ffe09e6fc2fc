// Messages between the history page and the host.
import type { BackendChoice } from "@pith/web";

/** The name of the history page's port. */
export const HISTORY_PORT = "history";

/** From the history page to the host: a search by meaning. */
export interface HistoryQuery {
  request: number;
  text: string;
  backend: BackendChoice;
}

/** The answer: the vector of the text, or null where there is no encoder. */
export interface HistoryVector {
  request: number;
  vector: number[] | null;
}
