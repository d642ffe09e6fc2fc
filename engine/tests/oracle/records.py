"""Prompts, golden files, and what the manifest says of them."""

import hashlib
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType as Type

import ggufs
import models
from runs import distance

FOLDER = Path(__file__).parent
QUANTIZER = None
TEXT = "the boats wait at 7"
LENGTHS = [1, 31, 32, 33, 64, 65, 130, 199]


def file_record(path):
    data = path.read_bytes()
    return {"file": str(path.relative_to(FOLDER)), "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}


def prompts_of(oracle, model, random, vocab, lengths):
    """The reference's four prompts, and one per length."""
    ids = lambda n: [int(i) for i in random.integers(3, vocab, n)]
    text = {"name": "text", "ids": oracle.tokenize(model, [TEXT])[0], "n_decode": 6, "kept": 0, "text": TEXT}
    out = [
        text,
        {"name": "rand", "ids": ids(9), "n_decode": 3, "kept": 5},
        {"name": "one", "ids": ids(1), "n_decode": 1, "kept": 0},
        {"name": "long", "ids": ids(130), "n_decode": 2, "kept": 4},
    ]
    if lengths:
        out += [{"name": f"length-{n}", "ids": ids(n), "n_decode": 4, "kept": min(n, 2)} for n in LENGTHS]
    return out


def prompt_records(run, row_bytes, at=0):
    """Prompt records of a golden file that holds the rows of `run` in order from byte `at` on."""
    out = []
    for p, (prefill, decode), fed, margins in zip(run.prompts, run.rows, run.fed, run.margins):
        record = {k: v for k, v in p.items() if k != "kept"}
        for name, rows in (("prefill", prefill), ("decode", decode)):
            record[name] = {"offset": at, "shape": list(rows.shape)}
            at += len(rows) * row_bytes
        record["prefill"]["first_position"] = len(p["ids"]) - len(prefill)
        out.append(record | {"greedy": fed, "margin": [round(m, 4) for m in margins]})
    return out


def write_golden(name, rows):
    path = FOLDER / "golden" / f"{name}.bin"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows.astype("<f4").tofile(path)
    return file_record(path)


def checks(run):
    rows = np.concatenate([r[0] for r in run.rows])
    pairs = [(int(row.argmax()), p["ids"][-len(r[0]) :][i]) for p, r in zip(run.prompts, run.rows) for i, row in enumerate(r[0])]
    return {
        "std": round(float(rows.std()), 3),
        "finite": bool(np.isfinite(rows).all()),
        "unique_top1": len({a for a, _ in pairs}),
        "positions": len(pairs),
        "top1_equals_input": round(sum(a == b for a, b in pairs) / len(pairs), 3),
        "unique_greedy": len({i for fed in run.fed for i in fed}),
        "min_margin": min(round(m, 4) for margins in run.margins for m in margins),
    }


def good(found):
    """Choices that rounding cannot turn, of tokens that differ."""
    distinct = found["unique_greedy"] >= 6 and found["top1_equals_input"] < 0.5
    return found["finite"] and distinct and found["min_margin"] > 0.02 * found["std"]


def summary(name, path, keys, tensors, sizes, seed):
    kinds = Counter(ggufs.kind_of(t).name for t in tensors.values())
    vocab = keys["tokenizer.ggml.token_type"]
    bos, eos = keys.get("tokenizer.ggml.bos_token_id"), keys.get("tokenizer.ggml.eos_token_id")
    plain = {k: v for k, v in sizes.items() if isinstance(v, (int, float, str, bool)) and k not in ("arch", "vocab", "tokenizer")}
    return {
        "name": name,
        **file_record(path),
        "arch": keys["general.architecture"],
        "format": name.rsplit(".", 1)[1],
        "tensor_types": dict(kinds),
        "n_params": int(sum(ggufs.floats(t).size for t in tensors.values())),
        "n_vocab": len(vocab),
        "tokenizer": keys["tokenizer.ggml.model"],
        "seed": seed,
        "dims": plain,
        "kind": "causal",
        "special_tokens": {
            "bos": bos,
            "eos": eos,
            "eog": [eos],
            "add_bos": keys.get("tokenizer.ggml.add_bos_token", False),
            "add_eos": False,
        },
    }


def make_fixture(oracle, name, spec):
    """Writes a model and its golden file: the first seed whose model decides clearly. Returns its record."""
    spec = dict(spec)
    arch, lengths, extra = spec.pop("arch"), spec.pop("lengths", False), spec.pop("extra", None)
    kind, others = spec.pop("format", "F16"), spec.pop("others", {})

    def build(seed):
        keys, tensors, sizes = models.decoder(seed, arch, **spec)
        if kind != "F16":
            tensors = QUANTIZER.matrices(tensors, Type[kind], {part: Type[k] for part, k in others.items()})
        return keys, tensors, sizes

    record = choose_seed(oracle, name, kind, build, lengths, 1e-4 if kind == "F16" else 0.1)
    return record | ({"extra": extra} if extra else {})


def make_encoder(oracle, name, keys, tensors, sizes, seed):
    """Writes an embedding model and its golden file."""
    path = FOLDER / "models" / f"{name}.F16.gguf"
    path.parent.mkdir(parents=True, exist_ok=True)
    ggufs.write(path, keys, tensors)
    random = np.random.default_rng(seed)
    lengths = [2, 9, *(n for n in LENGTHS if n <= keys[f"{keys['general.architecture']}.context_length"])]
    prompts = [{"name": f"length-{n}", "ids": [int(i) for i in random.integers(6, min(506, sizes["vocab"]), n)], "n_decode": 0} for n in lengths]
    with tempfile.NamedTemporaryFile(suffix=".gguf") as twin:
        ggufs.twin(twin.name, keys, tensors)
        rows, pooling = oracle.embeddings(twin.name, prompts)
    at, out = 0, []
    for p, (pooled, tokens), kind in zip(prompts, rows, pooling):
        at_tokens = at + pooled.nbytes
        places = {"embd": {"offset": at, "shape": [len(pooled)]}, "token_embd": {"offset": at_tokens, "shape": list(tokens.shape)}}
        out.append(p | {"pooling": kind} | places)
        at = at_tokens + tokens.nbytes
    everything = np.concatenate([part.ravel() for pair in rows for part in pair])
    assert np.isfinite(everything).all()
    print(f"{name:24} seed {seed:3} {path.stat().st_size:7} bytes  std {everything.std():.3g}", flush=True)
    record = summary(f"{name}.F16", path, keys, tensors, sizes, seed)
    return record | {"kind": "embedding", "golden": {"ref": write_golden(f"{name}.F16.ref", everything)}, "prompts": out}


def choose_seed(oracle, name, label, build, lengths=False, stored_limit=1e-4):
    """The first seed whose model decides clearly, and so that its stored file does much the same as its F32 twin."""
    path = FOLDER / "models" / f"{name}.{label}.gguf"
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(suffix=".gguf") as twin:
        for seed in range(1, 400):
            keys, tensors, sizes = build(seed)
            ggufs.write(path, keys, tensors)
            ggufs.twin(twin.name, keys, tensors)
            prompts = prompts_of(oracle, path, np.random.default_rng(seed), sizes["vocab"], lengths)
            run = oracle.logits(twin.name, prompts, sizes["vocab"])
            found = checks(run)
            stored = distance(run, oracle.logits(path, prompts, sizes["vocab"], forced=run.fed))
            if good(found) and stored["nmse"] < stored_limit:
                break
        else:
            raise RuntimeError(f"no seed is good: {found}, {stored}")
    record = summary(f"{name}.{label}", path, keys, tensors, sizes, seed)
    record |= {
        "golden": {"ref": write_golden(f"{name}.{label}.ref", run.flat())},
        "prompts": prompt_records(run, 4 * sizes["vocab"]),
        "cpu_vs_ref": {"prefill": stored},
        "checks": found,
    }
    brief = " ".join(f"{k} {found[k]}" for k in ("std", "unique_greedy", "top1_equals_input", "min_margin"))
    print(f"{name:24} seed {seed:3} {record['bytes']:7} bytes  {brief}  stored {stored['nmse']:.1e}", flush=True)
    return record
