"""The gate of a small checkpoint: its rules, its examples, and a run with a tiny model."""

from __future__ import annotations

import dataclasses
import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tiny_training import tiny_recipe, write_examples

from benchmarks.mini_gate import (
    CorpusRow,
    EqualLengthExtract,
    Shown,
    choose_shown,
    pass_gate,
    report,
    share_of_flagged,
)
from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.evaluation.metrics.registry import SentenceFlag
from lsum_cli.evaluation.results import Row
from lsum_cli.progress import ignore_progress
from lsum_cli.summaries import FlagKind

ROOT = Path(__file__).resolve().parents[2]


def row(
    rouge2: float = 0.21,
    rouge_lsum: float = 0.395,
    repeated: float = 0.01,
    flagged: float = 0.05,
    splices: int = 0,
    broken_endings: int = 0,
) -> CorpusRow:
    return CorpusRow(
        corpus="a",
        examples=7,
        words=100.0,
        model={"rouge1": 0.4, "rouge2": rouge2, "rougeLsum": rouge_lsum},
        extract={"rouge1": 0.4, "rouge2": 0.2, "rougeLsum": 0.4, "words": 99.0},
        repeated=repeated,
        flagged=flagged,
        splices=splices,
        broken_endings=broken_endings,
    )


@pytest.mark.parametrize(
    ("changes", "passes"),
    [
        ({}, True),
        ({"rouge2": 0.2}, False),
        ({"rouge2": 0.195, "rouge_lsum": 0.41}, True),
        ({"rouge_lsum": 0.38}, False),
        ({"repeated": 0.02}, False),
        ({"flagged": 0.051}, False),
        ({"splices": 1}, False),
        ({"broken_endings": 1}, False),
    ],
)
def test_what_is_good_enough(changes, passes) -> None:
    assert row(**changes).passes is passes


def test_three_corpora_are_needed() -> None:
    assert pass_gate([row(), row(), row(), row(flagged=1)])
    assert not pass_gate([row(), row(), row(flagged=1)])
    assert "Passed on 2 of 3 corpora; 3 are needed: **the gate is not passed**" in report(
        "tiny", [row(), row(), row(flagged=1)], []
    )


def test_extracts_are_neither_longer_nor_shorter_on_the_average(tmp_path) -> None:
    examples = list(open_dataset(write_examples(tmp_path / "plain.jsonl", 12)))
    words = {example.id: 8 + number for number, example in enumerate(examples)}
    system = EqualLengthExtract(words)
    written = {
        each.id: sum(
            len(sentence.text.split()) for sentence in system.summarize(each, ignore_progress).sentences
        )
        for each in examples
    }
    assert all(abs(written[name] - words[name]) <= 5 for name in words)  # a sentence
    assert abs(sum(written.values()) - sum(words.values())) <= 0.05 * sum(words.values())


def test_what_decides_nothing_is_told_too() -> None:
    informed = dataclasses.replace(row(), reference_words=80.4, copied=0.953, foremost=0.625, pages=12.25)
    shown = [Shown(id="a/1", model="One.\nTwo.", extract="", reference="word " * 151)]
    text = report("tiny", [informed], shown, "0" * 64)
    assert "| a | 7 | 100 (99, 80) | 40.0 / 21.0 / 39.5 | 40.0 / 20.0 / 40.0 |" in text
    assert text.splitlines()[2].endswith("| yes | 95 % | 62 % of 12.2 |")
    assert f"Weights: `{'0' * 64}`" in text
    assert "**tiny:**\n\n- One.\n- Two.\n\n**extract:**\n\n(nothing)" in text
    assert text.endswith("word … (1 more)")
    assert report("tiny", [row()], []).splitlines()[2].endswith("| – | – of 0.0 |")


def test_sentences_with_numbers_or_names_are_counted_once() -> None:
    flags = tuple(
        SentenceFlag(kind=kind, sentence=sentence, text="x")
        for kind, sentence in ((FlagKind.NUMBER, 0), (FlagKind.NAME, 0), (FlagKind.QUOTATION, 1))
    )
    rows = [
        Row(id=name, where="", reference_sha256="", text="One.\nTwo.\nThree.", reference_words=3, flags=found)
        for name, found in (("a", flags), ("b", ()))
    ]
    assert share_of_flagged(rows) == pytest.approx(1 / 6)
    assert share_of_flagged([]) == 0


@pytest.mark.parametrize("counts", [[293, 186, 28, 16], [1, 50, 2], [2, 3], [100]])
def test_examples_are_spread_evenly_and_not_chosen(counts) -> None:
    places = choose_shown(counts)
    assert sum(map(len, places)) == min(10, sum(counts))
    for chosen, count in zip(places, counts, strict=True):
        assert chosen == sorted(set(chosen))
        assert all(0 <= place < count for place in chosen)


def test_a_tiny_model_does_not_pass(tmp_path) -> None:
    pytest.importorskip("rouge_score")
    from lsum_cli.checkpoints.saving import save_checkpoint
    from lsum_cli.training.pagesum import build_objective

    (tmp_path / "corpora").mkdir()
    for number, corpus in enumerate(("scotus", "osnotes")):
        file = write_examples(tmp_path / "plain.jsonl", 6, seed=number)
        (tmp_path / "corpora" / f"{corpus}.valid.jsonl.xz").write_bytes(lzma.compress(file.read_bytes()))
    objective = build_objective(
        tiny_recipe(file, model={"locality": None, "copy": True}), open_dataset(file), None
    )
    save_checkpoint(tmp_path / "tiny", objective.model, objective.tokenizer, objective.manifest("tiny"))
    output = tmp_path / "gate.md"
    command = [sys.executable, "-m", "benchmarks.mini_gate", str(tmp_path / "tiny"), "--device", "cpu"]
    command += ["--corpora", "scotus,osnotes", "--data", str(tmp_path), "--limit", "5"]
    command += ["--results", str(tmp_path / "kept"), "--output", str(output)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("\n### ") == 10
    assert "| scotus | 5 |" in done.stdout
    assert re.search(r"\d % of \d+\.\d \|$", done.stdout, re.MULTILINE)
    assert re.search("Weights: `[0-9a-f]{64}`", done.stdout)
    assert "0 of 2 corpora" in done.stdout
    assert "**the gate is not passed**" in output.read_text(encoding="utf-8")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["osnotes", "scotus"]
