"""The models of the section `fixtures`: name, architecture, sizes (see `models.DEFAULTS`) and what is special about them."""

import numpy as np

QKV = ("attn_q", "attn_k", "attn_v")


def rope_freqs(b, p, m):
    """Divisors of the angles, one tensor for all layers."""
    b.tensors.setdefault("rope_freqs.weight", np.linspace(1, 8, m["hd"] // 2, dtype=np.float32))


def long_and_short(b, p, m):
    half = m["hd"] // 2
    b.tensors.setdefault("rope_factors_long.weight", np.linspace(1, 20, half, dtype=np.float32))
    b.tensors.setdefault("rope_factors_short.weight", np.linspace(1, 1.5, half, dtype=np.float32))


def shared_gate(b, p, m):
    """The shared expert's own gate: one row."""
    b.add(f"{p}ffn_gate_inp_shexp.weight", m["d"], 2 / np.sqrt(m["d"]))


def mamba2(normed):
    """A Mamba-2 mixer beside the attention, and the FFN norm, whose name in these files has no `.weight`."""

    def more(b, p, m):
        d, inner, state, heads, groups, kernel = m["d"], 64, 16, 4, 2 if normed else 1, 4
        channels = inner + 2 * groups * state
        b.key(ssm__conv_kernel=kernel, ssm__inner_size=inner, ssm__state_size=state, ssm__time_step_rank=heads, ssm__group_count=groups)
        b.mat(f"{p}ssm_in", inner + channels + heads, d)
        b.add(f"{p}ssm_conv1d.weight", (channels, kernel), 0.6)
        b.bias(f"{p}ssm_conv1d", channels)
        b.bias(f"{p}ssm_dt", heads)
        b.tensors[f"{p}ssm_a"] = -np.exp(b.random.uniform(-2, 1, (heads, 1))).astype(np.float32)
        b.add(f"{p}ssm_d", (heads, 1), 0.3, 1.0)
        if normed:
            b.norm(f"{p}ssm_norm", (groups, inner // groups))
        b.mat(f"{p}ssm_out", d, inner, 1.5)
        b.add(f"{p}ffn_norm", d, 0.15, 1.0)

    return more


def second_norm(b, p, m):
    b.norm(f"{p}attn_norm_2", m["d"], True)


def sinks_and_expert_biases(b, p, m):
    count, d, ff = m["experts"], m["d"], m["ff"]
    b.add(f"{p}attn_sinks.weight", m["heads"], 1.0, 1.0)
    b.bias(f"{p}ffn_gate_inp", count)
    for name, rows in (("gate", ff), ("up", ff), ("down", d)):
        b.add(f"{p}ffn_{name}_exps.bias", (count, rows), 0.3)


SMALL = {"d": 32, "ff": 32, "heads": 2, "kv": 1}
MOE = {"ffn": "experts", "d": 32, "ff": 32, "heads": 2, "kv": 1}

FIXTURES = {
    # mixtures of experts
    "llama-moe": {"arch": "llama", **MOE, "tied": False, "experts": 4, "heads": 4, "kv": 2, "tokenizer": "llama"},
    "olmoe": {"arch": "olmoe", **MOE, "tied": False, "layers": 1, "experts": 5, "used": 3, "heads": 4, "kv": 4, "qk_norm": "wide"},
    "qwen2moe": {
        "arch": "qwen2moe", **MOE, "tied": False, "layers": 1, "experts": 4, "bias": QKV, "shared": 32, "more": shared_gate,
        "keys": {"feed_forward_length": 128, "expert_feed_forward_length": 32, "expert_shared_feed_forward_length": 32},
    },
    "granitemoe": {
        "arch": "granitemoe", **MOE, "experts": 4, "heads": 4, "hd": 16, "logits": 4.5, "out": 5.0,
        "keys": {"attention__scale": 0.2, "embedding_scale": 1.5, "residual_scale": 0.6, "logit_scale": 1.5},
    },
    "granitemoe-shared": {
        "arch": "granitemoe", **MOE, "experts": 4, "shared": 32, "tied": False, "logits": 9.0, "layers": 1,
        "keys": {"embedding_scale": 2.0, "residual_scale": 0.6, "logit_scale": 3.0, "expert_shared_feed_forward_length": 32},
    },
    "phimoe": {
        "arch": "phimoe", **MOE, "tied": False, "experts": 4, "layers": 1, "norm": "rms+", "bias": (*QKV, "attn_output", "output"),
        "more": long_and_short, "keys": {"rope__scaling__original_context_length": 64, "rope__scaling__attn_factor": 1.19},
        "extra": {"note": "the long factors apply: the context of 256 is longer than the original one of 64"},
    },
    "gpt-oss": {
        "arch": "gpt-oss", **MOE, "tied": False, "experts": 4, "hd": 32, "bias": (*QKV, "attn_output"),
        "norms": ("attn_norm", "post_attention_norm"), "more": sinks_and_expert_biases, "rope": 150000.0,
        "keys": {
            "expert_feed_forward_length": 32, "attention__sliding_window": 12, "rope__scaling__type": "yarn",
            "rope__scaling__factor": 8.0, "rope__scaling__original_context_length": 64,
        },
    },
    # dense decoders
    "stablelm": {
        "arch": "stablelm", "tied": False, "norm": "ln", "bias": QKV, **SMALL, "kv": 2,
        "keys": {"rope__dimension_count": 4},
    },
    "stablelm-parallel": {
        "arch": "stablelm", "tied": False, "norm": "ln", "norms": ("attn_norm",), "qk_norm": "each", **SMALL,
        "keys": {"rope__dimension_count": 8, "use_parallel_residual": True},
    },
    "gemma": {"arch": "gemma", **SMALL, "hd": 32, "out": 6.0, "tokenizer": "llama"},
    "command-r": {
        "arch": "command-r", "norm": "ln-", "norms": ("attn_norm",), **SMALL, "kv": 2, "logits": 6.0, "out": 5.0,
        "keys": {"logit_scale": 0.5},
    },
    "cohere2": {
        "arch": "cohere2", "norm": "ln-", "norms": ("attn_norm",), **SMALL, "layers": 4, "lengths": True,
        "keys": {"attention__sliding_window": 12, "logit_scale": 0.5}, "logits": 6.0, "out": 5.0,
    },
    "internlm2": {"arch": "internlm2", **SMALL, "tied": False, "tokenizer": "llama"},
    "glm4": {
        "arch": "glm4", **SMALL, "tied": False, "bias": QKV, "ffn": "fused", "keys": {"rope__dimension_count": 8},
        "norms": ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"),
    },
    "exaone4": {
        "arch": "exaone4", **SMALL, "norms": ("post_attention_norm", "post_ffw_norm"), "post": 1.5, "qk_norm": "head", "more": rope_freqs,
        "extra": {"note": "without a window, as llama.cpp reads every file of other than 64 layers"},
    },
    "seed_oss": {"arch": "seed_oss", **SMALL, "hd": 24, "tied": False, "bias": QKV, "norms": ("attn_norm", "post_attention_norm")},
    "hunyuan-dense": {
        "arch": "hunyuan-dense", **SMALL, "hd": 24, "qk_norm": "head", "out": 2.5,
        "extra": {"note": "queries and keys are normed after they are rotated"},
    },
    "ernie4_5": {"arch": "ernie4_5", **SMALL, "hd": 32, "out": 2.5},
    "falcon": {"arch": "falcon", **SMALL, "norm": "ln", "norms": ("attn_norm",), "fused_qkv": True, "ffn": "plain", "tied": False},
    "falcon-two-norms": {
        "arch": "falcon", **SMALL, "heads": 4, "kv": 2, "norm": "ln", "norms": ("attn_norm",), "more": second_norm, "fused_qkv": True,
        "ffn": "plain", "out": 3.0,
    },
    "phi2": {
        "arch": "phi2", **SMALL, "kv": 2, "norm": "ln", "norms": ("attn_norm",), "fused_qkv": True, "ffn": "plain", "tied": False,
        "bias": ("attn_qkv", "attn_output", "ffn_up", "ffn_down", "output"), "keys": {"rope__dimension_count": 8},
    },
    "falcon-h1": {"arch": "falcon-h1", **SMALL, "norms": ("attn_norm",), "more": mamba2(False), "lengths": True, "out": 2.0},
    "falcon-h1-normed": {"arch": "falcon-h1", **SMALL, "norms": ("attn_norm",), "more": mamba2(True), "hd": 24, "layers": 1, "out": 2.0},
    # the base models of the adapters and of the split files
    "llama-tied": {"arch": "llama", "d": 32, "ff": 32, "heads": 4, "kv": 2, "tokenizer": "llama", "out": 2.0},
    "llama-separate": {"arch": "llama", **SMALL, "tied": False, "vocab": 101},
    # the models of the cache types: a head length that is a whole number of blocks
    "llama3-kv": {"arch": "llama", "heads": 4, "kv": 2, "hd": 32, "d": 32, "ff": 32, "rope": 500000.0, "out": 2.5, "more": rope_freqs},
    "gemma2-kv": {
        "arch": "gemma2", **SMALL, "hd": 32, "post": 4.0, "norms": ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"),
        "keys": {"attention__sliding_window": 12, "attn_logit_softcapping": 20.0, "final_logit_softcapping": 15.0},
    },
    # sizes
    "llama-hd24": {"arch": "llama", "d": 48, "ff": 48, "heads": 2, "kv": 2, "layers": 1, "vocab": 131, "tied": False, "alignment": 64},
    "llama-hd40": {"arch": "llama", "d": 32, "ff": 48, "heads": 3, "kv": 1, "hd": 40, "out": 2.5, "lengths": True},
    "llama-hd80": {"arch": "llama", "d": 32, "ff": 32, "heads": 2, "kv": 1, "hd": 80, "layers": 1, "vocab": 113, "tied": False, "alignment": 128},
    "qwen3-hd96": {
        "arch": "qwen3", "d": 32, "ff": 32, "heads": 2, "kv": 1, "hd": 96, "qk_norm": "head", "out": 3.5, "layers": 1, "alignment": 128,
    },
    "qwen3-hd112": {
        "arch": "qwen3", "d": 32, "ff": 32, "heads": 2, "kv": 1, "hd": 112, "vocab": 131, "qk_norm": "head", "tied": False, "layers": 1,
    },
    "qwen3-hd128": {
        "arch": "qwen3", "d": 32, "ff": 32, "heads": 3, "kv": 1, "hd": 128, "qk_norm": "head", "out": 3.5, "layers": 1, "alignment": 64,
    },
    "llama-hd8": {"arch": "llama", "d": 40, "ff": 40, "heads": 5, "kv": 1, "vocab": 103, "tied": False},
}
