#!/usr/bin/env python3
"""Runs files of another fixtures folder through the driver and compares with their golden rows.

    check.py --oracle PROGRAM FOLDER [NAME...]
"""

import argparse
import json
import tempfile
from pathlib import Path

import ggufs
import numpy as np
from runs import Oracle, nmse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--oracle", required=True)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    oracle = Oracle(args.oracle)
    for record in json.loads((args.folder / "manifest.json").read_text())["fixtures"]:
        if record["kind"] != "causal" or (args.names and record["name"] not in args.names):
            continue
        golden = np.fromfile(args.folder / record["golden"]["ref"]["file"], "<f4").reshape(-1, record["n_vocab"])
        keep = lambda p: p["prefill"]["shape"][0] if p["prefill"]["first_position"] else 0
        prompts = [{"ids": p["ids"], "n_decode": p["n_decode"], "kept": keep(p)} for p in record["prompts"]]
        with tempfile.NamedTemporaryFile(suffix=".gguf") as twin:
            ggufs.twin(twin.name, *ggufs.read(args.folder / record["file"]))
            run = oracle.logits(twin.name, prompts, record["n_vocab"])
        same = run.fed == [p["greedy"] for p in record["prompts"]]
        print(f"{record['name']:24} nmse {nmse(golden, run.flat()):.1e} greedy {'equal' if same else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
