"""Yardsticks choose what their names say."""

from __future__ import annotations

import pytest
from evaluation_examples import EXAMPLES, MARSH, TOWER, make_example
from tiny_models import save_family

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.evaluation.oracle import choose_greedily
from lsum_cli.evaluation.yardsticks import make_yardstick
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ignore_progress
from lsum_cli.terms import count_words

SOURCE = [sentence.text for sentence in EXAMPLES[0].documents[0].sentences]


def summarize(name: str, example=EXAMPLES[0], **options) -> list[str]:
    summary = make_yardstick(name, SummaryOptions(**options)).summarize(example, ignore_progress)
    for sentence in summary.sentences:
        assert sentence.attribution is not None
        assert sum(weight.weight for weight in sentence.attribution.pages) == pytest.approx(1)
    return [sentence.text for sentence in summary.sentences]


def test_leading_sentences():
    assert summarize("lead3") == SOURCE[:3]
    assert summarize("lead-1") == SOURCE[:1]
    assert summarize("lead99") == SOURCE


def test_leading_words_are_as_many_as_the_reference_has_or_as_were_wished_for():
    reference = EXAMPLES[0].reference
    assert " ".join(summarize("lead")).split() == " ".join(SOURCE).split()[: count_words(reference)]
    assert " ".join(summarize("lead", length="8")) == "Salt marshes grow where mud settles. Grasses slow"
    assert summarize("lead", length="500") == SOURCE


def test_chance_is_the_same_for_the_same_seed_and_fits():
    long = make_example("3", (*MARSH, *TOWER) * 4, "a b c d e f g h i j k l m n o p q r s t u v w x y z")
    chosen = summarize("random", long)
    assert chosen == summarize("random", long)
    assert chosen != summarize("random", long, seed=1)
    assert 0 < sum(map(count_words, chosen)) <= 26


def test_extraction_has_the_length_of_the_reference():
    example = make_example(
        "3", (*MARSH, *TOWER), "As many words as this reference has, so many may be chosen."
    )
    words = sum(map(count_words, summarize("extract", example)))
    assert 0 < words <= 11
    assert 11 < sum(map(count_words, summarize("extract", example, length="40"))) <= 40


def test_the_oracle_takes_what_the_reference_says_and_no_more():
    assert summarize("oracle") == ["Dams hold back the mud of rivers."]
    assert choose_greedily("b c", ["x y", "a b", "b c", "c d"]) == [2]
    assert choose_greedily("a b. c d.", ["x y", "c d", "z", "a b"]) == [1, 3]
    assert choose_greedily("nothing alike", ["x y"]) == []


def test_names_that_stand_for_nothing():
    for name in ("led3", "lead3x", "concat", "oracle:x"):
        with pytest.raises(OptionError):
            make_yardstick(name, SummaryOptions())


def test_settings_tell_yardsticks_apart():
    fingerprints = {
        make_yardstick(name, SummaryOptions(length=length)).fingerprint
        for name in ("lead3", "lead", "random", "oracle")
        for length in (None, "20")
    }
    assert len(fingerprints) == 8


def test_page_by_page(tmp_path):
    model = save_family(tmp_path / "bart", "bart")
    yardstick = make_yardstick(f"concat:{model}", SummaryOptions(max_tokens=12, beams=1, device="cpu"))
    summary = yardstick.summarize(EXAMPLES[0], ignore_progress)
    assert len(summary.pages) > 1
    assert summary.checkpoint is not None
    assert len(summary.sentences) >= len(summary.pages)
    assert [sentence.index for sentence in summary.sentences] == list(range(len(summary.sentences)))


def test_the_standard_model_must_be_one(tmp_path):
    model = save_family(tmp_path / "bart", "bart")
    with pytest.raises(CheckpointError, match="no standard model"):
        make_yardstick(f"stan:{model}", SummaryOptions(device="cpu"))
