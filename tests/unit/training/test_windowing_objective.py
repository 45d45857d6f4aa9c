"""From examples to what a windowing model learns from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_checkpoints import make_bart

from lsum_cli.checkpoints.saving import save_checkpoint
from lsum_cli.checkpoints.values import CheckpointMethod
from lsum_cli.datasets.example import Example
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.errors import CheckpointError, DatasetError, OptionError
from lsum_cli.training.recipes import list_recipes, load_recipe
from lsum_cli.training.settings import DataSettings, Recipe, TrainingSettings
from lsum_cli.training.window_shift_labels import SimilarityKind
from lsum_cli.training.windowing import (
    Bridge,
    ModelSettings,
    Shifts,
    Windowing,
    WindowWeights,
    build_objective,
    covering_length,
)

SENTENCES = (
    "Mud covers the marsh. The tide rises twice a day.",
    "Old men mend nets in the harbour. Boats leave at dawn.",
    "Snow lies on Zorblax hill. Children slide down slowly.",
)
REFERENCE = "The tide rises. Zorblax hill has snow. Men mend nets."


def example(texts=SENTENCES, reference: str | None = REFERENCE) -> Example:
    document = compose_document(
        [Passage(heading=None, level=1, paragraphs=tuple(Paragraph.of(text) for text in texts))],
        id="d0",
        source="a test",
        title=None,
    )
    return Example(id="e", documents=(document,), reference=reference, where="line 1")


def recipe(windowing: str = "dynamic", *, data: DataSettings | None = None, **model) -> Recipe:
    sizes = {"window_len": 13, "stride": 12, "embedding_size": 6, "hidden_size": 4} | model
    return Recipe(
        method="windowing",
        model=ModelSettings(windowing=Windowing(windowing), **sizes),
        data=data or DataSettings(),
        training=TrainingSettings(label_smoothing_factor=0.0),
    )


def test_dynamic_labels_shift_where_the_text_does():
    objective = build_objective(recipe(), [example()], None)
    features = objective.encode(example())
    labels, windows = features["labels"], features["window_index"]
    words = objective.tokenizer.convert_ids_to_tokens(labels.tolist())
    text = "the tide rises . <shift> <shift> zorblax hill has snow . men mend nets . </s>"
    assert words == text.split()
    # "Men mend nets" belongs to the window before, but no summary goes back.
    assert windows.tolist() == [0, 0, 0, 0, 0, 1, *[2] * 10]
    assert features["tokens_total"] == 36
    assert features["tokens_dropped"] == 0


def test_dynamic_labels_go_on_to_the_last_window():
    objective = build_objective(recipe(), [example()], None)
    features = objective.encode(example(reference="The tide rises."))
    words = objective.tokenizer.convert_ids_to_tokens(features["labels"].tolist())
    assert words == ["the", "tide", "rises", ".", "<shift>", "<shift>", "</s>"]
    assert features["window_index"].tolist() == [0, 0, 0, 0, 0, 1, 2]


@pytest.mark.parametrize(
    ("most", "words", "windows"), [(3, 2, [0, 0, 0, 1, 2]), (5, 4, [0, 0, 0, 0, 0, 1, 2])]
)
def test_a_reference_that_is_cut_still_leads_to_the_last_window(most, words, windows):
    data = DataSettings(max_target_tokens=most)
    objective = build_objective(recipe(data=data), [example()], None)
    features = objective.encode(example(reference="The tide rises."))
    assert features["window_index"].tolist() == windows
    # The end token counts, window shifts do not: they are no words of the reference.
    assert features["reference_tokens_dropped"] == 4 - words
    assert (features["labels"] != 4).sum() == words + 1 <= most


def test_the_papers_labels_have_shifts_between_sentences_alone():
    objective = build_objective(recipe(shifts=Shifts.BETWEEN), [example()], None)
    late = objective.encode(example(reference="Men mend nets. Zorblax hill has snow."))
    words = objective.tokenizer.convert_ids_to_tokens(late["labels"].tolist())
    # The first sentence is read from the first window, whichever its own is: so far no shift was written.
    assert words == ["men", "mend", "nets", ".", "<shift>", "zorblax", "hill", "has", "snow", ".", "</s>"]
    assert late["window_index"].tolist() == [0] * 5 + [1] * 6
    early = objective.encode(example(reference="The tide rises."))
    assert 4 not in early["labels"]
    assert objective.fingerprint != build_objective(recipe(), [example()], None).fingerprint


def test_what_the_paper_and_ours_do_differently_is_kept_in_the_checkpoint():
    forms = {
        "shifts": Shifts.BETWEEN,
        "paced": False,
        "bridge": Bridge.NONE,
        "window_weights": WindowWeights.SOFTMAX,
    }
    papers = build_objective(recipe(**forms), [example()], None).model
    ours = build_objective(recipe(), [example()], None).model
    assert [getattr(papers.config, name) for name in forms] == ["between", False, "none", "softmax"]
    assert [getattr(ours.config, name) for name in forms] == ["throughout", True, "tanh", "normalised"]
    assert not any("bridge" in name for name in papers.state_dict())


@pytest.mark.parametrize("similarity", SimilarityKind)
def test_every_similarity_finds_the_windows(similarity):
    objective = build_objective(recipe(similarity=similarity, embedding_size=64), [example()], None)
    assert objective.encode(example())["window_index"][-1] == 2
    assert len(objective.fingerprint) == 64


def test_static_labels_go_through_the_windows_by_their_own_length():
    objective = build_objective(recipe("static"), [example()], None)
    windows = objective.encode(example())["window_index"]
    assert len(windows) == 14
    # Uniform, but the last window is not quite full; the end belongs to it.
    assert np.bincount(windows).tolist() == [5, 4, 5]


def test_without_windowing_the_first_window_is_all():
    objective = build_objective(recipe("none"), [example()], None)
    features = objective.encode(example())
    assert len(features["input_ids"]) == 13
    assert features["tokens_dropped"] == 23
    assert set(features["window_index"].tolist()) == {0}
    assert 4 not in features["labels"]


def test_words_the_vocabulary_lacks_are_copied_from_their_window_or_unknown():
    objective = build_objective(recipe(vocabulary_size=10), [example()], None)
    features = objective.encode(example())
    vocab = len(objective.tokenizer)
    assert vocab == 10
    extended = set(features["extended_ids"].tolist())
    labels = features["labels"]
    assert (labels >= vocab).any()
    assert set(labels[labels >= vocab].tolist()) <= extended
    assert (features["input_ids"] < vocab).all()
    assert 1 in labels  # "has" is nowhere in the text
    batch = objective.collate([features, features])
    output = objective.model(**batch)
    assert torch.isfinite(output.loss)
    output.loss.backward()


def test_a_batch_pads_and_masks():
    objective = build_objective(recipe(), [example()], None)
    short = objective.encode(example(SENTENCES[:1], "The tide rises."))
    batch = objective.collate([objective.encode(example()), short])
    assert batch["input_ids"].shape == batch["extended_ids"].shape == batch["attention_mask"].shape
    assert batch["labels"].shape == batch["window_index"].shape
    assert batch["attention_mask"].sum(1).tolist() == [36, 12]
    assert (batch["labels"][1] == -100).sum() == batch["labels"].shape[1] - 5
    both = objective.model.eval()(**batch).log_probs[1, :5]
    alone = objective.model(**objective.collate([short])).log_probs[0]
    torch.testing.assert_close(both, alone)


def test_statistics_cover_nine_tenths():
    assert covering_length(range(1, 101)) == 90
    assert covering_length([7]) == 7
    assert covering_length([0, 0]) == 1
    examples = [example([SENTENCES[0]] * (number + 1), "The tide rises.") for number in range(10)]
    config = build_objective(recipe(), examples, None).model.config
    assert config.source_len == 9 * 12
    assert config.summary_len == 4
    assert config.windowing == "dynamic"


def test_long_references_and_texts_are_cut_and_counted():
    objective = build_objective(
        recipe(data=DataSettings(max_target_tokens=6), max_source_tokens=20), [example()], None
    )
    features = objective.encode(example())
    assert len(features["labels"]) == 7
    assert features["labels"][-1] == 3
    assert features["reference_tokens_dropped"] > 0
    assert (len(features["input_ids"]), features["tokens_dropped"]) == (20, 16)


def test_what_cannot_be_learnt_from():
    objective = build_objective(recipe(), [example()], None)
    assert objective.encode(example(reference=None)) is None
    assert objective.encode(example(reference="")) is None
    assert objective.encode_pair([" "], ["Words."]) is None
    assert objective.encode_pair(["Words."], []) is None
    # Nothing in common: everything stays in the first window, and the end is in the last.
    features = objective.encode(example(reference="Quux! Frob?"))
    assert features["window_index"].tolist() == [0, 0, 0, 0, 0, 1, 2]
    with pytest.raises(DatasetError, match="no texts with summaries"):
        build_objective(recipe(), [], None)
    with pytest.raises(DatasetError, match="no texts with summaries"):
        build_objective(recipe(), [example(reference=None)], None)


def test_settings_that_cannot_be():
    with pytest.raises(OptionError, match="skip text"):
        ModelSettings(window_len=10, stride=11)
    with pytest.raises(OptionError, match="negative"):
        ModelSettings(weight_k=-1)
    with pytest.raises(OptionError, match="too small"):
        ModelSettings(hidden_size=0)
    smoothed = replace(recipe(), training=TrainingSettings())
    with pytest.raises(OptionError, match="label smoothing"):
        build_objective(smoothed, [example()], None)


def test_training_goes_on_from_a_checkpoint_of_its_own(tmp_path):
    objective = build_objective(recipe("static", weight_d=1.2), [example()], None)
    manifest = objective.manifest("mine")
    assert manifest.method is CheckpointMethod.WINDOWING
    save_checkpoint(tmp_path / "mine", objective.model, objective.tokenizer, manifest)
    again = build_objective(recipe("static", weight_d=1.2), [example()], tmp_path / "mine")
    assert again.fingerprint == objective.fingerprint
    dynamic = build_objective(recipe("dynamic", window_len=20), [example()], tmp_path / "mine")
    assert (dynamic.model.config.windowing, dynamic.model.config.window_len) == ("dynamic", 20)
    assert dynamic.model.training or any(p.requires_grad for p in dynamic.model.parameters())
    with pytest.raises(CheckpointError, match="not a windowing model"):
        build_objective(recipe(), [example()], make_bart(tmp_path / "bart"))


def test_embeddings_begin_as_those_of_a_file(tmp_path):
    (tmp_path / "words.vec").write_text("2 6\ntide 1 2 3 4 5 6\nmud 6 5 4 3 2 1\n", encoding="utf-8")
    objective = build_objective(
        recipe(embeddings_file=str(tmp_path / "words.vec"), similarity=SimilarityKind.EMBEDDING),
        [example()],
        None,
    )
    tide = objective.tokenizer.convert_tokens_to_ids("tide")
    assert objective.model.embedding.weight[tide].tolist() == [1, 2, 3, 4, 5, 6]
    assert objective._similarity.embeddings[tide].tolist() == [1, 2, 3, 4, 5, 6]


def test_the_recipes_are_the_papers():
    recipes = {name: load_recipe(name) for name in list_recipes() if name.startswith("windowing-")}
    assert {"windowing-wikihow-dynamic", "windowing-cnndm-static", "windowing-small"} <= set(recipes)
    for each in recipes.values():
        assert each.training.label_smoothing_factor == 0
        assert each.generation.beams == 3
    static = recipes["windowing-cnndm-static"].model
    assert (static.weight_k, static.weight_d, static.window_len, static.stride) == (0.8, 1.2, 400, 380)
    assert recipes["windowing-wikihow-dynamic-200"].model.max_source_tokens == 740


def test_a_window_of_a_long_text_gets_a_share_of_the_summary_at_most():
    def most(windowing: str, window_len: int) -> int:
        settings = recipe(windowing, window_len=window_len, stride=1)
        examples = [example(SENTENCES * 20, REFERENCE * 6)]  # 720 words and 78
        return build_objective(settings, examples, None).model.config.max_window_tokens

    assert most("none", 72) == round(1.5 * 78)
    assert most("dynamic", 72) == round(4 * 78 / 10)
    assert most("dynamic", 720) == round(1.5 * 78)
    assert most("dynamic", 2) == 20
    assert most("static", 72) == 60
