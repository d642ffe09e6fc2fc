"""More models of the section `fixtures`, in the form of `fixtures.py`: further names and mixtures with leading dense layers."""

from fixtures import MOE, QKV, SMALL, long_and_short, rope_freqs, shared_gate
from variants import GRANITE, INT, by_layer, gated_delta, gated_queries, mamba2, positions, short_conv

PLAIN_LN = {"norm": "ln", "ffn": "plain"}
LEADING = {**MOE, "ffn": ("gated", "experts"), "experts": 4, "ff": 36, "tied": False}


def selection_bias(b, p, m):
    """What is added to the probabilities when experts are chosen, not when they are weighed."""
    if f"{p}ffn_gate_inp.weight" in b.tensors:
        b.add(f"{p}exp_probs_b.bias", m["experts"], 0.3)


FURTHER = {
    "qwen2vl": {
        "arch": "qwen2vl", **SMALL, "bias": QKV, "tied": False,
        "keys": {"rope__dimension_sections": INT([2, 3, 3, 0]), "attention__layer_norm_rms_epsilon": 1e-12},
        "extra": {"note": "text rotates as in qwen2; llama.cpp takes 0 as epsilon whatever the file says, hence the small one here"},
    },
    "qwen3vl": {
        "arch": "qwen3vl", **SMALL, "hd": 24, "qk_norm": "head", "out": 2.5,
        "keys": {"rope__dimension_sections": INT([4, 4, 4, 0]), "n_deepstack_layers": 0},
        "extra": {
            "note": "text rotates as in qwen3. llama.cpp does not rotate pair i of a text token where i >= 3 * the section of i % 3 (of 24, 20, 20 "
            "the pairs 61 and 62, whose angles are tiny); these sections leave no such pair"
        },
    },
    "minicpm": {
        "arch": "minicpm", **SMALL, "logits": 4.5, "out": 5.0, "more": long_and_short,
        "keys": {
            "embedding_scale": 3.0, "residual_scale": 0.7, "logit_scale": 1.5, "rope__scaling__type": "longrope",
            "rope__scaling__original_context_length": 64,
        },
        "extra": {"note": "the long factors apply: the context of 256 is longer than the original one of 64"},
    },
    "exaone": {"arch": "exaone", **SMALL, "out": 2.5, "more": rope_freqs},
    "chatglm": {
        "arch": "chatglm", **SMALL, "tied": False, "fused_qkv": True, "bias": ("attn_qkv",), "ffn": "fused",
        "keys": {"rope__dimension_count": 8},
    },
    "nemotron": {"arch": "nemotron", **SMALL, **PLAIN_LN, "tied": False, "keys": {"rope__dimension_count": 8}},
    "arcee": {"arch": "arcee", **SMALL, "ffn": "plain", "tied": False, "more": rope_freqs},
    "starcoder": {
        "arch": "starcoder", **SMALL, **PLAIN_LN, "layers": 1, "fused_qkv": True, "bias": ("attn_qkv", "attn_output", "ffn_up", "ffn_down"),
        "more": positions, "out": 3.0,
    },
    "xverse": {"arch": "xverse", **SMALL, "tied": False, "tokenizer": "llama"},
    "orion": {"arch": "orion", **SMALL, "norm": "ln", "tied": False, "tokenizer": "llama"},
    "granitehybrid-moe": {
        "arch": "granitehybrid", **MOE | {"ff": 16}, "experts": 3, "shared": 12, "mixer": by_layer(mamba2(64, 16, 4, 1), None), "logits": 4.5,
        "out": 5.0,
        "keys": GRANITE | {
            "attention__head_count_kv": INT([0, 1]), "rope__scaling__finetuned": False, "expert_shared_feed_forward_length": 12,
        },
    },
    "lfm2moe": {
        "arch": "lfm2moe", **MOE, "ffn": ("gated", "experts", "experts"), "experts": 3, "ff": 24, "layers": 3, "qk_norm": "head",
        "final_norm": "token_embd_norm", "out": 2.5, "mixer": by_layer(short_conv(3), None, short_conv(3)), "more": selection_bias,
        "keys": {
            "attention__head_count_kv": INT([0, 1, 0]), "leading_dense_block_count": 1, "expert_feed_forward_length": 16,
            "expert_gating_func": 2,
        },
    },
    "deepseek": {
        "arch": "deepseek", **LEADING, "kv": 2, "shared": 32,
        "keys": {
            "leading_dense_block_count": 1, "expert_feed_forward_length": 16, "expert_shared_count": 2, "expert_weights_scale": 1.5,
        },
    },
    "qwen35moe": {
        "arch": "qwen35moe", **MOE, "norms": ("attn_norm", "post_attention_norm"), "experts": 3, "shared": 12, "more": shared_gate, "out": 2.0,
        "hd": 24, "mixer": by_layer(gated_delta(16, 1, 2), gated_queries),
        "keys": {
            "full_attention_interval": 2, "rope__dimension_count": 12, "rope__dimension_sections": INT([2, 2, 2, 0]),
            "expert_feed_forward_length": 16, "expert_shared_feed_forward_length": 12,
        },
    },
    "ernie4_5-moe": {
        "arch": "ernie4_5-moe", **LEADING, "shared": 24, "more": selection_bias,
        "keys": {
            "leading_dense_block_count": 1, "interleave_moe_layer_step": 1, "expert_feed_forward_length": 16,
            "expert_shared_feed_forward_length": 24,
        },
    },
}  # fmt: skip
