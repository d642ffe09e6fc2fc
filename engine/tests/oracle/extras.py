"""The sections lora, kv, nvfp4 and split of the manifest."""

import os
import tempfile

import numpy as np
from gguf import GGMLQuantizationType as Type

import ggufs
import models
from fixtures import FIXTURES
from records import FOLDER, checks, choose_seed, file_record, prompt_records, write_golden
from runs import distance, nmse

LAYER_TARGETS = ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"]

# name, base, rank, alpha (0: the scale is used as it is), number type, targets
ADAPTERS = {
    "all-f32": ("llama-tied", 8, 16.0, np.float32, [f"blk.{i}.{t}" for i in range(2) for t in LAYER_TARGETS]),
    "some-f16": ("llama-tied", 4, 6.0, np.float16, ["blk.0.attn_v", "blk.1.attn_q", "blk.1.ffn_down"]),
    "ends-f32": ("llama-separate", 4, 4.0, np.float32, ["token_embd", "output"]),
    "every-f16": (
        "llama-separate", 8, 0.0, np.float16,
        ["token_embd", *[f"blk.{i}.{t}" for i in range(2) for t in LAYER_TARGETS], "output"],
    ),
}  # fmt: skip

# base, adapters, then the scales of each run
LORA_RUNS = [
    ("llama-tied", ["all-f32", "some-f16"], [[1.0, 0.0], [0.5, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.5]]),
    ("llama-separate", ["ends-f32", "every-f16"], [[1.0, 0.0], [0.5, 0.0], [0.0, 0.0], [0.0, 1.0], [0.5, -1.0]]),
]


def write_adapter(name, tensors, seed):
    """As convert_lora_to_gguf.py lays them out: `X.lora_a` [rank, inputs], `X.lora_b` [outputs, rank], and `token_embd` transposed."""
    base, rank, alpha, kind, targets = ADAPTERS[name]
    random = np.random.default_rng([seed, rank])
    keys = {
        "general.architecture": "llama",
        "general.type": "adapter",
        "general.name": name,
        "adapter.type": "lora",
        "adapter.lora.alpha": alpha,
        "general.quantization_version": 2,
    }
    parts = {}
    size = 0.35 / (alpha / rank if alpha else 1.0)
    for target in targets:
        outputs, inputs = tensors[f"{target}.weight"].shape
        spread = np.sqrt((tensors[f"{target}.weight"].astype(np.float64) ** 2).mean())
        a = random.standard_normal((rank, inputs)) / np.sqrt(rank)
        b = random.standard_normal((outputs, rank)) * spread * size
        if target == "token_embd":
            # rows are tokens here: A holds a row per token, B maps to the width
            a = random.standard_normal((outputs, rank)) / np.sqrt(rank)
            b = random.standard_normal((inputs, rank)) * spread * size
        parts[f"{target}.weight.lora_a"] = a.astype(kind)
        parts[f"{target}.weight.lora_b"] = b.astype(kind)
    path = FOLDER / "lora" / f"{name}.gguf"
    path.parent.mkdir(exist_ok=True)
    ggufs.write(path, keys, parts)
    twin = tempfile.NamedTemporaryFile(suffix=".gguf")
    ggufs.write(twin.name, keys, {n: t.astype(np.float32) for n, t in parts.items()})
    about = {"rank": rank, "alpha": alpha, "format": "F16" if kind is np.float16 else "F32", "targets": targets}
    return twin, {"name": name, **file_record(path), **about}


def lora_runs(oracle, record, names, scales, seed):
    """Writes the adapters and runs the base with them; per run the scales, how far the logits move, the rows."""
    keys, tensors = ggufs.read(FOLDER / record["file"])
    written = [write_adapter(n, tensors, seed) for n in names]
    prompts = [{"name": p["name"], "ids": p["ids"], "n_decode": 4, "kept": 3} for p in record["prompts"][:2]]
    rows = lambda run: np.concatenate([r[0] for r in run.rows])
    with tempfile.NamedTemporaryFile(suffix=".gguf") as twin:
        ggufs.twin(twin.name, keys, tensors)
        plain = oracle.logits(twin.name, prompts, record["n_vocab"])
        runs = []
        for each in scales:
            args = [a for (adapter, _), s in zip(written, each) for a in ("--lora", adapter.name, s)]
            run = oracle.logits(twin.name, prompts, record["n_vocab"], *args)
            runs.append((each, nmse(rows(plain), rows(run)), run))
    return [about for _, about in written], runs


def lora(oracle, records):
    out = []
    for base, names, scales in LORA_RUNS:
        record, row_bytes = records[base], 4 * records[base]["n_vocab"]
        for seed in range(1, 100):
            adapters, runs = lora_runs(oracle, record, names, scales, seed)
            if all(checks(run)["min_margin"] > 0.05 for _, _, run in runs):
                break
        listed, at = [], 0
        for each, moved, run in runs:
            assert (moved == 0) == (not any(each)), (base, each, moved)
            listed.append({"scales": each, "nmse_from_base": moved, "prompts": prompt_records(run, row_bytes, at)})
            at += run.flat().nbytes
            print(f"lora {base} {each} seed {seed} moves the logits by {moved:.2g}, margin {checks(run)['min_margin']}")
        golden = write_golden(f"lora-{base}.ref", np.concatenate([run.flat() for _, _, run in runs]))
        about = {"name": base, "base": record["name"], "file": record["file"], "n_vocab": record["n_vocab"]}
        out.append(about | {"seed": seed, "adapters": adapters, "golden": {"ref": golden}, "runs": listed})
    return out


