from __future__ import annotations

import pytest
from evaluation_examples import EXAMPLES
from tiny_models import save_pagesum
from tiny_topdown import save_topdown

from lsum_cli.errors import CheckpointError, OptionError
from lsum_cli.evaluation.analyses.sweep import sweep
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.runs import evaluate_system
from lsum_cli.evaluation.summary_cache import read_cached
from lsum_cli.evaluation.systems import SummarizerSystem
from lsum_cli.methods.options import SummaryOptions

EVALUATION = EvaluationOptions(resamples=20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_pagesum(tmp_path_factory.mktemp("models") / "tiny")


def model_options(folder, **wishes):
    return SummaryOptions(
        model=str(folder), device="cpu", dtype="float32", max_tokens=10, min_tokens=2, beams=2, **wishes
    )


def test_each_value_is_the_evaluation_with_that_option():
    options = SummaryOptions(method="extract")
    points = sweep(options, "--length", ["8", "short"], EXAMPLES, EVALUATION)
    assert [point.value for point in points] == ["8", "short"]
    for point in points:
        alone = evaluate_system(
            SummarizerSystem(SummaryOptions(method="extract", length=point.value)), EXAMPLES, EVALUATION
        )
        assert point.scores["rouge1"].mean == alone.means["rouge1"]
        assert point.scores["rouge1"].low <= point.scores["rouge1"].mean <= point.scores["rouge1"].high
        assert point.means["words"] == alone.means["words"]
        assert (point.num_examples, point.failed) == (2, 0)
    assert points[0].means["words"] < points[1].means["words"]


def test_a_setting_of_the_checkpoint_is_changed_for_each_value(folder):
    page, whole = sweep(
        model_options(folder, page_tokens=30), "decoding", ["page", "global"], EXAMPLES, EVALUATION
    )
    alone = evaluate_system(SummarizerSystem(model_options(folder, page_tokens=30)), EXAMPLES, EVALUATION)
    assert page.scores["rouge1"].mean == alone.means["rouge1"]
    # Pages decoded at once have no confidence: alignment attributes, which agrees with nothing but itself.
    assert page.means["agreement"] is not None
    assert whole.means["agreement"] is None


def test_page_sizes_are_options(folder):
    points = sweep(model_options(folder), "page-tokens", ["20", "50"], EXAMPLES, EVALUATION)
    assert [point.num_examples for point in points] == [2, 2]
    assert points[0].means["page_entropy"] != points[1].means["page_entropy"]


@pytest.fixture(scope="module")
def topdown(tmp_path_factory):
    return save_topdown(tmp_path_factory.mktemp("models") / "topdown", tagger=True)


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("attention_window", ["4", "32"]),
        ("pooling", ["avg", "ada", "oracle"]),
        ("update", ["cross_attention", "none"]),
    ],
)
def test_the_settings_of_top_down_models_are_swept(topdown, setting, values):
    points = sweep(model_options(topdown), setting, values, EXAMPLES, EVALUATION)
    assert [(point.value, point.num_examples, point.failed) for point in points] == [
        (value, 2, 0) for value in values
    ]
    assert all(point.means["words"] > 0 for point in points)


def test_attention_windows_make_other_summaries(topdown, tmp_path):
    evaluation = EvaluationOptions(resamples=20, results=tmp_path)
    sweep(model_options(topdown), "attention_window", ["4", "32"], EXAMPLES, evaluation)
    texts = [[kept.text for kept in read_cached(path)] for path in tmp_path.glob("*/summaries.jsonl")]
    assert len(texts) == 2
    assert texts[0] != texts[1]


@pytest.mark.parametrize(
    ("setting", "values", "message"),
    [
        ("attention_window", ["16", "-3"], "cannot be used with attention_window -3"),
        ("update", ["cross_attention", "magic"], "'magic' is none of cross_attention, concat, none"),
        # Its projection was never trained, so that it is not among the weights.
        ("update", ["concat"], "cannot be used with update concat"),
    ],
)
def test_values_that_the_weights_cannot_have_are_blamed_on_the_value(topdown, setting, values, message):
    with pytest.raises(OptionError, match=message):
        sweep(model_options(topdown), setting, values, EXAMPLES, EVALUATION)


@pytest.mark.parametrize(
    ("setting", "values", "message"),
    [
        ("page-tokens", ["many"], "'many' is not a valid value for page_tokens"),
        ("page-tokens", ["0"], "--page-tokens 0 is too small"),
        ("beams", ["2", "2"], "none twice"),
        ("beams", [], "at least one value"),
        ("colour", ["red"], "no setting 'colour'"),
        ("model", ["a"], "no setting 'model'"),
        ("decoding", ["1"], None),
    ],
)
def test_settings_and_values_that_cannot_be_are_refused_before_anything_runs(
    folder, setting, values, message
):
    read = []

    def examples():
        read.append(1)
        yield from EXAMPLES

    expected = (OptionError, CheckpointError)
    with pytest.raises(expected, match=message):
        sweep(model_options(folder), setting, values, examples(), EVALUATION)
    assert not read or message is None


def test_a_method_without_a_checkpoint_has_its_options_alone():
    with pytest.raises(OptionError, match="no setting 'decoding' to sweep over"):
        sweep(SummaryOptions(method="extract"), "decoding", ["page"], EXAMPLES, EVALUATION)
