// How outputs are compared with the golden ones, by the rules of the reference set's README.

/** Rows of floats, one after the other. */
export interface Rows {
  rows: number;
  cols: number;
  values: Float32Array;
}

/** Error and energy, summed so that a case's prompts count by their rows. */
export class Distance {
  #error = 0;
  #energy = 0;
  #largest = 0;

  /** Adds values and what they should be. */
  add(found: Float32Array, golden: Float32Array): void {
    if (found.length !== golden.length) throw new Error(`${found.length} values where ${golden.length} are golden`);
    for (const [at, wanted] of golden.entries()) {
      const off = found[at]! - wanted;
      this.#error += off * off;
      this.#energy += wanted * wanted;
      this.#largest = Math.max(this.#largest, Math.abs(off));
      // A NaN is no distance at all and would pass every comparison with `>`.
      if (Number.isNaN(off)) this.#error = Infinity;
    }
  }

  /** Sum of squared errors over the sum of squares. */
  get nmse(): number {
    return this.#energy > 0 ? this.#error / this.#energy : Infinity;
  }

  /** Whether it is small enough; so it is where nothing was added. */
  within(limit: number): boolean {
    return (this.#error === 0 && this.#energy === 0) || this.nmse <= limit;
  }

  /** The largest error of one value. */
  get maxAbs(): number {
    return this.#largest;
  }
}

/** Index of the largest value, the lowest where several are. */
export function argmax(row: Float32Array): number {
  let best = 0;
  for (let at = 1; at < row.length; at++) if (row[at]! > row[best]!) best = at;
  return best;
}

/** How far the largest value is from the second. */
export function margin(row: Float32Array): number {
  const best = argmax(row);
  return row[best]! - row.reduce((second, value, at) => (at === best ? second : Math.max(second, value)), -Infinity);
}

/** Cosine of two vectors. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    ab += a[at]! * b[at]!;
    aa += a[at]! * a[at]!;
    bb += b[at]! * b[at]!;
  }
  return ab / Math.sqrt(aa * bb);
}

/** Little-endian floats at a place in a golden file. */
export function floatsAt(file: Buffer, offset: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, at) => file.readFloatLE(offset + 4 * at));
}

/** Floats as the page sends them. */
export function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return floatsAt(bytes, 0, bytes.length / 4);
}
