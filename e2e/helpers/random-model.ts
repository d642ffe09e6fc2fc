// A model of random weights, large enough that loading and running it takes time: for cases about time. Its text means
// nothing, and it has no tokenizer: it is asked by ids.

import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";

/** Sizes as GGUF's keys name them. */
interface Shape {
  width: number;
  inner: number;
  layers: number;
  heads: number;
  kvHeads: number;
}

/** Files of 58 MB, 24.6 MB, 8.9 MB and 3.7 MB; the smallest is small enough for a GPU that is emulated. */
const SHAPES = {
  large: { width: 512, inner: 1536, layers: 8, heads: 8, kvHeads: 4 },
  medium: { width: 256, inner: 768, layers: 13, heads: 4, kvHeads: 2 },
  modest: { width: 256, inner: 768, layers: 3, heads: 4, kvHeads: 2 },
  small: { width: 128, inner: 384, layers: 4, heads: 4, kvHeads: 2 },
} satisfies Record<string, Shape>;
/** Ids are below this. */
export const VOCAB = 8192;
const CONTEXT = 4096;
const [F32, F16] = [0, 1];
const ALIGN_BYTES = 32;

interface Tensor {
  name: string;
  /** Fastest first, as GGUF has it. */
  shape: number[];
  type: typeof F32 | typeof F16;
}

function tensors({ width, inner, layers, heads, kvHeads }: Shape): Tensor[] {
  const head = width / heads;
  const matrix = (name: string, cols: number, rows: number): Tensor => ({ name, shape: [cols, rows], type: F16 });
  const norm = (name: string): Tensor => ({ name, shape: [width], type: F32 });
  const layer = (at: number): Tensor[] => {
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
  return [matrix("token_embd.weight", width, VOCAB), ...all, norm("output_norm.weight")];
}

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number): Buffer => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
const text = (value: string): Buffer => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);

function keys({ width, inner, layers, heads, kvHeads }: Shape): Buffer[] {
  const whole = (name: string, value: number) => Buffer.concat([text(name), u32(4), u32(value)]);
  const real = (name: string, value: number) =>
    Buffer.concat([text(name), u32(6), Buffer.from(Float32Array.of(value).buffer)]);
  return [
    Buffer.concat([text("general.architecture"), u32(8), text("llama")]),
    whole("llama.block_count", layers),
    whole("llama.context_length", CONTEXT),
    whole("llama.embedding_length", width),
    whole("llama.feed_forward_length", inner),
    whole("llama.attention.head_count", heads),
    whole("llama.attention.head_count_kv", kvHeads),
    whole("llama.vocab_size", VOCAB),
    real("llama.attention.layer_norm_rms_epsilon", 1e-5),
    real("llama.rope.freq_base", 10_000),
  ];
}

const padded = (bytes: number): number => Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;
const size_bytes = ({ shape, type }: Tensor): number => shape.reduce((a, b) => a * b, type === F32 ? 4 : 2);

/** Norms are 1; matrices are random, near enough to 0.04 in size that their products neither vanish nor explode. */
function values(tensor: Tensor, seed: number): Buffer {
  const length = tensor.shape.reduce((a, b) => a * b, 1);
  if (tensor.type === F32) return Buffer.from(new Float32Array(length).fill(1).buffer);
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
}

/** The file, written once. */
export function randomModel(size: keyof typeof SHAPES): string {
  const file = resolve(ROOT, `.cache/models/random-${size}.gguf`);
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const all = tensors(SHAPES[size]);
  let offset = 0;
  const directory = all.map((tensor) => {
    const entry = [
      text(tensor.name),
      u32(tensor.shape.length),
      ...tensor.shape.map(u64),
      u32(tensor.type),
      u64(offset),
    ];
    offset += padded(size_bytes(tensor));
    return Buffer.concat(entry);
  });
  const pairs = keys(SHAPES[size]);
  const header = Buffer.concat([
    Buffer.from("GGUF"),
    u32(3),
    u64(all.length),
    u64(pairs.length),
    ...pairs,
    ...directory,
  ]);
  const out = openSync(`${file}.part`, "w");
  const write = (bytes: Buffer) =>
    writeSync(out, Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]));
  write(header);
  all.forEach((tensor, at) => void write(values(tensor, at + 1)));
  closeSync(out);
  renameSync(`${file}.part`, file);
  return file;
}
