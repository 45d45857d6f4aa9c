"""Baselines choose what their names say."""

from __future__ import annotations

import dataclasses

import pytest
from evaluation_examples import EXAMPLES, MARSH, TOWER, make_example
from tiny_models import save_family
from tiny_windowing import save_windowing

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.evaluation.baselines import BASELINES, choose_oracle, make_baseline
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.runs import evaluate_system, evaluate_systems
from lsum_cli.evaluation.systems import SummarizerSystem
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.progress import ignore_progress
from lsum_cli.text.terms import count_words

SOURCE = [sentence.text for sentence in EXAMPLES[0].documents[0].sentences]


def summarize(name: str, example=EXAMPLES[0], **options) -> list[str]:
    summary = make_baseline(name, SummaryOptions(**options)).summarize(example, ignore_progress)
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


def test_leading_words_end_within_scripts_without_spaces_too():
    example = make_example(
        "3", ("盐沼在泥沙沉积的地方生长。草使水流变慢。慢水放下泥沙。",), "泥沙使盐沼生长十二字。"
    )
    (sentence,) = summarize("lead", example, length="4")
    assert sentence == "盐沼在泥沙沉积的"


def test_leading_words_of_the_length_of_another_system():
    systems = [make_baseline(name, SummaryOptions()) for name in ("lead2", "lead:lead2")]
    long, lead = evaluate_systems(systems, EXAMPLES, EvaluationOptions())
    assert [row.text for row in lead.rows] == [row.text for row in long.rows]
    before = systems[1].fingerprint
    systems[1].follow(
        dataclasses.replace(long, rows=[dataclasses.replace(row, text="") for row in long.rows])
    )
    assert systems[1].summarize(EXAMPLES[0], ignore_progress).sentences == ()
    assert systems[1].fingerprint != before
    with pytest.raises(OptionError, match=r"choose one of: lead2$"):
        list(
            evaluate_systems([systems[0], make_baseline("lead:x", SummaryOptions())], (), EvaluationOptions())
        )


def test_random_sentences_are_the_same_for_the_same_seed_and_fits():
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
    assert choose_oracle("b c", ["x y", "a b", "b c", "c d"]) == [2]
    assert choose_oracle("a b. c d.", ["x y", "c d", "z", "a b"]) == [1, 3]
    assert choose_oracle("nothing alike", ["x y"]) == []


def test_names_that_stand_for_nothing():
    for name in ("led3", "lead3x", "concat", "oracle:x", "lead0"):
        with pytest.raises(OptionError):
            make_baseline(name, SummaryOptions())


def test_settings_tell_baselines_apart():
    fingerprints = {
        make_baseline(name, SummaryOptions(length=length)).fingerprint
        for name in ("lead3", "lead", "random", "oracle")
        for length in (None, "20")
    }
    assert len(fingerprints) == 8


def test_page_by_page(tmp_path):
    model = save_family(tmp_path / "bart", "bart")
    options = SummaryOptions(min_tokens=4, max_tokens=12, beams=1, device="cpu", dtype="float32")
    baseline = make_baseline(f"concat:{model}", options)
    summary = baseline.summarize(EXAMPLES[0], ignore_progress)
    assert len(summary.pages) > 1
    assert summary.checkpoint is not None
    assert len(summary.sentences) >= len(summary.pages)
    assert [sentence.index for sentence in summary.sentences] == list(range(len(summary.sentences)))


def test_the_standard_model_must_be_one(tmp_path):
    model = save_family(tmp_path / "bart", "bart")
    with pytest.raises(CheckpointError, match="is not a standard model"):
        make_baseline(f"stan:{model}", SummaryOptions(device="cpu"))


def test_the_standard_model_reads_the_beginning_alone(tmp_path):
    model = save_windowing(tmp_path / "stan", windowing="none", source_len=30)
    # Random weights may end a summary at once, depending on how the processor rounds.
    options = SummaryOptions(min_tokens=4, device="cpu", dtype="float32")
    system = make_baseline(f"stan:{model}", options)
    long = make_example("3", MARSH * 6, "Mud makes marshes.")
    result = evaluate_system(system, [long])
    assert (result.name, result.kind, result.failed) == (f"stan:{model}", "baseline", 0)
    (row,) = result.rows
    assert row.text
    assert row.scores["tokens_dropped"] > row.scores["tokens_read"] > 0


def test_names_that_are_unknown_are_answered_with_all_there_are():
    with pytest.raises(OptionError) as caught:
        make_baseline("median", SummaryOptions())
    assert all(row.usage in str(caught.value) for row in BASELINES)


def test_a_baseline_that_shares_its_name_with_another_still_knows_its_number():
    system = make_baseline("lead3", SummaryOptions())
    system.name = "lead3 (2)"
    assert len(system.summarize(EXAMPLES[0], ignore_progress).sentences) == 3


def test_the_method_extract_gets_the_length_of_the_reference_as_the_baseline_does():
    system, baseline = (
        SummarizerSystem(SummaryOptions(method="extract")),
        make_baseline("extract", SummaryOptions()),
    )
    for example in EXAMPLES:
        texts = [
            [sentence.text for sentence in each.summarize(example, ignore_progress).sentences]
            for each in (system, baseline)
        ]
        assert texts[0] == texts[1]
    asked = SummarizerSystem(SummaryOptions(method="extract", length="500"))
    assert [s.text for s in asked.summarize(EXAMPLES[0], ignore_progress).sentences] == SOURCE
    assert asked.fingerprint != system.fingerprint
