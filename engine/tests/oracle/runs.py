"""Runs the driver and compares what it wrote."""

import os
import subprocess
import tempfile

import numpy as np


class Run:
    """Rows that libllama computed for a list of prompts."""

    def __init__(self, prompts, vocab, rows, fed, margins):
        self.prompts, self.vocab, self.rows, self.fed, self.margins = prompts, vocab, rows, fed, margins

    def flat(self):
        return np.concatenate([part for pair in self.rows for part in pair])


class Oracle:
    def __init__(self, program):
        self.program = os.path.abspath(program)

    def _start(self, args, lines):
        done = subprocess.run([self.program, *map(str, args)], input="\n".join(lines) + "\n", text=True, capture_output=True)
        if done.returncode:
            raise RuntimeError(f"{args}: {done.stderr[-2000:]}")
        return done.stdout.splitlines()

    def tokenize(self, model, texts):
        return [[int(i) for i in line.split()] for line in self._start([model, "--tokenize"], texts)]

    def logits(self, model, prompts, vocab, *options, forced=None):
        """Prompts are dicts with ids, n_decode, kept (0: all rows). `forced`: per prompt the ids to feed instead of the best."""
        with tempfile.NamedTemporaryFile() as out:
            lines = []
            for i, p in enumerate(prompts):
                ids = list(p["ids"]) + (list(forced[i]) if forced else [])
                lines.append(" ".join(map(str, [p["n_decode"], p["kept"], len(p["ids"]), *ids])))
            printed = self._start([model, out.name, *options], lines)
            data = np.fromfile(out.name, "<f4").reshape(-1, vocab)
        rows, fed, margins, at = [], [], [], 0
        for p, line in zip(prompts, printed):
            n = p["kept"] or len(p["ids"])
            rows.append((data[at : at + n], data[at + n : at + n + p["n_decode"]]))
            at += n + p["n_decode"]
            words = line.split()
            fed.append([int(w) for w in words[::2]])
            margins.append([float(w) for w in words[1::2]])
        assert at == len(data)
        return Run(prompts, vocab, rows, fed, margins)

    def embeddings(self, model, prompts):
        """Per prompt the pooled vector, the vectors of its tokens, the kind of pooling."""
        with tempfile.NamedTemporaryFile() as out:
            lines = [" ".join(map(str, [0, 0, len(p["ids"]), *p["ids"]])) for p in prompts]
            pooling = [int(line) for line in self._start([model, out.name, "--embeddings"], lines)]
            data = np.fromfile(out.name, "<f4").reshape(sum(len(p["ids"]) + 1 for p in prompts), -1)
        rows, at = [], 0
        for p in prompts:
            rows.append((data[at], data[at + 1 : at + 1 + len(p["ids"])]))
            at += len(p["ids"]) + 1
        return rows, pooling


def nmse(want, got):
    want, got = want.astype(np.float64), got.astype(np.float64)
    return float(((want - got) ** 2).sum() / (want**2).sum())


def distance(want, got):
    """How far a run is from another over all prompt rows, as the reference's records say it."""
    a = np.concatenate([r[0] for r in want.rows])
    b = np.concatenate([r[0] for r in got.rows])
    return {
        "nmse": float(f"{nmse(a, b):.3e}"),
        "max_abs": float(f"{np.abs(a - b).max():.3e}"),
        "top1_agree": round(float((a.argmax(-1) == b.argmax(-1)).mean()), 4),
    }
