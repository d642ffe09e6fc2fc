// An embedding model with a vocabulary like XLM-RoBERTa's: large, unigram, with several tokens for a word. Its weights are random: its
// vectors say which letters a text has.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ROOT } from "../harness/paths.ts";
import { pairs, type Slot, type Tensor, writeGguf } from "./gguf.ts";
import { random } from "./random-model.ts";

const FILE = resolve(ROOT, ".cache/models/multilingual-encoder.gguf");
/** As many entries as only vocabularies of many languages have. */
const VOCAB = 100_032;
const [WIDTH, INNER, LAYERS, HEADS, CONTEXT] = [32, 64, 1, 2, 512];
const [NORMAL, UNKNOWN, CONTROL] = [1, 2, 3];

const LETTERS = [
  ..."\u2581abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZäöüßÄÖÜ0123456789.,;:!?()-\u2013\u201e\u201c\"'%/",
];

function vocabulary(): { texts: string[]; scores: number[]; types: number[] } {
  const special = ["<s>", "<pad>", "</s>", "<unk>"];
  const fillers = Array.from({ length: VOCAB - special.length - LETTERS.length }, (_, at) => `\u2581filler${at}`);
  const texts = [...special, ...LETTERS, ...fillers];
  const types = texts.map((_, at) => (at >= special.length ? NORMAL : at === 3 ? UNKNOWN : CONTROL));
  return { texts, types, scores: texts.map((_, at) => (at < special.length ? 0 : -5)) };
}

function header(): Buffer[] {
  const { texts, scores, types } = vocabulary();
  const { text, whole, real, flag } = pairs;
  return [
    text("general.architecture", "bert"),
    text("general.name", "multilingual-fixture"),
    whole("bert.block_count", LAYERS),
    whole("bert.context_length", CONTEXT),
    whole("bert.embedding_length", WIDTH),
    whole("bert.feed_forward_length", INNER),
    whole("bert.attention.head_count", HEADS),
    real("bert.attention.layer_norm_epsilon", 1e-5),
    flag("bert.attention.causal", false),
    whole("bert.pooling_type", 1),
    text("tokenizer.ggml.model", "t5"),
    text("tokenizer.ggml.pre", "default"),
    pairs.texts("tokenizer.ggml.tokens", texts),
    pairs.reals("tokenizer.ggml.scores", scores),
    pairs.wholes("tokenizer.ggml.token_type", types),
    flag("tokenizer.ggml.add_space_prefix", true),
    whole("tokenizer.ggml.token_type_count", 1),
    flag("tokenizer.ggml.remove_extra_whitespaces", true),
    whole("tokenizer.ggml.bos_token_id", 0),
    whole("tokenizer.ggml.eos_token_id", 2),
    whole("tokenizer.ggml.unknown_token_id", 3),
    whole("tokenizer.ggml.seperator_token_id", 2),
    whole("tokenizer.ggml.padding_token_id", 1),
    flag("tokenizer.ggml.add_bos_token", true),
    flag("tokenizer.ggml.add_eos_token", true),
  ];
}

/** Values of 0 for biases, of 1 for the weights of norms. */
function flat(name: string, length: number): Tensor {
  const values = new Float32Array(length).fill(name.endsWith("norm.weight") ? 1 : 0);
  return { name, shape: [length], type: 0, size_bytes: 4 * length, bytes: () => Buffer.from(values.buffer) };
}

function tensors(): Tensor[] {
  const matrix = (name: string, cols: number, rows: number, seed: number): Tensor =>
    random([name, [cols, rows], true] satisfies Slot, seed);
  const positions = new Float32Array(WIDTH * CONTEXT);
  const layer = (at: number): Tensor[] => {
    const name = (part: string) => `blk.${at}.${part}`;
    return [
      ...["attn_q", "attn_k", "attn_v", "attn_output"].flatMap((part, seed) => [
        matrix(name(`${part}.weight`), WIDTH, WIDTH, 10 * at + seed + 2),
        flat(name(`${part}.bias`), WIDTH),
      ]),
      flat(name("attn_output_norm.weight"), WIDTH),
      flat(name("attn_output_norm.bias"), WIDTH),
      matrix(name("ffn_up.weight"), WIDTH, INNER, 10 * at + 6),
      flat(name("ffn_up.bias"), INNER),
      matrix(name("ffn_down.weight"), INNER, WIDTH, 10 * at + 7),
      flat(name("ffn_down.bias"), WIDTH),
      flat(name("layer_output_norm.weight"), WIDTH),
      flat(name("layer_output_norm.bias"), WIDTH),
    ];
  };
  return [
    matrix("token_embd.weight", WIDTH, VOCAB, 1),
    {
      name: "position_embd.weight",
      shape: [WIDTH, CONTEXT],
      type: 0,
      size_bytes: positions.byteLength,
      bytes: () => Buffer.from(positions.buffer),
    },
    flat("token_embd_norm.weight", WIDTH),
    flat("token_embd_norm.bias", WIDTH),
    ...Array.from({ length: LAYERS }, (_, at) => layer(at)).flat(),
  ];
}

/** The file, written once: 9 MB. */
export function multilingualEncoder(): string {
  if (!existsSync(FILE)) writeGguf(FILE, header(), tensors());
  return FILE;
}
