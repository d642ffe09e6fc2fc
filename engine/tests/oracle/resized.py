"""Models of the reference in other sizes, with new weights like theirs: encoders, and what `models.py` does not build."""

import re

import numpy as np

import ggufs

INT = lambda values: [np.int32(v) for v in values]

# lengths: old length of an axis to new; named: the same by pattern, for axes that these would get wrong
RESIZED = {
    "bert-cls-40": {
        "of": "bert-minilm", "lengths": {96: 120, 192: 80}, "keys": {"embedding_length": 120, "feed_forward_length": 80, "pooling_type": 2},
    },
    "bert-24": {
        "of": "bert-minilm", "lengths": {96: 48, 192: 104}, "keys": {"embedding_length": 48, "feed_forward_length": 104, "attention.head_count": 2},
    },
    "nomic-bert-40": {
        "of": "nomic-bert", "lengths": {64: 80, 192: 240, 160: 56}, "keys": {"embedding_length": 80, "feed_forward_length": 56},
    },
    "gemma-embedding-40": {
        "of": "gemma-embedding", "lengths": {64: 48, 96: 120, 32: 40, 128: 56},
        "keys": {
            "embedding_length": 48, "feed_forward_length": 56, "attention.key_length": 40, "attention.value_length": 40,
            "attention.sliding_window": 13, "dense_2_feat_in": 48, "dense_2_feat_out": 120, "dense_3_feat_in": 120, "dense_3_feat_out": 48,
        },
    },
    "qwen3-embed-24": {
        "of": "qwen3-embed", "lengths": {64: 48, 128: 96, 32: 24, 160: 72}, "named": {r"attn_[kv]\.weight": {64: 48}},
        "keys": {"embedding_length": 48, "feed_forward_length": 72, "attention.key_length": 24, "attention.value_length": 24},
    },
    "gemma4-80-24": {
        "of": "gemma4-e2b", "lengths": {64: 48, 96: 40, 192: 56, 32: 16, 128: 160},
        "named": {
            r"attn_(q|k)_norm|attn_[kv]\.weight": {32: 24, 64: 80},
            r"rope_freqs": {32: 40},
            r"per_layer_(token_embd|model_proj)": {192: 96},
        },
        "inputs": {r"attn_[kv]\.weight": {64: 48}},
        "keys": {
            "embedding_length": 48, "feed_forward_length": INT([40] * 3 + [56] * 3), "attention.key_length": 80, "attention.value_length": 80,
            "attention.key_length_swa": 24, "attention.value_length_swa": 24, "rope.dimension_count": 80, "rope.dimension_count_swa": 24,
            "embedding_length_per_layer_input": 16, "attention.sliding_window": 11,
        },
    },
}  # fmt: skip


def _shape(name, shape, spec):
    out = []
    for axis, old in enumerate(shape):
        lengths = dict(spec["lengths"])
        for pattern, more in spec.get("named", {}).items():
            lengths |= more if re.search(pattern, name) else {}
        if axis == len(shape) - 1 and axis > 0:
            for pattern, more in spec.get("inputs", {}).items():
                lengths |= more if re.search(pattern, name) else {}
        out.append(lengths.get(old, old))
    return out


def resized(reference, seed, spec):
    """Keys and tensors of a reference model in other sizes: normal numbers of each tensor's mean and spread."""
    keys, tensors = ggufs.read(reference / "models" / f"{spec['of']}.F16.gguf")
    keys |= {f"{keys['general.architecture']}.{k}": v for k, v in spec["keys"].items()}
    random = np.random.default_rng(seed)
    out = {}
    for name, old in tensors.items():
        shape = _shape(name, old.shape, spec)
        values = old.astype(np.float64)
        if name == "rope_freqs.weight":
            out[name] = old[np.arange(shape[0]) * old.shape[0] // shape[0]]
            continue
        spread = values.std() * np.sqrt(old.shape[-1] / shape[-1] if old.ndim > 1 and "embd" not in name else 1)
        out[name] = (random.standard_normal(shape) * spread + values.mean()).astype(old.dtype)
    if "then" in spec:
        spec["then"](keys, out, random)
    return keys, out, {"vocab": len(keys["tokenizer.ggml.tokens"]), **{k: v for k, v in spec["keys"].items() if isinstance(v, int)}}
