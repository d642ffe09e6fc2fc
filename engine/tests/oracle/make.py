#!/usr/bin/env python3
"""Writes the models of this folder, runs them through llama.cpp and writes manifest.json. See README.md.

    make.py --oracle PROGRAM [NAME...]      names: only these fixtures and sections, the rest of the manifest stays
"""

import argparse
import json
import sys

from extras import SECTIONS
from fixtures import FIXTURES
from records import HERE, make_fixture
from runs import Oracle

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
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    oracle = Oracle(args.oracle)
    path = HERE / "manifest.json"
    manifest = {"schema": 1, "made_with": {"llama_cpp": MADE_WITH}}
    manifest |= json.loads(path.read_text()) if path.exists() else {}
    wanted = args.names or [*FIXTURES, *SECTIONS]
    records = {r["name"].removesuffix(".F16"): r for r in manifest.get("fixtures", [])}
    failed = []
    for name in (n for n in wanted if n in FIXTURES):
        try:
            records[name] = make_fixture(oracle, name, FIXTURES[name])
        except RuntimeError as error:
            failed.append(f"{name}: {error}")
    manifest["fixtures"] = [records[n] for n in FIXTURES if n in records]
    for name in ("formats", "mixes", "blocks", "tokenizers"):
        manifest[name] = []
    manifest |= {n: SECTIONS[n](oracle, records) for n in SECTIONS if n in wanted}
    path.write_text(in_lines(manifest) + "\n")
    if failed:
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    main()
