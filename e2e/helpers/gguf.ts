// Writes GGUF files, for cases that need weights of their own making.

import { closeSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const ALIGN_BYTES = 32;

/** Sizes as GGUF's keys name them. */
export interface LlamaShape {
  width: number;
  inner: number;
  layers: number;
  heads: number;
  kvHeads: number;
  vocab: number;
  context: number;
}

export interface Tensor {
  name: string;
  /** Fastest first, as GGUF has it. */
  shape: number[];
  /** ggml's number of the type. */
  type: number;
  size_bytes: number;
  bytes(): Buffer;
}

/** A tensor's name and shape; `true` for a matrix, `false` for the weights of a norm. */
export type Slot = readonly [name: string, shape: number[], isMatrix: boolean];

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
/** Pairs of a header, by ggml's numbers of types. */
export const pairs = {
  text: (name: string, value: string) => Buffer.concat([text(name), u32(8), text(value)]),
  whole: (name: string, value: number) => Buffer.concat([text(name), u32(4), u32(value)]),
  real: (name: string, value: number) =>
    Buffer.concat([text(name), u32(6), Buffer.from(Float32Array.of(value).buffer)]),
  flag: (name: string, value: boolean) => Buffer.concat([text(name), u32(7), Buffer.of(Number(value))]),
  texts: (name: string, values: readonly string[]) =>
    Buffer.concat([text(name), u32(9), u32(8), u64(values.length), ...values.map(text)]),
  reals: (name: string, values: readonly number[]) =>
    Buffer.concat([text(name), u32(9), u32(6), u64(values.length), Buffer.from(Float32Array.from(values).buffer)]),
  wholes: (name: string, values: readonly number[]) =>
    Buffer.concat([text(name), u32(9), u32(5), u64(values.length), Buffer.from(Int32Array.from(values).buffer)]),
};
const padded = (bytes: number): number => Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;

/** All tensors of a Llama model whose output matrix is its embedding. */
export function llamaSlots({ width, inner, layers, heads, kvHeads, vocab }: LlamaShape): Slot[] {
  const head = width / heads;
  const matrix = (name: string, cols: number, rows: number): Slot => [name, [cols, rows], true];
  const norm = (name: string): Slot => [name, [width], false];
  const layer = (at: number): Slot[] => {
    const name = (part: string) => `blk.${at}.${part}.weight`;
    return [
      norm(name("attn_norm")),
      matrix(name("attn_q"), width, heads * head),
      matrix(name("attn_k"), width, kvHeads * head),
      matrix(name("attn_v"), width, kvHeads * head),
      matrix(name("attn_output"), heads * head, width),
      norm(name("ffn_norm")),
      matrix(name("ffn_gate"), width, inner),
      matrix(name("ffn_up"), width, inner),
      matrix(name("ffn_down"), inner, width),
    ];
  };
  const all = Array.from({ length: layers }, (_, at) => layer(at)).flat();
  return [matrix("token_embd.weight", width, vocab), ...all, norm("output_norm.weight")];
}

function keys({ width, inner, layers, heads, kvHeads, vocab, context }: LlamaShape): Buffer[] {
  const { whole, real } = pairs;
  return [
    pairs.text("general.architecture", "llama"),
    whole("llama.block_count", layers),
    whole("llama.context_length", context),
    whole("llama.embedding_length", width),
    whole("llama.feed_forward_length", inner),
    whole("llama.attention.head_count", heads),
    whole("llama.attention.head_count_kv", kvHeads),
    whole("llama.vocab_size", vocab),
    real("llama.attention.layer_norm_rms_epsilon", 1e-5),
    real("llama.rope.freq_base", 10_000),
  ];
}

export const writeLlama = (file: string, shape: LlamaShape, tensors: Tensor[]): void =>
  writeGguf(file, keys(shape), tensors);

/** Writes a model under another name first: half a file never looks like a whole one. */
export function writeGguf(file: string, header: Buffer[], tensors: Tensor[]): void {
  mkdirSync(dirname(file), { recursive: true });
  let offset = 0;
  const directory = tensors.map(({ name, shape, type, size_bytes }) => {
    const entry = [text(name), u32(shape.length), ...shape.map(u64), u32(type), u64(offset)];
    offset += padded(size_bytes);
    return Buffer.concat(entry);
  });
  const counts = [u32(3), u64(tensors.length), u64(header.length)];
  const out = openSync(`${file}.part`, "w");
  const write = (bytes: Buffer) =>
    writeSync(out, Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]));
  write(Buffer.concat([Buffer.from("GGUF"), ...counts, ...header, ...directory]));
  for (const tensor of tensors) write(tensor.bytes());
  closeSync(out);
  renameSync(`${file}.part`, file);
}
