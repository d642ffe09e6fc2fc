// Numbers that are random enough, and the same every time.

/** 32 bits a call (xorshift). */
export function numbers(seed: number): () => number {
  let state = (seed * 2654435769) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state;
  };
}
