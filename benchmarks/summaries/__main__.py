"""Extraction before and after: ROUGE, what readers object to, and time, on documents set aside.

    python -m benchmarks.summaries [--corpus scotus] [--limit 5] [--before COMMIT] [--output FILE]

Half of each valid split was set aside before any rule was written; ``set_aside.json`` lists the ids.
Before is the extraction of an earlier commit, taken out of the repository and run by itself on the same
documents with the same number of words: the median length of the reference summaries of the training split.
``lead`` is cut at exactly that number. Differences are tested by the paired bootstrap (1000 resamples).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from benchmarks.corpora import CORPORA, REPOSITORY, corpus_path, default_data, read_references
from benchmarks.summaries.checks import (
    OF_THE_COURT,
    faults_of_form,
    not_the_courts,
    tells_what_was_decided,
    without_antecedent,
)
from lsum_cli.evaluation.bootstrap import Difference, compare_means
from lsum_cli.text.sentences import split_sentences

BEFORE = "c1953a5"
SET_ASIDE = Path(__file__).with_name("set_aside.json")
WORKER = Path(__file__).with_name("worker.py")
RESULTS = REPOSITORY / "benchmarks" / "results" / "summaries.md"
# What tests enforce on the first of these documents: half a point below what was measured.
FLOORS = REPOSITORY / "benchmarks" / "floors" / "summaries.json"
METRICS = {"rouge1": "R-1", "rouge2": "R-2", "rougeLsum": "R-Lsum"}
SPOKEN = "qmsum"

Record = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Figures:
    """What was measured on one corpus.

    Attributes:
        scores: Mean F1 of each metric for ``before``, ``after`` and ``lead``, in percent.
        above_lead: After minus lead in R-2.
        faults: How often each fault of form occurs, before and after.
        without_antecedent: Share of sentences that refer to one that is not shown, before and after.
        foreign: Sentences of decisions that are not the court's and have no label, before and after.
        decided: Share of decisions whose summary tells what was decided, before and after.
        seconds: CPU seconds per 100,000 words, before and after.
    """

    corpus: str
    num_documents: int
    num_words: int
    scores: dict[str, tuple[float, ...]]
    above_lead: Difference
    faults: tuple[Counter[str], Counter[str]]
    without_antecedent: tuple[float, float]
    foreign: tuple[int, int]
    decided: tuple[float, float]
    seconds: tuple[float, float]
    examples: tuple[str, ...] = field(default=())


def take_out(commit: str, folder: Path, *others: str) -> Path:
    """Write lsum and other files of a commit into a folder, without touching the working tree."""
    archive = subprocess.run(
        ["git", "archive", commit, "lsum_cli", *others], cwd=REPOSITORY, check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)
    return folder


def summarise(tasks: Sequence[Record], checkout: Path) -> list[Record]:
    """The summaries that the lsum of a checkout extracts."""
    done = subprocess.run(
        [sys.executable, str(WORKER)],
        input="\n".join(map(json.dumps, tasks)),
        env={**os.environ, "PYTHONPATH": str(checkout)},
        text=True,
        check=True,
        stdout=subprocess.PIPE,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def task_of(corpus: str, *, data: Path, limit: int | None = None) -> Record:
    """What the worker is to do: the documents that were set aside, with as many words as references have."""
    lengths = [len(reference.split()) for reference in read_references(corpus, "train", data=data)]
    ids = json.loads(SET_ASIDE.read_text(encoding="utf-8"))[corpus][:limit]
    return {
        "corpus": str(corpus_path(corpus, "valid", data)),
        "ids": ids,
        "words": round(statistics.median(lengths)),
    }


def measure(corpus: str, *, data: Path, limit: int | None, before: Path) -> Figures:
    """Measure one corpus."""
    task = task_of(corpus, data=data, limit=limit)
    num_words = task["words"]
    old, new = summarise([task], before), summarise([task], REPOSITORY)
    assert [record["id"] for record in old] == [record["id"] for record in new]
    values = {
        "before": np.array([score(record, texts_of(record)) for record in old]),
        "after": np.array([score(record, texts_of(record)) for record in new]),
        "lead": np.array([score(record, record["lead"]) for record in new]),
    }
    is_spoken = corpus == SPOKEN
    return Figures(
        corpus=corpus,
        num_documents=len(new),
        num_words=num_words,
        scores={name: tuple(value.mean(axis=0)) for name, value in values.items()},
        above_lead=compare_means(values["after"][:, 1], values["lead"][:, 1]),
        faults=(_count_faults(old, is_spoken), _count_faults(new, is_spoken)),
        without_antecedent=(_share_without_antecedent(old), _share_without_antecedent(new)),
        foreign=(_count_foreign(old), _count_foreign(new)),
        decided=(_share_decided(old), _share_decided(new)),
        seconds=(_seconds(old), _seconds(new)),
        examples=tuple(_examples(new, is_spoken)),
    )


def texts_of(record: Record) -> list[str]:
    """The sentences as a reader sees them, each after whoever says it."""
    return [
        sentence["text"] if sentence["label"] in OF_THE_COURT else f"{sentence['label']}: {sentence['text']}"
        for sentence in record["sentences"]
    ]


def score(record: Record, texts: Sequence[str]) -> list[float]:
    """R-1, R-2 and R-Lsum of a summary, in percent."""
    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    lines = [line for paragraph in record["reference"].splitlines() for line in split_sentences(paragraph)]
    scores = scorer.score("\n".join(lines), "\n".join(texts))
    return [100 * scores[metric].fmeasure for metric in METRICS]


def _count_faults(records: Sequence[Record], is_spoken: bool) -> Counter[str]:
    return Counter(
        name for record in records for name, _ in faults_of_form(record["sentences"], is_spoken=is_spoken)
    )


def _share_without_antecedent(records: Sequence[Record]) -> float:
    count = sum(1 for record in records for _ in without_antecedent(record["sentences"]))
    return count / max(1, _count(records))


def _count(records: Sequence[Record]) -> int:
    return sum(len(record["sentences"]) for record in records)


def _count_foreign(records: Sequence[Record]) -> int:
    return sum(len(not_the_courts(record["sentences"])) for record in records)


def _share_decided(records: Sequence[Record]) -> float:
    return statistics.fmean(tells_what_was_decided(record["sentences"]) for record in records)


def _seconds(records: Sequence[Record]) -> float:
    words: int = sum(record["words"] for record in records)
    return sum(record["seconds"] for record in records) * 100_000 / max(1, words)


def _examples(records: Sequence[Record], is_spoken: bool) -> Iterator[str]:
    for record in records:
        for name, text in faults_of_form(record["sentences"], is_spoken=is_spoken):
            yield f"{name}: {text}"
        for text in without_antecedent(record["sentences"]):
            yield f"without antecedent: {text}"
        for text in not_the_courts(record["sentences"]):
            yield f"not the court's: {text}"
        if not is_spoken and "scotus" in record["id"] and not tells_what_was_decided(record["sentences"]):
            yield f"nothing decided: {record['id']}"


def table(rows: Sequence[Figures]) -> str:
    """The figures as Markdown tables."""
    lines = [
        "| corpus | documents | words | R-1 before → after | R-2 | R-Lsum | R-2 above lead (95 %) | p |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        pairs = zip(row.scores["before"], row.scores["after"], strict=True)
        scores = " | ".join(f"{old:.2f} → {new:.2f}" for old, new in pairs)
        lead = row.above_lead
        lines.append(
            f"| {row.corpus} | {row.num_documents} | {row.num_words} | {scores}"
            f" | {lead.difference:+.2f} ({lead.low:+.2f} to {lead.high:+.2f}) | {lead.p_value:.3f} |"
        )
    lines += [
        "",
        "| corpus | faults of form before → after | without antecedent, % | s / 100,000 words |",
        "|---|---:|---:|---:|",
    ]
    for row in rows:
        old, new = (sum(faults.values()) for faults in row.faults)
        lines.append(
            f"| {row.corpus} | {old} → {new}"
            f" | {100 * row.without_antecedent[0]:.1f} → {100 * row.without_antecedent[1]:.1f}"
            f" | {row.seconds[0]:.2f} → {row.seconds[1]:.2f} |"
        )
    for row in rows:
        if row.corpus == "scotus":
            lines += [
                "",
                f"Decisions: sentences not the Court's without a label {row.foreign[0]} → {row.foreign[1]};"
                f" summaries that tell what was decided {row.decided[0]:.0%} → {row.decided[1]:.0%}.",
            ]
    return "\n".join(lines)


def main() -> None:
    """Measure, print the tables, and write them where ``--output`` says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.summaries", description=__doc__)
    parser.add_argument("--corpus", choices=CORPORA, action="append", help="default: all")
    parser.add_argument("--limit", type=int, help="documents per corpus; default: all that are set aside")
    parser.add_argument("--data", type=Path, default=default_data(), help="folder that holds corpora/")
    parser.add_argument("--before", default=BEFORE, help=f"commit to compare with; default: {BEFORE}")
    parser.add_argument("--faults", action="store_true", help="list what is left of faults")
    parser.add_argument("--output", type=Path, help=f"such as {RESULTS.name}; default: none")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        before = take_out(options.before, Path(folder))
        rows = [
            measure(corpus, data=options.data, limit=options.limit, before=before)
            for corpus in options.corpus or CORPORA
        ]
    print(table(rows))
    if options.faults:
        print("\n".join(f"{row.corpus}: {each}" for row in rows for each in row.examples))
    if options.output:
        command = f"python -m benchmarks.summaries {' '.join(sys.argv[1:])}".strip()
        options.output.write_text(f"Made with `{command}`.\n\n{table(rows)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