def kv(oracle, records):
    os.environ["LLAMA_ATTN_ROT_DISABLE"] = "1"
    out = []
    for name in ("llama3-kv", "gemma2-kv"):
        record = records[name]
        keys, tensors = ggufs.read(FOLDER / record["file"])
        vocab = record["n_vocab"]
        prompts = [{"name": p["name"], "ids": p["ids"], "n_decode": p["n_decode"], "kept": p["prefill"]["shape"][0]} for p in record["prompts"] if p["name"] in ("text", "long")]
        caches = []
        with tempfile.NamedTemporaryFile(suffix=".gguf") as twin:
            ggufs.twin(twin.name, keys, tensors)
            ref = oracle.logits(twin.name, prompts, vocab)
            for kind in ("f16", "q8_0", "q4_0"):
                flash = ["--flash"] if kind != "f16" else []
                run = oracle.logits(twin.name, prompts, vocab, "--kv", kind, *flash, forced=ref.fed)
                golden = write_golden(f"kv-{name}.{kind}", run.flat())
                caches.append({"type": kind, **golden, "vs_ref": {"prefill": distance(ref, run), "all": nmse(ref.flat(), run.flat())}})
                print(f"kv {name} {kind} {caches[-1]['vs_ref']}")
        wanted = ("name", "file", "arch", "n_vocab")
        plain = write_golden(f"kv-{name}.f32", ref.flat())
        about = {k: record[k] for k in wanted} | {"golden": {"ref": plain}}
        out.append(about | {"prompts": prompt_records(ref, 4 * vocab), "caches": caches})
    return out


def nvfp4_decoder(seed, **sizes):
    """Matrices of random 4-bit codes and block scales, with a scale per tensor or per expert beside them."""
    keys, tensors, m = models.decoder(seed, "llama", **sizes)
    random = np.random.default_rng(seed)
    out = {}
    for name, tensor in tensors.items():
        if tensor.dtype != np.float16 or name == "token_embd.weight":
            out[name] = tensor
            continue
        rows = tensor.reshape(-1, tensor.shape[-1])
        blocks = random.integers(0, 256, (len(rows), rows.shape[1] // 64, 36), np.uint8)
        blocks[:, :, :4] = random.integers(0x30, 0x48, blocks[:, :, :4].shape)
        raw = ggufs.Raw(Type.NVFP4, blocks.reshape(*tensor.shape[:-1], -1))
        spread = tensor.astype(np.float64).std() / raw.floats().std()
        count = tensor.shape[0] if tensor.ndim == 3 else 1
        out[name] = raw
        stem = name.removesuffix("weight")
        out[f"{stem}scale"] = (spread * random.uniform(0.6, 1.6, count)).astype(np.float32)
        if m["input_scales"]:
            out[f"{stem}input_scale"] = random.uniform(0.1, 0.9, count).astype(np.float32)
    return keys, out, m


def nvfp4(oracle, _records):
    """The golden rows come from scales multiplied into F32 weights; applying them as llama.cpp does must agree."""
    models_of = {
        "llama-nvfp4": {"tied": False, "ff": 64, "heads": 4, "kv": 2, "input_scales": True},
        "llama-moe-nvfp4": {"tied": False, "ff": 64, "heads": 2, "kv": 1, "ffn": "experts", "experts": 4, "input_scales": False},
    }
    out = []
    for name, sizes in models_of.items():
        record = choose_seed(oracle, name, "NVFP4", lambda seed: nvfp4_decoder(seed, **sizes), stored_limit=2e-3)
        keys, tensors, _ = nvfp4_decoder(record["seed"], **sizes)
        vocab = record["n_vocab"]
        prompts = [{"ids": p["ids"], "n_decode": 0, "kept": p["prefill"]["shape"][0]} for p in record["prompts"]]
        with tempfile.NamedTemporaryFile(suffix=".gguf") as a, tempfile.NamedTemporaryFile(suffix=".gguf") as b:
            ggufs.twin(a.name, keys, tensors)
            ggufs.write(b.name, keys, {n: ggufs.floats(t) for n, t in tensors.items()})
            apart = {n for n in tensors if n.endswith("scale")}
            if "output.scale" in apart:  # llama.cpp reads this one only beside NVFP4
                folded = {n: ggufs.floats(t) for n, t in tensors.items()}
                folded["output.weight"] = folded["output.weight"] * folded.pop("output.scale")
                folded.pop("output.input_scale", None)
                ggufs.write(b.name, keys, folded)
            merged, applied = (oracle.logits(f.name, prompts, vocab) for f in (a, b))
        record["extra"] = {"scales_multiplied_in_vs_applied": distance(merged, applied)}
        print(f"nvfp4 {name} {record['extra']}")
        assert record["extra"]["scales_multiplied_in_vs_applied"]["nmse"] < 1e-11
        out.append(record)
    return out


def split(oracle, records):
    """One model in three files, and in three of which the first holds only keys."""
    record = records["llama-tied"]
    keys, tensors = ggufs.read(FOLDER / record["file"])
    prompts = [{"ids": p["ids"], "n_decode": p["n_decode"], "kept": p["prefill"]["shape"][0]} for p in record["prompts"]]
    out = []
    for name, empty_first in (("llama-split", False), ("llama-split-empty-first", True)):
        (FOLDER / "split").mkdir(exist_ok=True)
        paths = ggufs.split(FOLDER / "split" / name, keys, tensors, 3, empty_first)
        whole, parts = (oracle.logits(p, prompts, record["n_vocab"]) for p in (FOLDER / record["file"], paths[0]))
        assert np.array_equal(whole.flat(), parts.flat())
        copied = {k: record[k] for k in ("arch", "format", "n_vocab", "kind", "golden", "prompts")}
        out.append({"name": name, "whole": record["name"], "files": [file_record(p) for p in paths]} | copied)
    return out


SECTIONS = {"lora": lora, "kv": kv, "nvfp4": nvfp4, "split": split}
