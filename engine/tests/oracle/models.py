"""Tiny random models: keys and tensors by architecture."""

import string

import numpy as np

MERGES = ["Ġ t", "h e", "Ġt he", "o a"]


def vocabulary(size, kind):
    """Keys of a tokenizer of `size` tokens: `gpt2` (characters and a few merges) or `llama` (SentencePiece BPE)."""
    letters = string.ascii_lowercase + " .,'\n" + string.digits + string.ascii_uppercase
    letters += "".join(c for c in map(chr, range(33, 127)) if c not in letters)
    keys = {"tokenizer.ggml.model": kind}
    if kind == "gpt2":
        specials = ["<|begin|>", "<|end|>"]
        letters = [{" ": "Ġ", "\n": "Ċ"}.get(c, c) for c in letters]
        more = [f"{a} {c}" for a in "Ġe" for c in "abcdefghijklmnopqrsuvwxyz"]
        merges = (MERGES + more)[: max(len(MERGES), size - 2 - len(letters))]
        rest = [m.replace(" ", "") for m in merges]
        keys |= {"tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.merges": merges}
    else:
        specials = ["<unk>", "<s>", "</s>"]
        letters = ["▁" if c == " " else c for c in letters]
        more = [f"▁{c}" for c in "abcdefghijklmnopqrsuvwxyz"]
        rest = (["▁t", "he", "▁the", "oa"] + more)[: max(4, size - 3 - len(letters))]
    letters = letters[: size - len(specials) - len(rest)]
    tokens = specials + rest + letters
    assert len(tokens) == size, (len(tokens), size)
    first_normal = len(specials)
    keys["tokenizer.ggml.tokens"] = tokens
    if kind == "llama":
        # the longer a piece, the better
        keys["tokenizer.ggml.scores"] = [0.0] * first_normal + [float(4 * len(t) - 20) for t in tokens[first_normal:]]
    types = [np.int32(3)] * first_normal + [np.int32(1)] * (size - first_normal)
    if kind == "llama":
        types[0] = np.int32(2)
    bos = first_normal - 2
    keys |= {
        "tokenizer.ggml.token_type": types,
        "tokenizer.ggml.bos_token_id": bos,
        "tokenizer.ggml.eos_token_id": bos + 1,
        "tokenizer.ggml.add_bos_token": kind == "llama",
    }
    return keys


class Builder:
    def __init__(self, seed, arch, vocab, kind="gpt2", matrix=np.float16):
        self.random = np.random.default_rng(seed)
        self.arch, self.matrix = arch, matrix
        self.keys = {"general.architecture": arch, "general.name": "random"} | vocabulary(vocab, kind)
        self.tensors = {}

    def key(self, **named):
        for name, value in named.items():
            self.keys[f"{self.arch}.{name.replace('__', '.')}"] = value

    def add(self, name, shape, std, mean=0.0, dtype=np.float32):
        self.tensors[name] = (self.random.standard_normal(shape) * std + mean).astype(dtype)

    def mat(self, name, rows, cols, gain=1.0, experts=None):
        """A matrix that turns inputs of variance 1 into outputs of variance gain^2."""
        shape = (rows, cols) if experts is None else (experts, rows, cols)
        self.add(f"{name}.weight", shape, gain / np.sqrt(cols), dtype=self.matrix)

    def norm(self, name, length, bias=False, mean=1.0):
        self.add(f"{name}.weight", length, 0.15 * mean, mean)
        if bias:
            self.add(f"{name}.bias", length, 0.15)

    def bias(self, name, length):
        self.add(f"{name}.bias", length, 0.2)


def experts(b, p, d, count, ff, router=2.0):
    b.add(f"{p}ffn_gate_inp.weight", (count, d), router / np.sqrt(d))
    b.mat(f"{p}ffn_gate_exps", ff, d, 1.5, count)
    b.mat(f"{p}ffn_up_exps", ff, d, 1.0, count)
    b.mat(f"{p}ffn_down_exps", d, ff, 2.0, count)


def gated(b, p, d, ff, out=2.0, suffix=""):
    b.mat(f"{p}ffn_gate{suffix}", ff, d, 1.5)
    b.mat(f"{p}ffn_up{suffix}", ff, d)
    b.mat(f"{p}ffn_down{suffix}", d, ff, out)


