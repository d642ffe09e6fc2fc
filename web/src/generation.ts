import type { FinishReason, GenerationStats, MessageDelta, ParsedMessage, TokenLogprobs } from "./protocol.gen.js";

/** Result of a generation. */
export interface GenerationResult {
  text: string;
  /** The text taken apart into reasoning, content and tool calls, if the prompt asks for it. */
  message: ParsedMessage | null;
  ids: number[];
  /** One per id, if log probabilities were requested. */
  logprobs: TokenLogprobs[] | null;
  /** Why it ended. */
  finishReason: FinishReason;
  stats: GenerationStats;
}

/** Text as it is generated, with the tokens since the last piece if log probabilities were requested. */
export interface GenerationPiece {
  text: string;
  logprobs: TokenLogprobs[];
  /** The same text taken apart, if the prompt asks for it. */
  deltas: MessageDelta[];
}

/**
 * A running generation: iterate it for text as it is generated, await `result` for the complete text.
 * Leaving the loop early aborts the generation.
 */
export class Generation implements AsyncIterable<string> {
  /** The complete text with its statistics. Rejects with the error that ended the generation. */
  readonly result: Promise<GenerationResult>;
  readonly #pieces: GenerationPiece[] = [];
  readonly #stop: () => void;
  #ended = false;
  #wake: () => void = () => {};

  /** `start` starts the request: it passes text to `push` and resolves with the result. `stop` aborts it. */
  constructor(start: (push: (piece: GenerationPiece) => void) => Promise<GenerationResult>, stop: () => void) {
    this.#stop = stop;
    this.result = start((piece) => {
      this.#pieces.push(piece);
      this.#wake();
    }).finally(() => {
      this.#ended = true;
      this.#wake();
    });
    // Iterating also throws the error; without this line it would count as unhandled too.
    this.result.catch(() => {});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, void> {
    for await (const { text } of this.pieces()) if (text) yield text;
  }

  /** As iterating the generation itself, with log probabilities. */
  async *pieces(): AsyncGenerator<GenerationPiece, void, void> {
    try {
      for (;;) {
        const piece = this.#pieces.shift();
        if (piece !== undefined) {
          yield piece;
        } else if (this.#ended) {
          await this.result;
          return;
        } else {
          await new Promise<void>((wake) => (this.#wake = wake));
        }
      }
    } finally {
      if (!this.#ended) this.#stop();
    }
  }
}
