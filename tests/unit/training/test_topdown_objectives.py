"""From examples to what Top-Down and its importance tagger learn from, and what becomes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny_checkpoints import make_bart

from lsum_cli.checkpoints.manifest import describe_folder
from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.methods.summarizer import Summarizer
from lsum_cli.training import tagger, topdown
from lsum_cli.training.optimisation import batch_loss
from lsum_cli.training.settings import DataSettings, Recipe, TokenizerSettings, TrainingSettings

SIZES = {
    "max_source_tokens": 64, "bottom_up_layers": 1, "segment_layers": 1, "top_down_layers": 1, "attention_window": 8,
    "kernel": 8, "stride": 6, "d_model": 16, "decoder_layers": 1, "attention_heads": 2, "ffn_dim": 16,
    "max_position_embeddings": 32,
}  # fmt: skip
TEXT = "The tide rises twice a day. Old men mend nets. Boats leave the harbour at dawn."


def example(reference: str | None = "Boats leaving; the tide rising.", text: str = TEXT) -> Example:
    passage = Passage(heading="Harbour", level=1, paragraphs=(Paragraph.of(text),))
    document = compose_document([passage], id="d0", source="a test", title=None)
    return Example(id="e", documents=(document,), reference=reference, where="line 1")


def recipe(method: str, **model) -> Recipe:
    module = topdown if method == "topdown" else tagger
    if "pooling" in model:
        model["pooling"] = topdown.Pooling(model["pooling"])
    return Recipe(
        method=method,
        model=module.ModelSettings(**SIZES | model),
        tokenizer=TokenizerSettings(vocab_size=330),
        data=DataSettings(max_target_tokens=20),
        training=TrainingSettings(label_smoothing_factor=0.1 if method == "topdown" else 0.0),
    )


def build_tagger(**model):
    return tagger.build_objective(recipe("tagger", **model), [example()], None)


def marked(objective, features, name: str) -> str:
    """The tokens that are marked 1, as text."""
    return objective.tokenizer.decode(features["input_ids"][features[name] == 1]).strip()


def test_the_tagger_learns_which_words_the_reference_uses() -> None:
    objective = build_tagger()
    features = objective.encode(example())
    assert marked(objective, features, "labels") == "tide rises Boats leave"
    assert features["labels"][[0, -1]].tolist() == [-100, -100]
    assert set(features["labels"][1:-1].tolist()) == {0, 1}
    batch = objective.collate([features, objective.encode(example(text="The tide."))])
    assert batch["labels"].shape == batch["input_ids"].shape == batch["attention_mask"].shape
    assert batch["labels"][1, -1] == -100
    loss, output = batch_loss(objective.model, batch, 0.0, None)
    loss.backward()
    sums = objective.tally(output, batch)
    assert sums["right"] + sums["missed"] == (batch["labels"] == 1).sum()


def test_f1_counts_tokens_of_important_words() -> None:
    measured = build_tagger().measure({"right": 3.0, "wrong": 1.0, "missed": 2.0})
    assert measured == pytest.approx({"f1": 200 * 3 / 9, "precision": 75.0, "recall": 60.0})


@pytest.mark.parametrize("reference", [None, "", "It was so."])
def test_nothing_is_learnt_from_a_reference_without_content(reference) -> None:
    assert build_tagger().encode(example(reference)) is None
    pooled = topdown.build_objective(recipe("topdown", pooling="oracle"), [example()], None)
    assert pooled.encode(example(reference)) is None


def test_what_does_not_fit_is_cut_at_the_end_and_counted() -> None:
    objective = topdown.build_objective(recipe("topdown"), [example()], None)
    features = objective.encode(example(text=" ".join([TEXT] * 9)))
    assert len(features["input_ids"]) == 64
    assert features["input_ids"][-1] == objective.tokenizer.eos_token_id
    assert features["tokens_total"] - features["tokens_dropped"] == 62
    assert "importance" not in features


def test_oracle_weights_train_the_summariser() -> None:
    objective = topdown.build_objective(recipe("topdown", pooling="oracle"), [example()], None)
    features = objective.encode(example())
    assert marked(objective, features, "importance") == "tide rises Boats leave"
    batch = objective.collate([features, objective.encode(example(text="The tide."))])
    assert batch["importance"].dtype == torch.float32
    loss, _ = batch_loss(objective.model, batch, 0.1, None)
    loss.backward()
    others = {**batch, "importance": torch.zeros_like(batch["importance"])}
    assert batch_loss(objective.model, others, 0.1, None)[0] != loss


@pytest.fixture
def tagger_folder(tmp_path) -> Path:
    objective = build_tagger()
    save_checkpoint(tmp_path / "tagger", objective.model, objective.tokenizer, objective.manifest("tagger"))
    return tmp_path / "tagger"


def test_a_summariser_carries_its_tagger_and_summarises_with_it(tagger_folder, tmp_path) -> None:
    assert describe_folder(tagger_folder).method is CheckpointMethod.TAGGER
    wanted = recipe("topdown", pooling="ada", tagger=str(tagger_folder))
    objective = topdown.build_objective(wanted, [example()], None)
    trained = [name for name, weight in objective.model.named_parameters() if weight.requires_grad]
    assert trained
    assert not any(name.startswith("tagger.") for name in trained)
    save_checkpoint(tmp_path / "ada", objective.model, objective.tokenizer, objective.manifest("ada"))
    options = SummaryOptions(model=str(tmp_path / "ada"), max_tokens=6, beams=1, dtype="float32")
    summary = Summarizer(options).summarize(example().documents)
    assert summary.options["pooling"] == "ada"
    again = topdown.build_objective(wanted, [], tmp_path / "ada")
    assert again.fingerprint == objective.fingerprint
    # A tagger of its own is no summariser.
    with pytest.raises(CheckpointError, match="is for the method tagger"):
        Summarizer(replace(options, model=str(tagger_folder))).summarize(example().documents)


def test_ada_needs_a_tagger_and_avg_has_no_use_for_one() -> None:
    with pytest.raises(
        OptionError, match=r"model.pooling ada needs an importance tagger; train one .*tagger-small"
    ):
        recipe("topdown", pooling=topdown.Pooling.ADA)
    with pytest.raises(OptionError, match=r"no use for model\.tagger"):
        recipe("topdown", tagger="runs/tagger")


def test_a_summariser_is_no_tagger(tmp_path) -> None:
    objective = topdown.build_objective(recipe("topdown"), [example()], None)
    save_checkpoint(tmp_path / "plain", objective.model, objective.tokenizer, objective.manifest("plain"))
    with pytest.raises(
        CheckpointError, match="is a TopDownForConditionalGeneration, not an importance tagger"
    ):
        topdown.build_objective(
            recipe("topdown", pooling="ada", tagger=str(tmp_path / "plain")), [example()], None
        )


def test_label_smoothing_is_no_matter_of_the_tagger() -> None:
    wrong = replace(recipe("tagger"), training=TrainingSettings())
    with pytest.raises(OptionError, match=r"training\.label_smoothing_factor"):
        tagger.build_objective(wrong, [example()], None)


@pytest.mark.parametrize("method", ["topdown", "tagger"])
def test_any_bart_is_a_beginning(method, tmp_path) -> None:
    module = topdown if method == "topdown" else tagger
    bart = make_bart(tmp_path / "bart")
    wanted = recipe(method)
    objective = module.build_objective(wanted, [example()], bart)
    assert objective.model.config.kernel == 8
    assert objective.model.config.max_source_positions == 64
    # A base of the same kind has its own sizes, and they must be the recipe's.
    save_checkpoint(tmp_path / "first", objective.model, objective.tokenizer, objective.manifest("first"))
    module.build_objective(wanted, [example()], tmp_path / "first")
    with pytest.raises(OptionError, match=r"give --set model\.kernel=8"):
        module.build_objective(recipe(method, kernel=16), [example()], tmp_path / "first")


def test_features_do_not_depend_on_the_tagger(tagger_folder) -> None:
    pooled = topdown.build_objective(
        recipe("topdown", pooling="ada", tagger=str(tagger_folder)), [example()], None
    )
    features = pooled.encode(example())
    assert np.array_equal(features["importance"] == 1, build_tagger().encode(example())["labels"] == 1)


def test_sizes_out_of_range_are_refused() -> None:
    for wrong, said in (
        ({"attention_window": 7}, "halved"),
        ({"stride": 9}, "between kernels"),
        ({"d_model": 15}, "heads"),
    ):
        with pytest.raises(OptionError, match=said):
            recipe("topdown", **wrong)
