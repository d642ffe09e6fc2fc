#!/usr/bin/env python3
"""Writes the models of this folder, runs them through llama.cpp and writes manifest.json. See README.md.

    make.py --oracle PROGRAM [--variants FOLDER [--reference FOLDER] [--ggml LIBRARY]] [NAME...]    names: only these fixtures and sections, the rest stays
"""

import argparse
import json
import sys
from pathlib import Path

import ggufs
import models
import records
from extras import SECTIONS
from fixtures import FIXTURES
from further import FURTHER
from optional import OPTIONAL
from resized import RESIZED, resized
from runs import Oracle
from variants import VARIANTS

MADE_WITH = "llama.cpp as vendored by llama-cpp-python 0.3.36 (ggml 0.25.3)"


def in_lines(value, depth=0):
    """JSON with an object per line from the records' parts on."""
    pad = " " * depth
    if isinstance(value, dict) and depth < 3 or isinstance(value, list) and value and isinstance(value[0], dict):
        rows = value.items() if isinstance(value, dict) else [(None, v) for v in value]
        parts = [pad + " " + (f"{json.dumps(k)}: " if k else "") + in_lines(v, depth + 1) for k, v in rows]
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return "\n".join([opening, ",\n".join(parts), pad + closing])
    return json.dumps(value)


def make(oracle, name, spec, reference):
    if "of" not in spec:
        if "pooling_type" in spec.get("keys", {}):
            return records.make_encoder(oracle, name, *models.decoder(1, **spec), 1)
        return records.make_fixture(oracle, name, spec)
    build = lambda seed: resized(reference, seed, spec)
    keys, tensors, sizes = build(1)
    if f"{keys['general.architecture']}.pooling_type" in keys:
        return records.make_encoder(oracle, name, keys, tensors, sizes, 1)
    return records.choose_seed(oracle, name, "F16", build, lengths=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--variants", type=Path, help="write the models of variants.py to this folder instead")
    parser.add_argument("--reference", type=Path, help="the full reference set; with it the models of resized.py too")
    parser.add_argument("--ggml", help="libggml-base.so; with it the variants in blocks too")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    oracle = Oracle(args.oracle)
    specs, sections = (VARIANTS, {}) if args.variants else (FIXTURES | FURTHER | OPTIONAL, SECTIONS)
    if args.reference and args.variants:
        specs = specs | RESIZED
    if args.variants and not args.ggml:
        specs = {n: s for n, s in specs.items() if "format" not in s}
    records.QUANTIZER = ggufs.Quantizer(args.ggml) if args.ggml else None
    records.FOLDER = args.variants or records.FOLDER
    path = records.FOLDER / "manifest.json"
    manifest = {"schema": 1, "made_with": {"llama_cpp": MADE_WITH}}
    manifest |= json.loads(path.read_text()) if path.exists() else {}
    wanted = args.names or [*specs, *sections]
    made = {r["name"].rsplit(".", 1)[0]: r for r in manifest.get("fixtures", [])}
    failed = []
    for name in (n for n in wanted if n in specs):
        try:
            made[name] = make(oracle, name, specs[name], args.reference)
        except RuntimeError as error:
            failed.append(f"{name}: {error}")
    manifest["fixtures"] = [made[n] for n in dict.fromkeys([*specs, *made]) if n in made]
    for name in ("formats", "mixes", "blocks", "tokenizers"):
        manifest[name] = []
    manifest |= {n: sections[n](oracle, made) for n in sections if n in wanted}
    path.write_text(in_lines(manifest) + "\n")
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
