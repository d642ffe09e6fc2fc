"""Writes unigram.json: vocabularies that SentencePiece trains, and what it makes of texts.

    python3 engine/tests/oracle/unigram.py [--all OUT]

With --all also one with SentencePiece's own table (nmt_nfkc, 240 kB), which is not kept here:
PITH_UNIGRAM=OUT cargo test -p pith-engine --test tokenizer_unigram
"""

import json
import sys
import tempfile
from pathlib import Path

import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as pb

HERE = Path(__file__).parent
CORPUS = (HERE / "README.md").read_text() + (HERE / "unigram.py").read_text()

REPLACEMENTS = {
    "\uff21": "a", "\uff22": "B", "\ufb01": "fi", "\u2460": "1", "\u00a0": " ", "\t": " ", "\n": " ", "\r": " ",
    "\u3000": " ", "\u200b": "", "e\u0301": "\u00e9", "\u00bd": "1/2", "\u2026": "...", "ABC": "abc", "AB": "x",
}  # fmt: skip

TEXTS = [
    "Hello world", "  two  spaces  inside ", "\ttabs\tand\nlines\n", "", "   ", "\uff21\uff22 wide", "\ufb01ne \ufb01re",
    "\u2460\u2461", "cafe\u0301 caf\u00e9", "\u00bd \u2026 ABC AB A B", "ABCAB", "ABABC", "zero\u200bwidth\u200b",
    "\u65e5\u672c\u8a9e text", "a\u00a0b\u3000c", "emoji \U0001f600 here", "x" * 50, "\u2581already marked", "E\u0301",
    "\r\n\r\n", "tokenizer.ggml.tokens", "\u00bd\u00bd", "\u2026",
]  # fmt: skip


def trained(folder, **options):
    corpus, prefix = folder / "corpus.txt", folder / "model"
    corpus.write_text(CORPUS)
    spm.SentencePieceTrainer.train(
        input=str(corpus), model_prefix=str(prefix), vocab_size=220, model_type="unigram", minloglevel=2, **options
    )
    return prefix.with_suffix(".model").read_bytes()


def record(model):
    processor, proto = spm.SentencePieceProcessor(model_proto=model), pb.ModelProto()
    proto.ParseFromString(model)
    texts = TEXTS + [line for line in CORPUS.splitlines() if line.strip()][:45]
    return {
        "unknown": processor.unk_id(),
        "tokens": [piece.piece for piece in proto.pieces],
        "scores": [piece.score for piece in proto.pieces],
        "types": [piece.type for piece in proto.pieces],
        "add_space_prefix": proto.normalizer_spec.add_dummy_prefix,
        "remove_extra_whitespaces": proto.normalizer_spec.remove_extra_whitespaces,
        "charsmap": proto.normalizer_spec.precompiled_charsmap.hex(),
        "cases": [{"text": text, "ids": processor.encode(text)} for text in texts],
    }


def main():
    folder = Path(tempfile.mkdtemp())
    rules = folder / "rules.tsv"
    codes = lambda text: " ".join(f"{ord(c):X}" for c in text)
    rules.write_text("".join(f"{codes(k)}\t{codes(v)}\n" for k, v in REPLACEMENTS.items()))
    plain = {"normalization_rule_name": "identity", "add_dummy_prefix": False, "remove_extra_whitespaces": False}
    all = {"custom": record(trained(folder, normalization_rule_tsv=str(rules))), "plain": record(trained(folder, **plain))}
    (HERE / "unigram.json").write_text(json.dumps(all, indent=0) + "\n")
    if sys.argv[1:2] == ["--all"]:
        all["nmt_nfkc"] = record(trained(folder, normalization_rule_name="nmt_nfkc"))
        Path(sys.argv[2]).write_text(json.dumps(all))


main()
