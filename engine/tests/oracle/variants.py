"""Other sizes of the reference's architectures: head lengths 24 to 128, odd vocabularies, alignments, every prompt length.

They are written outside the repository: `make.py --oracle PROGRAM --variants FOLDER [NAME...]`.
"""

import numpy as np

from fixtures import QKV, long_and_short, rope_freqs

INT = lambda values: [np.int32(v) for v in values]


def positions(b, p, m):
    if "position_embd.weight" not in b.tensors:
        b.add("position_embd.weight", (256, m["d"]), 0.5)
        b.key(context_length=256)


def mamba2(inner, state, heads, groups, kernel=4):
    def mixer(b, p, m):
        d, channels = m["d"], inner + 2 * groups * state
        b.key(ssm__conv_kernel=kernel, ssm__inner_size=inner, ssm__state_size=state, ssm__time_step_rank=heads, ssm__group_count=groups)
        b.mat(f"{p}ssm_in", inner + channels + heads, d)
        b.add(f"{p}ssm_conv1d.weight", (channels, kernel), 0.6)
        b.bias(f"{p}ssm_conv1d", channels)
        b.bias(f"{p}ssm_dt", heads)
        b.tensors[f"{p}ssm_a"] = -np.exp(b.random.uniform(-2, 1, (heads, 1))).astype(np.float32)
        b.add(f"{p}ssm_d", (heads, 1), 0.3, 1.0)
        b.norm(f"{p}ssm_norm", (groups, inner // groups))
        b.mat(f"{p}ssm_out", d, inner, m["out"])

    return mixer


def gated_delta(state, key_heads, value_heads, kernel=4):
    def mixer(b, p, m):
        d, keys, values = m["d"], state * key_heads, state * value_heads
        b.key(ssm__conv_kernel=kernel, ssm__inner_size=values, ssm__state_size=state)
        b.key(ssm__time_step_rank=value_heads, ssm__group_count=key_heads)
        b.mat(f"{p}attn_qkv", 2 * keys + values, d)
        b.mat(f"{p}attn_gate", values, d)
        b.add(f"{p}ssm_conv1d.weight", (2 * keys + values, kernel), 0.6)
        b.bias(f"{p}ssm_dt", value_heads)
        b.tensors[f"{p}ssm_a"] = -np.exp(b.random.uniform(-2, 1, value_heads)).astype(np.float32)
        b.mat(f"{p}ssm_beta", value_heads, d)
        b.mat(f"{p}ssm_alpha", value_heads, d)
        b.norm(f"{p}ssm_norm", state)
        b.mat(f"{p}ssm_out", d, values, m["out"])

    return mixer


def short_conv(kernel):
    def mixer(b, p, m):
        d = m["d"]
        b.key(shortconv__l_cache=kernel)
        b.add(f"{p}shortconv.conv.weight", (d, kernel), 0.7)
        b.mat(f"{p}shortconv.in_proj", 3 * d, d, 1.5)
        b.mat(f"{p}shortconv.out_proj", d, d, m["out"])

    return mixer


def gated_queries(b, p, m):
    """Attention whose query matrix also holds a gate, head by head."""
    q, kv, d = m["heads"] * m["hd"], m["kv"] * m["hd"], m["d"]
    b.mat(f"{p}attn_q", 2 * q, d, 1.5)
    b.mat(f"{p}attn_k", kv, d, 1.5)
    b.mat(f"{p}attn_v", kv, d)
    b.norm(f"{p}attn_q_norm", m["hd"], mean=1.5)
    b.norm(f"{p}attn_k_norm", m["hd"], mean=1.5)
    b.mat(f"{p}attn_output", d, q, m["out"])


def by_layer(*mixers):
    """The mixer of each layer; None is attention."""
    return lambda i: mixers[i]


GEMMA_NORMS = ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm")
LN = {"norm": "ln", "ffn": "plain", "bias": (*QKV, "attn_qkv", "attn_output", "ffn_up", "ffn_down")}
YARN = {
    "rope__scaling__type": "yarn", "rope__scaling__factor": 8.0, "rope__scaling__original_context_length": 64,
    "rope__scaling__yarn_beta_fast": 4.0, "rope__scaling__yarn_beta_slow": 0.5, "rope__scaling__yarn_log_multiplier": 1.0,
    "attention__temperature_scale": 0.5,
}
LONG = {
    "rope__scaling__type": "longrope", "rope__scaling__original_context_length": 64, "rope__scaling__attn_factor": 1.19,
    "attention__sliding_window": 0,
}
GRANITE = {"attention__scale": 0.15, "embedding_scale": 1.5, "residual_scale": 0.6, "logit_scale": 1.5}


def granitehybrid(attention, kv, **sizes):
    kvs = INT(kv if i in attention else 0 for i in range(len(sizes["mixers"])))
    mixers = by_layer(*[None if i in attention else m for i, m in enumerate(sizes.pop("mixers"))])
    keys = GRANITE | {"attention__head_count_kv": kvs, "rope__scaling__finetuned": False}
    return {"arch": "granitehybrid", "layers": len(kvs), "kv": kv, "mixer": mixers, "keys": keys, "logits": 4.5, "out": 5.0} | sizes


VARIANTS = {
    "llama-24": {"arch": "llama", "d": 72, "ff": 40, "heads": 3, "kv": 1, "vocab": 131, "more": rope_freqs, "out": 2.5},
    "llama-128": {"arch": "llama", "d": 256, "ff": 96, "heads": 2, "kv": 1, "hd": 128, "tied": False, "alignment": 128},
    "llama-bias-48": {
        "arch": "llama", "d": 96, "ff": 64, "heads": 2, "kv": 2, "vocab": 113, "tied": False, "tokenizer": "llama",
        "bias": (*QKV, "attn_output", "ffn_gate", "ffn_up", "ffn_down"), "keys": {"rope__scaling__type": "linear", "rope__scaling__factor": 3.0},
    },
    "llama-moe-80": {"arch": "llama", "d": 32, "ff": 64, "heads": 2, "kv": 1, "hd": 80, "ffn": "experts", "experts": 6, "used": 3, "out": 2.0},
    "llama-moe-one": {"arch": "llama", "d": 64, "ff": 32, "heads": 4, "kv": 4, "ffn": "experts", "experts": 3, "used": 1, "tied": False},
    "qwen2-40": {"arch": "qwen2", "d": 80, "ff": 48, "heads": 2, "kv": 1, "bias": QKV, "vocab": 101, "out": 2.5, "alignment": 64},
    "qwen3-24": {"arch": "qwen3", "d": 64, "ff": 48, "heads": 5, "kv": 1, "hd": 24, "qk_norm": "head", "tied": False},
    "qwen3moe-112": {
        "arch": "qwen3moe", "d": 32, "ff": 64, "heads": 2, "kv": 1, "hd": 112, "qk_norm": "head", "ffn": "experts", "experts": 5, "used": 4,
        "vocab": 127, "keys": {"expert_feed_forward_length": 64, "feed_forward_length": 96}, "out": 2.0,
    },
    "gpt2-24": {"arch": "gpt2", "d": 72, "ff": 96, "heads": 3, "kv": 3, "fused_qkv": True, **LN, "more": positions, "out": 3.0},
    "gpt2-80": {"arch": "gpt2", "d": 160, "ff": 64, "heads": 2, "kv": 2, "fused_qkv": True, **LN, "more": positions, "out": 3.0, "vocab": 131},
    "gptneox-40": {
        "arch": "gptneox", "d": 120, "ff": 64, "heads": 3, "kv": 3, "fused_qkv": True, **LN, "tied": False,
        "keys": {"use_parallel_residual": True, "rope__dimension_count": 10},
    },
    "gptneox-serial": {
        "arch": "gptneox", "d": 64, "ff": 64, "heads": 1, "kv": 1, "fused_qkv": True, **LN, "tied": False,
        "keys": {"use_parallel_residual": False, "rope__dimension_count": 16},
    },
    "starcoder2-24": {"arch": "starcoder2", "d": 96, "ff": 96, "heads": 4, "kv": 2, **LN, "out": 3.0, "vocab": 99},
    "olmo2-40": {
        "arch": "olmo2", "d": 120, "ff": 64, "heads": 3, "kv": 3, "qk_norm": "wide", "norms": ("post_attention_norm", "post_ffw_norm"),
        "tied": False, "vocab": 103,
    },
    "phi3-48": {
        "arch": "phi3", "d": 96, "ff": 48, "heads": 2, "kv": 1, "fused_qkv": True, "ffn": "fused", "tied": False, "more": long_and_short,
        "keys": LONG,
    },
    "granite-24": {"arch": "granite", "d": 72, "ff": 48, "heads": 3, "kv": 1, "logits": 4.5, "out": 5.0, "keys": GRANITE, "vocab": 107},
    "smollm3-24": {"arch": "smollm3", "d": 48, "ff": 48, "heads": 2, "kv": 1, "layers": 5, "out": 2.5, "vocab": 117},
    "mistral3-96": {"arch": "mistral3", "d": 64, "ff": 48, "heads": 2, "kv": 1, "hd": 96, "keys": YARN, "out": 2.5},
    "gemma2-24": {
        "arch": "gemma2", "d": 40, "ff": 48, "heads": 4, "kv": 2, "hd": 24, "layers": 3, "post": 4.0, "norms": GEMMA_NORMS,
        "keys": {"attention__sliding_window": 5, "attn_logit_softcapping": 20.0, "final_logit_softcapping": 15.0}, "tokenizer": "llama",
    },
    "gemma3-40": {
        "arch": "gemma3", "d": 48, "ff": 32, "heads": 3, "kv": 1, "hd": 40, "layers": 7, "post": 4.0, "norms": GEMMA_NORMS, "qk_norm": "head",
        "rope": 1000000.0, "keys": {"attention__sliding_window": 33}, "vocab": 121,
    },
    "gemma3-128": {
        "arch": "gemma3", "d": 64, "ff": 32, "heads": 2, "kv": 1, "hd": 128, "layers": 6, "post": 4.0, "norms": GEMMA_NORMS, "qk_norm": "head",
        "rope": 1000000.0, "keys": {"attention__sliding_window": 64}, "tokenizer": "llama",
    },
    "lfm2-24": {
        "arch": "lfm2", "d": 96, "ff": 64, "heads": 4, "kv": 2, "layers": 4, "qk_norm": "head", "final_norm": "token_embd_norm", "out": 2.5,
        "mixer": by_layer(short_conv(3), short_conv(3), None, short_conv(3)), "keys": {"attention__head_count_kv": INT([0, 0, 2, 0])},
    },
    "lfm2-kernel-4": {
        "arch": "lfm2", "d": 40, "ff": 48, "heads": 1, "kv": 1, "layers": 3, "qk_norm": "head", "final_norm": "token_embd_norm", "out": 3.0,
        "mixer": by_layer(short_conv(4), None, short_conv(4)), "keys": {"attention__head_count_kv": INT([0, 1, 0])}, "vocab": 111,
    },
    "granitehybrid-groups": granitehybrid({2}, 1, d=64, ff=48, heads=2, hd=24, mixers=[mamba2(128, 24, 4, 2)] * 4),
    "granitehybrid-wide": granitehybrid({1}, 2, d=48, ff=48, heads=4, hd=40, vocab=131, mixers=[mamba2(96, 64, 2, 1, 3)] * 3),
    "qwen35-40": {
        "arch": "qwen35", "d": 64, "ff": 48, "heads": 3, "kv": 1, "hd": 40, "layers": 4, "norms": ("attn_norm", "post_attention_norm"),
        "mixer": by_layer(*[gated_delta(24, 2, 6)] * 3, gated_queries), "tied": False, "vocab": 109,
        "keys": {"full_attention_interval": 4, "rope__dimension_count": 12, "rope__dimension_sections": INT([2, 2, 2, 0])},
    },
    "qwen35-128": {
        "arch": "qwen35", "d": 48, "ff": 48, "heads": 2, "kv": 1, "hd": 128, "layers": 2, "norms": ("attn_norm", "post_attention_norm"),
        "mixer": by_layer(gated_delta(64, 1, 1), gated_queries), "out": 2.5,
        "keys": {"full_attention_interval": 2, "rope__dimension_count": 32, "rope__dimension_sections": INT([6, 5, 5, 0])},
    },
}

# models in blocks: `format`, and by part of a tensor's name what is in another type
BLOCKS = {
    "llama-q8_0": {"arch": "llama", "d": 96, "ff": 160, "heads": 4, "kv": 2, "format": "Q8_0", "vocab": 131},
    "llama-mix": {
        "arch": "llama", "d": 256, "ff": 256, "heads": 2, "kv": 1, "format": "Q4_K", "others": {"token_embd": "Q6_K", "attn_v": "Q5_K"}, "out": 2.5,
    },
    "llama-moe-q4_k": {
        "arch": "llama", "d": 256, "ff": 256, "heads": 2, "kv": 1, "ffn": "experts", "experts": 3, "format": "Q4_K", "layers": 1,
        "others": {"ffn_down_exps": "Q6_K", "output": "Q6_K", "attn_v": "Q8_0"}, "tied": False,
    },
    "qwen3moe-q8_0": {
        "arch": "qwen3moe", "d": 64, "ff": 96, "heads": 2, "kv": 1, "hd": 24, "qk_norm": "head", "ffn": "experts", "experts": 5, "used": 3,
        "keys": {"expert_feed_forward_length": 96}, "format": "Q8_0", "out": 2.0,
    },
    "qwen3moe-q4_0": {
        "arch": "qwen3moe", "d": 64, "ff": 32, "heads": 2, "kv": 1, "hd": 40, "qk_norm": "head", "ffn": "experts", "experts": 4,
        "keys": {"expert_feed_forward_length": 32}, "format": "Q4_0", "others": {"ffn_down_exps": "Q5_1", "token_embd": "Q5_0"}, "out": 2.0,
    },
    "llama-moe-mxfp4": {
        "arch": "llama", **{"d": 64, "ff": 64, "heads": 2, "kv": 1, "hd": 64}, "ffn": "experts", "experts": 4, "format": "Q8_0",
        "others": {"exps": "MXFP4"}, "tied": False,
    },
    "qwen2-bf16": {"arch": "qwen2", "d": 40, "ff": 56, "heads": 1, "kv": 1, "bias": QKV, "format": "BF16", "out": 2.5},
    "gpt2-q5_1": {
        "arch": "gpt2", "d": 96, "ff": 64, "heads": 4, "kv": 4, "fused_qkv": True, **LN, "more": positions, "out": 3.0, "format": "Q5_1",
    },
    "phi3-q4_1": {
        "arch": "phi3", "d": 64, "ff": 96, "heads": 2, "kv": 2, "fused_qkv": True, "ffn": "fused", "tied": False, "more": long_and_short,
        "keys": LONG, "format": "Q4_1",
    },
    "qwen35-q8_0": {
        "arch": "qwen35", "d": 64, "ff": 96, "heads": 2, "kv": 1, "hd": 32, "layers": 2, "norms": ("attn_norm", "post_attention_norm"),
        "mixer": by_layer(gated_delta(32, 1, 2), gated_queries), "out": 2.5, "format": "Q8_0",
        "keys": {"full_attention_interval": 2, "rope__dimension_count": 16, "rope__dimension_sections": INT([3, 3, 2, 0])},
    },
    "lfm2-q4_k": {
        "arch": "lfm2", "d": 256, "ff": 256, "heads": 4, "kv": 1, "layers": 2, "qk_norm": "head", "final_norm": "token_embd_norm", "out": 2.5,
        "mixer": by_layer(short_conv(3), None), "keys": {"attention__head_count_kv": INT([0, 1])}, "format": "Q4_K", "others": {"in_proj": "Q6_K"},
    },
    "granitehybrid-q8_0": granitehybrid({1}, 1, d=64, ff=64, heads=2, hd=32, mixers=[mamba2(128, 32, 4, 1)] * 2, format="Q8_0"),
    "gemma3-iq4": {
        "arch": "gemma3", "d": 256, "ff": 256, "heads": 4, "kv": 1, "hd": 64, "layers": 2, "post": 16.0, "norms": GEMMA_NORMS, "qk_norm": "head",
        "keys": {"attention__sliding_window": 20}, "format": "IQ4_XS", "others": {"token_embd": "Q5_K", "attn_k": "IQ4_NL", "attn_v": "IQ3_S"},
    },
    "llama-iq2": {
        "arch": "llama", "d": 256, "ff": 512, "heads": 2, "kv": 1, "layers": 1, "format": "IQ2_XS", "tied": False,
        "others": {"output": "IQ1_M", "token_embd": "Q3_K", "ffn_down": "IQ2_S", "attn_v": "IQ3_XXS", "attn_q": "IQ1_S", "ffn_up": "TQ1_0"},
    },
}  # fmt: skip
VARIANTS |= BLOCKS

for spec in VARIANTS.values():
    spec["lengths"] = True
