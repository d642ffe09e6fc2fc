import type { FinishReason, GenerationStats } from "./protocol.gen.js";

/** What a generation ends with. */
export interface GenerationResult {
  text: string;
  ids: number[];
  /** Why it ended. */
  finishReason: FinishReason;
  stats: GenerationStats;
}

/**
 * Text while it is made: iterate for the pieces, await `result` for the whole.
 * Leaving the loop early ends the generation.
 */
export class Generation implements AsyncIterable<string> {
  /** The whole text with its numbers. Rejects with the error that ended the generation. */
  readonly result: Promise<GenerationResult>;
  readonly #pieces: string[] = [];
  readonly #stop: () => void;
  #ended = false;
  #wake: () => void = () => {};

  /** `start` begins the work: it is given where pieces go, and gives the result. `stop` ends it. */
  constructor(start: (push: (piece: string) => void) => Promise<GenerationResult>, stop: () => void) {
    this.#stop = stop;
    this.result = start((piece) => {
      this.#pieces.push(piece);
      this.#wake();
    }).finally(() => {
      this.#ended = true;
      this.#wake();
    });
    // Who only iterates learns of an error there; without this it would also count as unhandled.
    this.result.catch(() => {});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, void> {
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