def attention(b, p, m):
    q, kv = m["heads"] * m["hd"], m["kv"] * m["hd"]
    parts = [("attn_q", q, 1.5), ("attn_k", kv, 1.5), ("attn_v", kv, 1.0)]
    if m["fused_qkv"]:
        parts = [("attn_qkv", q + 2 * kv, 1.4)]
    for name, rows, gain in parts:
        b.mat(p + name, rows, m["d"], gain)
        if name in m["bias"]:
            b.bias(p + name, rows)
    if m["qk_norm"]:
        shapes = {"head": [m["hd"]] * 2, "wide": [q, kv], "each": [(m["heads"], m["hd"]), (m["kv"], m["hd"])]}[m["qk_norm"]]
        for name, shape in zip(("attn_q_norm", "attn_k_norm"), shapes):
            b.norm(p + name, shape, mean=1.5)
    b.mat(f"{p}attn_output", m["d"], q, m["out"])
    if "attn_output" in m["bias"]:
        b.bias(f"{p}attn_output", m["d"])


def feed_forward(b, p, m):
    d, ff, kind = m["d"], m["ff"], m["ffn"]
    if not isinstance(kind, str):
        kind = kind[int(p.split(".")[1])]
    if kind == "experts":
        experts(b, p, d, m["experts"], b.keys.get(f"{b.arch}.expert_feed_forward_length", ff))
    elif kind == "gated":
        gated(b, p, d, ff, m["out"])
    else:
        b.mat(f"{p}ffn_up", ff * (2 if kind == "fused" else 1), d, 1.5)
        b.mat(f"{p}ffn_down", d, ff, m["out"])
    if m["shared"] and kind == "experts":
        gated(b, p, d, m["shared"], 2.0, "_shexp")
    for name, rows in (("ffn_gate", ff), ("ffn_up", ff), ("ffn_down", d)):
        if name in m["bias"]:
            b.bias(p + name, rows)


DEFAULTS = {
    "d": 64,
    "layers": 2,
    "ff": 64,
    "heads": 4,
    "kv": 2,
    "hd": None,  # d / heads, and no key that says so
    "vocab": 97,
    "tokenizer": "gpt2",
    "tied": True,
    "norm": "rms",  # or ln (with bias), ln- (without), rms+ (with bias)
    "norms": ("attn_norm", "ffn_norm"),
    "bias": (),
    "fused_qkv": False,
    "qk_norm": None,
    "ffn": "gated",  # or fused, plain, experts; or one of these per layer
    "experts": 0,
    "used": 2,
    "shared": 0,
    "out": 1.5,  # size of what a layer adds
    "post": 1.0,  # size of the weights of norms behind a mixer or an FFN
    "logits": 3.0,  # their standard deviation
    "rope": 10000.0,
    "matrix": np.float16,
    "input_scales": False,  # beside NVFP4
    "alignment": None,
    "keys": {},
    "mixer": None,  # says by layer what stands in the place of attention
    "final_norm": "output_norm",
    "more": None,  # called with the builder, a layer's prefix, the sizes
    "then": [],  # called with the builder and the sizes when all else is there
}


def decoder(seed, arch, **sizes):
    """A decoder; what a fixture does not say is in DEFAULTS. Returns keys, tensors, the sizes."""
    m = DEFAULTS | sizes
    stated_hd, m["hd"] = m["hd"], m["hd"] or m["d"] // m["heads"]
    b = Builder(seed, arch, m["vocab"], m["tokenizer"], m["matrix"])
    d, layer_norm = m["d"], m["norm"].startswith("ln")
    with_bias = m["norm"] in ("ln", "rms+")
    b.key(block_count=m["layers"], context_length=512, embedding_length=d, feed_forward_length=m["ff"])
    b.key(attention__head_count=m["heads"], attention__head_count_kv=m["kv"], rope__freq_base=m["rope"])
    b.key(**{f"attention__layer_norm_{'' if layer_norm else 'rms_'}epsilon": 1e-5})
    if stated_hd:
        b.key(attention__key_length=stated_hd, attention__value_length=stated_hd)
    if "experts" in m["ffn"]:
        b.key(expert_count=m["experts"], expert_used_count=m["used"])
    b.key(**{"rope__dimension_count": m["hd"]} | m["keys"])

    b.add("token_embd.weight", (m["vocab"], d), m["logits"] / np.sqrt(d) if m["tied"] else 1.0, dtype=m["matrix"])
    for i in range(m["layers"]):
        p = f"blk.{i}."
        for name in m["norms"]:
            b.norm(p + name, d, with_bias, m["post"] if name.startswith("post_") else 1.0)
        mixer = m["mixer"](i) if m["mixer"] else None
        (mixer or attention)(b, p, m)
        feed_forward(b, p, m)
        if m["more"]:
            m["more"](b, p, m)
    b.norm(m["final_norm"], d, with_bias)
    if not m["tied"]:
        b.mat("output", m["vocab"], d, m["logits"])
        if "output" in m["bias"]:
            b.bias("output", m["vocab"])
    for then in m["then"]:
        then(b, m)
    if m["alignment"]:
        b.keys["general.alignment"] = m["alignment"]
    return b.keys, b.tensors, m
