"""Pre-training by gap sentences, then summaries with copying: the two stages of a small PageSum."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from test_gap_sentences import SEA, write_texts
from tiny_training import tiny_recipe, write_examples

from lsum_cli.checkpoints.loading import load_folder
from lsum_cli.checkpoints.manifest import describe_folder
from lsum_cli.checkpoints.values import MANIFEST_NAME
from lsum_cli.datasets.dataset import open_dataset
from lsum_cli.errors import OptionError
from lsum_cli.locality import Locality
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.training.events import StepReport
from lsum_cli.training.options import TrainOptions
from lsum_cli.training.pagesum import build_objective
from lsum_cli.training.run import train

DRAWN = {"locality": None, "min_page_len": 16, "copy": True, "copy_dim": 8}


@pytest.fixture
def examples(tmp_path) -> Path:
    return write_examples(tmp_path / "train.jsonl", 30)


def test_pages_are_drawn_for_every_example_and_nothing_is_lost(examples) -> None:
    dataset = open_dataset(examples)
    recipe = tiny_recipe(examples, model=DRAWN)
    objective = build_objective(recipe, dataset, None)
    again = build_objective(recipe, dataset, None)
    other = build_objective(tiny_recipe(examples, model=DRAWN, training={"seed": 1}), dataset, None)
    counts, localities = set(), set()
    for example in dataset:
        features = objective.encode(example)
        assert np.array_equal(features["input_ids"], again.encode(example)["input_ids"])
        assert features["page_lengths"].max() <= 64
        assert features["tokens_dropped"] == 0
        counts.add(len(features["page_lengths"]))
        localities.add(objective._draw(example, len)[0])
    assert localities == set(Locality)
    assert len(counts) > 4
    assert objective.fingerprint == again.fingerprint != other.fingerprint
    assert objective.manifest("x").locality is None


def test_no_text_is_cut_for_its_pages_being_short(examples) -> None:
    dataset = open_dataset(examples)
    cut = []
    for least in (16, None):
        model = {"locality": "spatial", "min_page_len": least, "max_pages": 4}
        objective = build_objective(tiny_recipe(examples, model=model), dataset, None)
        cut.append([int(objective.encode(example)["tokens_dropped"]) > 0 for example in dataset])
    assert cut[0] == cut[1]
    assert not all(cut[0])


def test_two_stages_and_a_summary(examples, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    texts = write_texts(tmp_path / "texts.jsonl", [" ".join(SEA[n:] + SEA[:n]) for n in range(6)])
    gaps = {"gap_sentences": {"share": 0.2, "variants": 3}}
    first = tiny_recipe(
        texts, texts, model=DRAWN | {"copy": False}, data=gaps, training={"max_steps": 2, "eval_steps": 1}
    )
    train(first, TrainOptions(output=tmp_path / "first", report_to=(), device="cpu"))
    assert load_folder(tmp_path / "first", device="cpu", dtype="float32").model.copier is None
    second = tiny_recipe(
        examples, base=str(tmp_path / "first"), model=DRAWN, training={"max_steps": 2, "eval_steps": 1}
    )
    train(second, TrainOptions(output=tmp_path / "second", report_to=(), device="cpu"))
    model = load_folder(tmp_path / "second", device="cpu", dtype="float32").model
    assert (model.config.copy, model.config.copy_dim) == (True, 8)
    manifest = describe_folder(tmp_path / "second")
    assert manifest.locality is None
    recorded = json.loads((tmp_path / "first" / MANIFEST_NAME).read_text(encoding="utf-8"))
    assert "gap_sentences" in json.dumps(recorded)
    summarizer = Summarizer(
        SummaryOptions(model=str(tmp_path / "second"), device="cpu", offline=True, beams=1)
    )
    (example, *_) = open_dataset(examples)
    assert summarizer.summarize(example.documents).sentences
    with pytest.raises(OptionError, match=r"copies words.*model\.copy=true"):
        build_objective(tiny_recipe(examples, model=DRAWN | {"copy": False}), [], tmp_path / "second")


def test_a_base_can_learn_longer_matches_and_not_forget_them(examples, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    steps = {"max_steps": 1, "eval_steps": 1}
    first = tiny_recipe(examples, model=DRAWN | {"copy_match": 2}, training=steps)
    train(first, TrainOptions(output=tmp_path / "first", report_to=(), device="cpu"))
    base = load_folder(tmp_path / "first", device="cpu", dtype="float32").model
    longer = tiny_recipe(examples, base="first", model=DRAWN | {"copy_match": 5})
    model = build_objective(longer, [], tmp_path / "first").model
    assert (model.config.copy_match, tuple(model.copier.match.shape)) == (5, (3, 5))
    assert torch.equal(model.copier.match[:, :2], base.copier.match)
    assert (model.copier.match[0] > 0).all()
    for match in (0, 1):
        shorter = tiny_recipe(examples, base="first", model=DRAWN | {"copy_match": match})
        with pytest.raises(OptionError, match=r"compares 2 words.*model\.copy_match=2 or more"):
            build_objective(shorter, [], tmp_path / "first")


def test_pre_training_in_pieces_is_pre_training_at_once(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("LSUM_HOME", str(tmp_path / "home"))
    texts = write_texts(tmp_path / "texts.jsonl", [" ".join(SEA[n:] + SEA[:n]) for n in range(6)])
    recipe = tiny_recipe(
        texts,
        texts,
        model=DRAWN,
        data={"gap_sentences": {"share": 0.2, "variants": 3}},
        training={"max_steps": 4, "eval_steps": 2},
    )

    def interrupt(report: object) -> None:
        if isinstance(report, StepReport) and report.step == 2 and report.loss is not None:
            os.kill(os.getpid(), signal.SIGINT)

    def options(name: str, *, resume: bool = False) -> TrainOptions:
        return TrainOptions(output=tmp_path / name, report_to=(), device="cpu", resume=resume)

    whole = train(recipe, options("whole"))
    assert train(recipe, options("pieces"), interrupt).was_interrupted
    assert not train(recipe, options("pieces", resume=True)).was_interrupted
    ours, theirs = (load_file(folder / "model.safetensors") for folder in (tmp_path / "pieces", whole.folder))
    assert "copier.key.weight" in ours
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


@pytest.mark.parametrize("length", [4, 65])
def test_page_lengths_out_of_range_are_refused(examples, length) -> None:
    with pytest.raises(OptionError, match="min_page_len"):
        tiny_recipe(examples, model={"min_page_len": length})
