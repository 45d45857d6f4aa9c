"""ROUGE on the published PageSum outputs for GovReport: scores, time, and agreement with published figures.

    python -m benchmarks.evaluation [--processes N] [--limit N] [--data DIR] [--output FILE]

973 pairs of about 600 and 530 words; all four ROUGE variants with bootstrap intervals are computed, once on
the raw texts and once prepared as for the paper's script. They are compared with the paper's figures (by
the Perl script ROUGE-1.5.5) and with the mean of the scores per document that were published with the
outputs. ``rouge-score`` itself is timed on a few of the pairs.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.corpora import default_data
from lsum_cli.evaluation.bootstrap import Interval, mean_interval
from lsum_cli.evaluation.metrics.rouge import ROUGE_METRICS, Pair, score_pairs, split_summary
from lsum_cli.evaluation.options import Preparation, RougeSettings, Tokenizer
from lsum_cli.evaluation.report import Signature
from lsum_cli.evaluation.results import hash_text

VARIANTS = {Preparation.NONE: "regex", Preparation.PTB: "regex_lower_ptb"}
COLUMNS = {"rouge1": "r1_f", "rouge2": "r2_f", "rougeLsum": "rLsum_f"}
PAIRS_OF_ROUGE_SCORE = 10


@dataclass(frozen=True, kw_only=True)
class Row:
    """One preparation."""

    prepare: Preparation
    intervals: dict[str, Interval]
    expected: dict[str, float]
    furthest: dict[str, float]
    seconds: float
    cpu_seconds: float
    signature: Signature


def read_pairs(goldens: Path, limit: int | None) -> list[Pair]:
    lines = []
    for name in ("reference", "ours.out"):
        content = (goldens / "govreport" / f"govreport.test.{name}.xz").read_bytes()
        lines.append(lzma.decompress(content).decode().split("\n")[:-1])
    return list(zip(*lines, strict=True))[:limit]


def measure(pairs: list[Pair], prepare: Preparation, goldens: Path, processes: int) -> Row:
    settings = RougeSettings(tokenizer=Tokenizer.ROUGE_SCORE, prepare=prepare)
    began, began_cpu = time.perf_counter(), cpu_seconds()
    scored = score_pairs(pairs, settings, processes=processes)
    columns = {name: np.array([scores[name].f1 for scores in scored]) for name in ROUGE_METRICS}
    intervals = {name: mean_interval(values) for name, values in columns.items()}
    seconds, of_cpu = time.perf_counter() - began, cpu_seconds() - began_cpu
    golden = np.load(goldens / f"rouge_per_document_{VARIANTS[prepare]}.npz")
    names = [str(name) for name in golden["columns"]]
    theirs = {name: golden["scores"][: len(pairs), names.index(column)] for name, column in COLUMNS.items()}
    return Row(
        prepare=prepare,
        intervals=intervals,
        expected={name: 100 * float(values.mean()) for name, values in theirs.items()},
        furthest={name: 100 * float(abs(columns[name] - values).max()) for name, values in theirs.items()},
        seconds=seconds,
        cpu_seconds=of_cpu,
        signature=Signature.of(settings, [hash_text(pair[0]) for pair in pairs], resamples=1000, seed=0),
    )


def cpu_seconds() -> float:
    """CPU time of this process and its finished children, which the load of the machine does not change."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def time_rouge_score(pairs: list[Pair]) -> float:
    """CPU seconds a pair takes with ``rouge_score`` alone, sentences on lines of their own."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(ROUGE_METRICS), use_stemmer=True)
    chosen = [tuple("\n".join(split_summary(text)) for text in pair) for pair in pairs[:PAIRS_OF_ROUGE_SCORE]]
    began = cpu_seconds()
    for pair in chosen:
        scorer.score(*pair)
    return (cpu_seconds() - began) / len(chosen)


def report(rows: list[Row], num_pairs: int, processes: int, alone: float, paper: dict[str, float]) -> str:
    lines = [
        "| texts | measure | F1 × 100 (95 % interval) | per-document scores: mean | furthest apart | paper |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        for name in ROUGE_METRICS:
            interval = row.intervals[name]
            score, low, high = (100 * (value or 0) for value in (interval.mean, interval.low, interval.high))
            known = "– | –"
            if name in row.expected:
                known = f"{row.expected[name]:.2f} | {row.furthest[name]:.4f}"
            theirs = paper.get(name) if row.prepare is Preparation.PTB else None
            lines.append(
                f"| {row.prepare} | {name} | {score:.2f} ({low:.1f}–{high:.1f}) | {known} | {theirs or '–'} |"
            )
    times = ", ".join(f"{row.prepare} {row.seconds:.1f} s ({row.cpu_seconds:.1f} s of CPU)" for row in rows)
    return "\n\n".join(
        [
            "\n".join(lines),
            "The per-document scores come from another implementation, whose sentences end at `.!?` before"
            " white space: that moves rougeLsum and nothing else. The paper's come from the Perl script"
            " ROUGE-1.5.5.",
            f"Time for {num_pairs:,} pairs, four measures and intervals, with {processes} processes, start of"
            f" the processes included: {times}. `rouge_score` alone takes {alone:.2f} s of CPU a pair,"
            f" {alone * num_pairs:.0f} s for all.",
            *(f"`{row.signature}`" for row in rows),
        ]
    )


def main() -> None:
    """Measure, print, and write where ``--output`` says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evaluation", description=__doc__)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--limit", type=int, help="pairs; default: all")
    parser.add_argument("--data", type=Path, default=default_data(), help="its neighbour golden/ is read")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    goldens = options.data.parent / "golden"
    pairs = read_pairs(goldens, options.limit)
    published = json.loads((goldens / "rouge.json").read_text(encoding="utf-8"))["paper"]
    paper = {"rouge1": published["R1"], "rouge2": published["R2"], "rougeLsum": published["RL"]}
    rows = [measure(pairs, prepare, goldens, options.processes) for prepare in VARIANTS]
    text = report(rows, len(pairs), options.processes, time_rouge_score(pairs), paper)
    print(text)
    if options.output:
        command = f"python -m benchmarks.evaluation {' '.join(sys.argv[1:])}"
        options.output.write_text(f"# Evaluation\n\nMade with `{command}`.\n\n{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
