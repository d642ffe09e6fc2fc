"""Models of the section `fixtures` with what files of their architecture may have, may leave out, or may have without using it."""

import numpy as np

from fixtures import FIXTURES, QKV, SMALL, rope_freqs
from further import FURTHER
from variants import GRANITE, INT, by_layer, mamba2, short_conv

FFN = ("ffn_gate", "ffn_up", "ffn_down")


def join(tensors, layer, names, joined, axis):
    """One tensor in the place of some, where the layer has them."""
    names = [f"{layer}{name}.weight" for name in names]
    if names[0] in tensors:
        tensors[f"{layer}{joined}.weight"] = np.concatenate([tensors.pop(name) for name in names], axis)


def layers(m):
    return [f"blk.{i}." for i in range(m["layers"])]


def queries_keys_values(b, m):
    for p in layers(m):
        join(b.tensors, p, QKV, "attn_qkv", 0)


def gates_and_ups(b, m):
    for p in layers(m):
        join(b.tensors, p, ("ffn_gate_exps", "ffn_up_exps"), "ffn_gate_up_exps", 1)


def predicting(like):
    """A last block that predicts the token after next: one like block `like` and what joins it to the model."""

    def then(b, m):
        of, p, d = f"blk.{like}.", f"blk.{m['layers']}.", m["d"]
        for name in [n for n in b.tensors if n.startswith(of)]:
            b.tensors[p + name.removeprefix(of)] = b.tensors[name][..., ::-1].copy()
        b.mat(f"{p}nextn.eh_proj", d, 2 * d)
        for name in ("enorm", "hnorm", "shared_head_norm"):
            b.norm(f"{p}nextn.{name}", d)
        b.key(block_count=m["layers"] + 1, nextn_predict_layers=1)

    return then


def head_bias(b, m):
    b.bias("output", m["vocab"])


def dense(b, m):
    """A matrix with a bias behind the last norm."""
    b.mat("dense_2", 24, m["d"])
    b.bias("dense_2", 24)


def without(*keys):
    def then(b, m):
        for key in keys:
            del b.keys[f"{b.arch}.{key}"]

    return then


def one_type(keys, tensors, random):
    """No table of token types, and the head of a classifier."""
    d = keys["bert.embedding_length"]
    keys["tokenizer.ggml.token_type_count"] = 1
    del tensors["token_types.weight"]
    for name, shape in (("cls.weight", (d, d)), ("cls.bias", d), ("cls.output.weight", (1, d)), ("cls.output.bias", 1)):
        tensors[name] = random.standard_normal(shape).astype(np.float32)


OPTIONAL = {
    "qwen35moe-fused": FURTHER["qwen35moe"] | {"then": [queries_keys_values, gates_and_ups, predicting(1)]},
    "glm4-predicting": FIXTURES["glm4"] | {"then": [predicting(0)]},
    "exaone4-predicting": FIXTURES["exaone4"] | {"then": [predicting(0)]},
    "qwen2-apart": {"arch": "qwen2", **SMALL, "bias": QKV, "out": 2.5, "then": [queries_keys_values, head_bias]},
    "nemotron-biases": FURTHER["nemotron"] | {"bias": (*QKV, "attn_output", *FFN[1:])},
    "falcon-h1-biases": FIXTURES["falcon-h1"] | {
        "bias": (*QKV, "attn_output", *FFN), "lengths": False, "then": [lambda b, m: rope_freqs(b, "", m)],
    },
    "ernie4_5-biases": FIXTURES["ernie4_5"] | {"bias": (*QKV, "attn_output")},
    "granitehybrid-biases": {
        "arch": "granitehybrid", **SMALL, "mixer": by_layer(mamba2(64, 16, 4, 1), None), "logits": 4.5, "out": 5.0, "bias": (*QKV, "attn_output", *FFN),
        "keys": GRANITE | {"attention__head_count_kv": INT([0, 1]), "rope__scaling__finetuned": False}, "then": [lambda b, m: rope_freqs(b, "", m)],
    },
    "deepseek-tied": FURTHER["deepseek"] | {"tied": True},
    "gemma2-early": FIXTURES["gemma2-kv"] | {
        "logits": 5.0, "post": 9.0, "then": [without("attention.sliding_window", "attn_logit_softcapping", "final_logit_softcapping")],
        "extra": {"note": "no keys for the window and the caps: 4096, 50 and 30"},
    },
    "llama-linear": {
        "arch": "llama", **SMALL, "out": 2.5, "keys": {"rope__scale_linear": 4.0},
        "extra": {"note": "the first name of the key for a linear factor"},
    },
    "olmo3": {
        "arch": "olmo2", **SMALL, "kv": 2, "qk_norm": "wide", "norms": ("post_attention_norm", "post_ffw_norm"), "tied": False, "layers": 4,
        "keys": {
            "attention__sliding_window": 12, "rope__scaling__type": "yarn", "rope__scaling__factor": 8.0, "rope__scaling__attn_factor": 1.2,
            "rope__scaling__original_context_length": 64,
        },
        "extra": {"note": "YaRN only in the fourth layer, which sees everything"},
    },
    "lfm2-window": {
        "arch": "lfm2", **SMALL, "qk_norm": "head", "final_norm": "token_embd_norm", "out": 2.5, "mixer": by_layer(short_conv(3), None),
        "keys": {"attention__head_count_kv": INT([0, 1]), "attention__sliding_window": 12},
    },
    "lfm2-dense": {
        "arch": "lfm2", **SMALL, "qk_norm": "head", "final_norm": "token_embd_norm", "out": 2.5, "mixer": by_layer(short_conv(3), None),
        "keys": {"attention__head_count_kv": INT([0, 1]), "pooling_type": 1, "embedding_length_out": 24, "context_length": 64}, "then": [dense],
    },
    "gpt-oss-joined": FIXTURES["gpt-oss"] | {"layers": 1, "then": [queries_keys_values]},
    "minicpm-linear": FURTHER["minicpm"] | {
        "keys": FURTHER["minicpm"]["keys"] | {"rope__scaling__factor": 3.0},
        "extra": {"note": "angles are divided by the long factors and by the linear one"},
    },
    "bert-one-type": {
        "of": "bert-minilm", "lengths": {96: 24, 192: 40, 128: 64}, "then": one_type,
        "keys": {"embedding_length": 24, "feed_forward_length": 40, "attention.head_count": 2, "context_length": 64},
    },
}  # fmt: skip
