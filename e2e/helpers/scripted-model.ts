// A model that says what it was made to say: behind the last character of the prompt one known text, token for token. The
// engine runs it as any other; it is for cases about what is done with an answer, not for cases about answers.

import { resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";
import { llamaSlots, pairs, type Tensor, writeGguf } from "./gguf.ts";

const WIDTH = 512;
const F32 = 0;
const SHAPE = { width: WIDTH, inner: 32, layers: 1, heads: 8, kvHeads: 8, vocab: WIDTH, context: 2048 };
/** Of ggml: kinds of tokens. */
const [NORMAL, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];
const [BOS, EOS, FIRST_BYTE, FIRST_PIECE] = [1, 2, 3, 259];

/**
 * Writes the model. `answers` gives for a character, with which a prompt ends, the pieces of the answer; each is one token, and all
 * are different from each other.
 */
export function scriptedModel(name: string, template: string, answers: Record<string, string[]>): string {
  const bytes = Array.from({ length: 256 }, (_, at) => `<0x${at.toString(16).toUpperCase().padStart(2, "0")}>`);
  const pieces = Object.values(answers).flat();
  const tokens = ["<unk>", "<s>", "</s>", ...bytes, ...pieces.map((piece) => piece.replaceAll(" ", "▁"))];
  while (tokens.length < SHAPE.vocab) tokens.push(`<unused${tokens.length}>`);
  const kind = (at: number): number => {
    if (at === 0) return UNKNOWN;
    if (at <= EOS) return CONTROL;
    return at < FIRST_PIECE ? BYTE : NORMAL;
  };
  /** Which token follows which. */
  const next = new Map<number, number>();
  let piece = FIRST_PIECE;
  for (const [end, answer] of Object.entries(answers)) {
    let from = FIRST_BYTE + end.charCodeAt(0);
    for (let at = 0; at < answer.length; at += 1) {
      next.set(from, piece);
      from = piece++;
    }
    next.set(from, EOS);
  }
  // A token's embedding is one number that no other has; the output matrix has it in the row of the token that follows. The layer
  // adds nothing.
  const ones = (places: Iterable<[row: number, column: number]>): Buffer => {
    const floats = new Float32Array(SHAPE.vocab * WIDTH);
    for (const [row, column] of places) floats[row * WIDTH + column] = 1;
    return Buffer.from(floats.buffer);
  };
  const made: Record<string, () => Buffer> = {
    "token_embd.weight": () => ones(tokens.map((_, at) => [at, at])),
    "output.weight": () => ones([...next].map(([from, to]) => [to, from])),
  };
  const slots = [...llamaSlots(SHAPE), ["output.weight", [WIDTH, SHAPE.vocab], true] as const];
  const tensors = slots.map(([name, shape, isMatrix]): Tensor => {
    const length = shape.reduce((product, axis) => product * axis, 1);
    const plain = () => Buffer.from(new Float32Array(length).fill(isMatrix ? 0 : 1).buffer);
    return { name, shape: [...shape], type: F32, size_bytes: 4 * length, bytes: made[name] ?? plain };
  });
  const file = resolve(ROOT, `.cache/models/scripted-${name}.gguf`);
  const { text, texts, reals, wholes, whole, flag } = pairs;
  const header = [
    text("general.architecture", "llama"),
    whole("llama.block_count", SHAPE.layers),
    whole("llama.context_length", SHAPE.context),
    whole("llama.embedding_length", WIDTH),
    whole("llama.feed_forward_length", SHAPE.inner),
    whole("llama.attention.head_count", SHAPE.heads),
    pairs.real("llama.attention.layer_norm_rms_epsilon", 1e-5),
    text("tokenizer.ggml.model", "llama"),
    texts("tokenizer.ggml.tokens", tokens),
    // Texts are never made of pieces: their scores are below those of bytes.
    reals(
      "tokenizer.ggml.scores",
      tokens.map((_, at) => (at < FIRST_PIECE ? 0 : -1000)),
    ),
    wholes(
      "tokenizer.ggml.token_type",
      tokens.map((_, at) => kind(at)),
    ),
    whole("tokenizer.ggml.bos_token_id", BOS),
    whole("tokenizer.ggml.eos_token_id", EOS),
    flag("tokenizer.ggml.add_space_prefix", false),
    text("tokenizer.chat_template", template),
  ];
  writeGguf(file, header, tensors);
  return file;
}
