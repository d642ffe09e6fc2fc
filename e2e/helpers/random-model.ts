// A model of random weights, large enough that loading and running it takes time: for cases about time. Its text means
// nothing, and it has no tokenizer: it is asked by ids.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";
import { type LlamaShape, llamaSlots, type Slot, type Tensor, writeLlama } from "./gguf.ts";

/** Ids are below this. */
export const VOCAB = 8192;
const COMMON = { vocab: VOCAB, context: 4096 };
const [F32, F16] = [0, 1];

/** Files of 58 MB, 24.6 MB, 8.9 MB and 3.7 MB; the smallest is small enough for a GPU that is emulated. */
const SHAPES = {
  large: { width: 512, inner: 1536, layers: 8, heads: 8, kvHeads: 4, ...COMMON },
  medium: { width: 256, inner: 768, layers: 13, heads: 4, kvHeads: 2, ...COMMON },
  modest: { width: 256, inner: 768, layers: 3, heads: 4, kvHeads: 2, ...COMMON },
  small: { width: 128, inner: 384, layers: 4, heads: 4, kvHeads: 2, ...COMMON },
} satisfies Record<string, LlamaShape>;

/** Norms are 1; matrices are random, near enough to 0.04 in size that their products neither vanish nor explode. */
export function random([name, shape, isMatrix]: Slot, seed: number): Tensor {
  const length = shape.reduce((a, b) => a * b, 1);
  const norm = () => Buffer.from(new Float32Array(length).fill(1).buffer);
  if (!isMatrix) return { name, shape, type: F32, size_bytes: 4 * length, bytes: norm };
  const matrix = () => {
    const halves = new Uint16Array(length);
    let state = (seed * 2654435769) >>> 0 || 1;
    for (let at = 0; at < length; at += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      // A random sign and mantissa around 2^-5.
      halves[at] = (state & 0x83ff) | 0x2800;
    }
    return Buffer.from(halves.buffer);
  };
  return { name, shape, type: F16, size_bytes: 2 * length, bytes: matrix };
}

/** The file, written once. */
export function randomModel(size: keyof typeof SHAPES): string {
  const file = resolve(ROOT, `.cache/models/random-${size}.gguf`);
  if (existsSync(file)) return file;
  const shape = SHAPES[size];
  writeLlama(
    file,
    shape,
    llamaSlots(shape).map((slot, at) => random(slot, at + 1)),
  );
  return file;
}
