#!/usr/bin/env python3
"""Writes the models of this folder, runs them through llama.cpp and writes manifest.json. See README.md.

    make.py --oracle PROGRAM [--variants FOLDER] [NAME...]    names: only these fixtures and sections, the rest stays
"""

import argparse
import json
import sys
from pathlib import Path

import records
from extras import SECTIONS
from fixtures import FIXTURES
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--variants", type=Path, help="write the models of variants.py to this folder instead")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    oracle = Oracle(args.oracle)
    specs, sections = (VARIANTS, {}) if args.variants else (FIXTURES, SECTIONS)
    records.FOLDER = args.variants or records.FOLDER
    path = records.FOLDER / "manifest.json"
    manifest = {"schema": 1, "made_with": {"llama_cpp": MADE_WITH}}
    manifest |= json.loads(path.read_text()) if path.exists() else {}
    wanted = args.names or [*specs, *sections]
    made = {r["name"].removesuffix(".F16"): r for r in manifest.get("fixtures", [])}
    failed = []
    for name in (n for n in wanted if n in specs):
        try:
            made[name] = records.make_fixture(oracle, name, specs[name])
        except RuntimeError as error:
            failed.append(f"{name}: {error}")
    manifest["fixtures"] = [made[n] for n in specs if n in made]
    for name in ("formats", "mixes", "blocks", "tokenizers"):
        manifest[name] = []
    manifest |= {n: sections[n](oracle, made) for n in sections if n in wanted}
    path.write_text(in_lines(manifest) + "\n")
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
