"""How fast the tokenizers are, beside HuggingFace's Rust and a naive loop.

    python -m tests.benchmarks.tokenizers            # two or three minutes, writes benchmarks/tokenizers.json
    python -m tests.benchmarks.tokenizers --quick    # without the naive loop, writes nothing

Everything happens in one run, on one thread, with the same text; times are processor
seconds, so that other programs disturb little, and medians of runs that take turns.
Before anything is timed, all results are compared: a fast wrong answer stops the run.

The text is English as every Python carries it: the topics of ``help`` and the doc
strings of the standard library, one million characters.  The naive loop is that of
the classroom, ``learn_merges_naively``: each distinct word once with its count, all
pairs of all words counted again after each merge.
"""

import os

os.environ["TOKENIZERS_PARALLELISM"], os.environ["RAYON_NUM_THREADS"] = "false", "1"

import argparse
import ast
import gc
import json
import sysconfig
import tempfile
import time
import tracemalloc
from pathlib import Path
from pydoc_data import topics
from statistics import median

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from labutils.authoring.benchmarks import record
from labutils.text import ByteLevelBPE, WordPiece, load_tokenizer
from labutils.text.bpe_train import count_words, learn_merges_naively
from labutils.text.bytes import ALPHABET

SIZE, MERGES, RUNS = 1_000_000, 1000, 5


def english(size=SIZE):
    """The first ``size`` characters of Python's own documentation."""
    parts = [topics.topics[name] for name in sorted(topics.topics)]
    for path in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                parts.append(ast.get_docstring(node) or "")
    text = "\n".join(parts)[:size]
    if len(text) < size:
        raise SystemExit(f"This Python carries only {len(text):,} characters of documentation; {size:,} are needed.")
    return text


def seconds(function):
    """Processor time of one call."""
    gc.collect()
    start = time.process_time()
    function()
    return time.process_time() - start


def in_turns(functions, runs=RUNS):
    """Median processor time of each function, measured turn by turn."""
    times = {name: [] for name in functions}
    for _ in range(runs):
        for name, function in functions.items():
            times[name].append(seconds(function))
    return {name: median(values) for name, values in times.items()}


def train_rust(lines):
    """HuggingFace's BpeTrainer with the alphabet and the number of merges that ours has."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + MERGES, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), show_progress=False
    )
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer


def train_naive(lines):
    return [pair for pair, _ in learn_merges_naively(count_words(lines), MERGES, ALPHABET)]


def train_ours(lines):
    return ByteLevelBPE.train(lines, 256 + MERGES + 1)


def bench_training(lines, quick):
    """Seconds for 1,000 merges: ours, Rust's and the naive loop's, after all three gave the same merges."""
    merges = train_ours(lines).merges
    rust = [tuple(pair) for pair in json.loads(train_rust(lines).to_str())["model"]["merges"]]
    if merges != rust:
        raise SystemExit("Our merges differ from Rust's: fix that first.")
    times = in_turns({"ours": lambda: train_ours(lines), "rust": lambda: train_rust(lines)})
    if not quick:
        found = []
        times["naive"] = seconds(lambda: found.extend(train_naive(lines)))
        if merges != found:
            raise SystemExit("The naive loop found other merges: fix that first.")
    return times


def bench_encoding(tokenizer, text):
    """Seconds to encode the text to ids: ours and Rust's, each with nothing remembered and again."""
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save(folder)
        rust_file = Path(folder, "tokenizer.json").read_text(encoding="utf-8")
        fresh = lambda: load_tokenizer(folder)
        lines = text.splitlines(keepends=True)
        rust = Tokenizer.from_str(rust_file)
        if tokenizer.encode_ids(text) != rust.encode(text, add_special_tokens=False).ids:
            raise SystemExit("Our ids differ from Rust's: fix that first.")
        new_ours, new_rust = (
            iter([fresh() for _ in range(RUNS)]),
            iter([Tokenizer.from_str(rust_file) for _ in range(2 * RUNS)]),
        )
        return in_turns({
            "ours, first time": lambda: next(new_ours).encode_ids(text),
            "ours, again": lambda: tokenizer.encode_ids(text),
            "rust encode, first time": lambda: next(new_rust).encode(text, add_special_tokens=False).ids,
            "rust encode, again": lambda: rust.encode(text, add_special_tokens=False).ids,
            "rust encode_batch_fast, first time": lambda: next(new_rust).encode_batch_fast([text], add_special_tokens=False)[0].ids,
            "rust encode_batch_fast, again": lambda: rust.encode_batch_fast([text], add_special_tokens=False)[0].ids,
            "rust encode_batch_fast, line by line": lambda: [
                row.ids for row in rust.encode_batch_fast(lines, add_special_tokens=False)
            ],
            "ours, with offsets and tokens": lambda: tokenizer.encode(text),
        })  # fmt: skip


