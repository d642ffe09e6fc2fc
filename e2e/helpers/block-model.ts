// A model whose matrices are the reference set's blocks of one weight format, and its twin, which holds in F32 what ggml
// made of those blocks. Both must give the same logits.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { llamaSlots, type LlamaShape, type Tensor, writeLlama } from "./gguf.ts";

/** Random blocks of a weight format, and ggml's decoding of them. */
export interface BlockRecord {
  format: string;
  /** ggml's number of it. */
  ggml_type: number;
  values: number;
  /** Files: the blocks, and their values in F32. */
  raw: string;
  f32: string;
}

/** Rows are one block of the largest formats; a row of the record's values is a row of the embedding. */
const SHAPE: LlamaShape = { width: 256, inner: 512, layers: 2, heads: 4, kvHeads: 2, vocab: 32, context: 64 };
const F32 = 0;

/** Ids that such a model knows, each once. */
export const BLOCK_MODEL_IDS = Array.from({ length: SHAPE.vocab }, (_, at) => (at * 7 + 3) % SHAPE.vocab);

/** Rows of `stored`, each tensor's beginning at another, so that no two matrices are the same. */
function rows(stored: Buffer, count: number, cols: number, first: number, row_bytes: number): Buffer {
  const taken_bytes = (row_bytes * cols) / SHAPE.width;
  const starts = (stored.length - taken_bytes) / row_bytes + 1;
  const at = (row: number) => ((first + row * 5) % starts) * row_bytes;
  return Buffer.concat(Array.from({ length: count }, (_, row) => stored.subarray(at(row), at(row) + taken_bytes)));
}

/** Writes both files into a folder; their names. */
export function writeBlockModels(
  folder: string,
  reference: string,
  record: BlockRecord,
): [stored: string, twin: string] {
  const values = readFileSync(join(reference, record.f32));
  const floats = new Float32Array(values.buffer, values.byteOffset, record.values);
  const rms = Math.sqrt(floats.reduce((sum, value) => sum + value * value, 0) / record.values);
  const raw = readFileSync(join(reference, record.raw));
  const row_bytes = (stored: Buffer) => (stored.length / record.values) * SHAPE.width;
  // What a norm gives, times a row, is about 1.
  const norm = Buffer.from(new Float32Array(SHAPE.width).fill(1 / (rms * Math.sqrt(SHAPE.width))).buffer);
  const write = (name: string, type: number, stored: Buffer): string => {
    const tensors = llamaSlots(SHAPE).map(([name, shape, isMatrix], at): Tensor => {
      const [cols, count = 1] = shape as [number, number?];
      const bytes = isMatrix ? rows(stored, count, cols, at, row_bytes(stored)) : norm;
      return { name, shape, type: isMatrix ? type : F32, size_bytes: bytes.length, bytes: () => bytes };
    });
    writeLlama(join(folder, name), SHAPE, tensors);
    return name;
  };
  return [write(`${record.format}.gguf`, record.ggml_type, raw), write(`${record.format}.twin.gguf`, F32, values)];
}
