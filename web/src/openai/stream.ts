/** Chunks as they come. Leaving the loop, or `controller.abort()`, ends the request. */
export class Stream<T> implements AsyncIterable<T> {
  readonly controller: AbortController;
  readonly #chunks: AsyncGenerator<T, void, void>;
  #taken = false;

  constructor(chunks: AsyncGenerator<T, void, void>, controller: AbortController) {
    this.#chunks = chunks;
    this.controller = controller;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, void> {
    if (this.#taken) throw new Error("a stream can be read only once; use tee() to read it twice");
    this.#taken = true;
    try {
      for await (const chunk of this.#chunks) yield chunk;
    } finally {
      this.controller.abort();
    }
  }

  /** Two streams with the same chunks. */
  tee(): [Stream<T>, Stream<T>] {
    const source = this[Symbol.asyncIterator]();
    const waiting: [Promise<IteratorResult<T, void>>[], Promise<IteratorResult<T, void>>[]] = [[], []];
    const side = async function* (at: 0 | 1): AsyncGenerator<T, void, void> {
      for (;;) {
        let next = waiting[at].shift();
        if (!next) {
          next = source.next();
          waiting[1 - at]?.push(next);
        }
        const { done, value } = await next;
        if (done) return;
        yield value;
      }
    };
    return [new Stream(side(0), this.controller), new Stream(side(1), this.controller)];
  }

  /** Bytes: a line of JSON for each chunk. */
  toReadableStream(): ReadableStream<Uint8Array> {
    const chunks = this[Symbol.asyncIterator]();
    const encoder = new TextEncoder();
    return new ReadableStream({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      },
      // The chunks would end only behind the next one.
      cancel: () => this.controller.abort(),
    });
  }
}
