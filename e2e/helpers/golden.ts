// How far logits are from golden ones.

/** Rows of floats, one after the other. */
export interface Rows {
  rows: number;
  cols: number;
  values: Float32Array;
}

interface Place {
  offset: number;
  shape: number[];
}

/** A prompt, and where its golden logits lie in their file: those of its last tokens, and those after each greedy token. */
export interface Prompt {
  ids: number[];
  prefill: Place;
  decode: Place;
  greedy: number[];
}

/** Weights are decoded in the kernels, activations and sums are f32. */
export const NMSE_MAX = 1e-8;

/** Error and energy, summed so that prompts count by their rows. */
export class Distance {
  #error = 0;
  #energy = 0;

  /** Adds values and what they should be. */
  add(found: Float32Array, golden: Float32Array): void {
    if (found.length !== golden.length) throw new Error(`${found.length} values where ${golden.length} are golden`);
    for (const [at, wanted] of golden.entries()) {
      const off = found[at]! - wanted;
      // A NaN is no distance at all and would pass every comparison with `>`.
      this.#error += Number.isNaN(off) ? Infinity : off * off;
      this.#energy += wanted * wanted;
    }
  }

  /** Sum of squared errors over the sum of squares. */
  get nmse(): number {
    return this.#energy > 0 ? this.#error / this.#energy : Infinity;
  }
}

/** How far a model's logits are from the golden ones, after prompts and after each token fed behind them. */
export async function distance(
  evaluate: (ids: number[], first: number, decode: number[]) => Promise<Rows>,
  golden: Buffer,
  prompts: Prompt[],
): Promise<{ nmse: number; greedyEqual: boolean }> {
  const sum = new Distance();
  let greedyEqual = true;
  for (const { ids, prefill, decode, greedy } of prompts) {
    const [before, after] = [prefill.shape[0]!, decode.shape[0]!];
    const { rows, cols, values } = await evaluate(ids, ids.length - before, greedy.slice(0, after));
    if (rows !== before + after) throw new Error(`${rows} rows, not ${before} + ${after}`);
    sum.add(values.subarray(0, before * cols), floatsAt(golden, prefill.offset, before * cols));
    sum.add(values.subarray(before * cols), floatsAt(golden, decode.offset, after * cols));
    for (const [step, wanted] of greedy.entries()) {
      const row = before - 1 + step;
      greedyEqual &&= argmax(values.subarray(row * cols, (row + 1) * cols)) === wanted;
    }
  }
  return { nmse: sum.nmse, greedyEqual };
}

/** Index of the largest value, the lowest where several are. */
function argmax(row: Float32Array): number {
  let best = 0;
  for (let at = 1; at < row.length; at++) if (row[at]! > row[best]!) best = at;
  return best;
}

/** Little-endian floats at a place in a file. */
export function floatsAt(file: Buffer, offset: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => file.readFloatLE(offset + 4 * at));
}