def remembered(tokenizer, text):
    """Megabytes that a fresh tokenizer keeps after encoding a text both ways."""
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save(folder)
        fresh = load_tokenizer(folder)
    tracemalloc.start()
    fresh.encode_ids(text)
    fresh.encode(text)
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return kept / 1e6


def rows_of(what, times, base):
    """Table rows: seconds, and how many times as long as ``base``."""
    return [
        {"what": what, "how": how, "seconds": f"{value:.3f}", f"times {base[0]}": f"{value / base[1]:.2f}"}
        for how, value in times.items()
    ]


def summary_of(training, encodings, megabytes):
    """The ratios that were asked for, beside what was asked."""
    said = []
    if "naive" in training:
        said.append(
            f"Training 1,000 merges on a million characters of English: {training['naive'] / training['ours']:.0f}"
            f" times as fast as counting again after each merge (goal: 30), {training['ours'] / training['rust']:.2f}"
            " times the time of Rust's trainer (goal: at most 2), the same merges one by one."
        )
    for name, times in encodings.items():
        first, again = times["ours, first time"], times["ours, again"]
        fast = min(value for how, value in times.items() if "batch_fast" in how)
        rust = min(times["rust encode, first time"], times["rust encode, again"])
        said.append(
            f"{name}, a million characters to ids on one thread: with nothing remembered {rust / first:.1f} times as"
            f" fast as HuggingFace's `Tokenizer.encode` (goal: 2) and {fast / first:.1f} times as fast as its fastest"
            f" `encode_batch_fast` (goal: more than 1), with the words remembered {rust / again:.0f} and"
            f" {fast / again:.0f} times."
        )
    said.append(
        f"What is remembered takes {megabytes[0]:.0f} MB after this text and {megabytes[1]:.0f} MB when the memory is"
        " full of words of eight characters; then it is emptied."
    )
    return "\n\n".join(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave the naive loop out and write nothing")
    quick = parser.parse_args().quick
    text = english()
    lines = text.splitlines(keepends=True)
    training = bench_training(lines, quick)
    tokenizers = {
        "Byte-level BPE, 1,257 entries": train_ours(lines),
        "Byte-level BPE, 12,000 entries": ByteLevelBPE.train(lines, 12_000),
        "WordPiece, 3,000 entries": WordPiece.train(lines, 3_000, min_frequency=20),
    }
    encodings = {name: bench_encoding(tokenizer, text) for name, tokenizer in tokenizers.items()}
    bpe = tokenizers["Byte-level BPE, 1,257 entries"]
    different = " ".join(f"word{i:04x}" for i in range(2 * bpe._chunks.limit - 2))  # forgets once, then fills up again
    summary = summary_of(training, encodings, (remembered(bpe, text), remembered(bpe, different)))
    rows = rows_of("train 1,000 merges", training, ("ours", training["ours"]))
    for name, times in encodings.items():
        rows += rows_of(f"encode: {name}", times, ("ours", times["ours, first time"]))
    print(*("  ".join(map(str, row.values())) for row in rows), summary, sep="\n")
    if not quick:
        print(record("tokenizers", "Tokenizers: ours, HuggingFace's Rust, and a naive loop", summary, rows))


if __name__ == "__main__":
    main()
