// What an own server may send, and how long it may take.

export interface Limits {
  /** Longest line of a stream, in characters. */
  line: number;
  /** Longest text of a model, and of its thinking, in characters. */
  text: number;
  /** All bytes and lines of one stream: a server may send comments without an end. */
  streamBytes: number;
  lines: number;
  /** Bytes since the last piece of text. */
  idleBytes: number;
  /** Bytes of a list of models. */
  listBytes: number;
  /** Bytes of an error's body that are read. */
  errorBytes: number;
  models: number;
  /** Until the first token: the server reads the prompt meanwhile. */
  first_ms: number;
  /** Without a byte, later. */
  silence_ms: number;
  /** For everything: a server may tell of progress without an end. */
  all_ms: number;
  /** How long a server may load its model. */
  loading_ms: number;
  /** Between two questions whether the model is loaded. */
  poll_ms: number;
}

const MIB = 1 << 20;

export const LIMITS: Limits = {
  line: MIB,
  text: 64 << 10,
  streamBytes: 64 * MIB,
  lines: MIB,
  idleBytes: 8 * MIB,
  listBytes: 4 * MIB,
  errorBytes: 64 << 10,
  models: 1_000,
  first_ms: 300_000,
  silence_ms: 60_000,
  all_ms: 1_800_000,
  loading_ms: 600_000,
  poll_ms: 1_000,
};
