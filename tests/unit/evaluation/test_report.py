"""The report: comparisons by reference, JSON there and back, damaged files refused."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from evaluation_examples import EXAMPLES, MARSH, CountingSystem, make_example

from lsum_cli.errors import DatasetError, OptionError
from lsum_cli.evaluation.baselines import make_baseline
from lsum_cli.evaluation.options import EvaluationOptions, RougeSettings
from lsum_cli.evaluation.report import compare_reports, describe_report, make_report, read_report
from lsum_cli.evaluation.results import join_runs
from lsum_cli.evaluation.runs import evaluate_system, score_texts
from lsum_cli.methods.options import SummaryOptions
from lsum_cli.rendering.evaluation import read_schema, write_report
from lsum_cli.rendering.formats import ReportFormat

TEXTS = {
    "good": [example.reference for example in EXAMPLES],
    "empty": ["", "  "],
    "half": ["Mud.", "The bell."],
}


def report_on(*names: str, examples=EXAMPLES, order=(0, 1), **options):
    chosen = EvaluationOptions(resamples=100, **options)
    examples = [examples[place] for place in order]
    results = [score_texts(name, [TEXTS[name][place] for place in order], examples, chosen) for name in names]
    return make_report(results, chosen, name="data", where="data.jsonl", excluded={"no reference": 0})


def test_every_other_system_is_compared_with_the_first():
    report = report_on("good", "half", "empty")
    assert [(each.first, each.second) for each in report.comparisons] == [("good", "half"), ("good", "empty")]
    assert report.comparisons[1].differences["rouge1"].difference == 1
    assert report.systems[0].scores["rouge1"].mean == 1
    assert report.data.reference_words == pytest.approx((11 + 11) / 2)
    assert report.data.excluded == {}
    assert report.warnings == (
        "empty: 2 of 2 summaries are empty and score 0 (data.jsonl, line 1)",
        "good writes 11 words on average, half 2: ROUGE depends on length, so these scores are not comparable;"
        " --baselines lead:good adds a baseline of its length",
    )


def test_a_baseline_of_some_length_is_compared_with_the_system_of_that_length():
    options = EvaluationOptions(resamples=20)
    systems = [score_texts(name, TEXTS[name], EXAMPLES, options) for name in ("good", "half")]
    leads = []
    for followed in systems:
        lead = make_baseline(f"lead:{followed.name}", SummaryOptions())
        lead.follow(followed)
        leads.append(evaluate_system(lead, EXAMPLES, options))
    report = make_report([*systems, *leads], options, name="data", where="data.jsonl")
    assert [(each.first, each.second) for each in report.comparisons] == [
        *(("good", "half"), ("good", "lead:good"), ("half", "lead:half"))
    ]
    (warning,) = report.warnings
    assert warning.endswith("not comparable; lead:good has its length")
    for comparison in report.comparisons:
        for found in comparison.differences.values():
            if found.p_value is not None:
                assert found.p_value <= found.p_holm <= min(1, 3 * found.p_value)


def test_runs_are_one_system(tmp_path):
    options = EvaluationOptions(resamples=50)
    runs = {
        f"seed-{n}": score_texts(f"x {n}", TEXTS[name], EXAMPLES, options)
        for n, name in enumerate(("good", "half"))
    }
    lead = score_texts("other", TEXTS["half"], EXAMPLES, options)
    report = make_report([join_runs("x", runs), lead], options, name="data", where="data.jsonl")
    (system, other) = report.systems
    assert [row.run for row in system.rows] == ["seed-0", "seed-0", "seed-1", "seed-1"]
    assert [run.means["rouge1"] for run in system.runs] == [run.means["rouge1"] for run in runs.values()]
    means = [run.means["rouge1"] for run in system.runs]
    assert system.scores["rouge1"].mean == pytest.approx(sum(means) / 2)
    assert (system.scores["rouge1"].low, system.scores["rouge1"].high) == pytest.approx(
        (min(means), 1), abs=0.08
    )
    assert (report.data.examples, report.signature.examples, system.scores["rouge1"].count) == (2, 2, 2)
    (comparison,) = report.comparisons
    gain = comparison.differences["rouge1"]
    assert gain.difference == pytest.approx(system.scores["rouge1"].mean - other.scores["rouge1"].mean)
    path = tmp_path / "report.json"
    value = describe_report(report)
    jsonschema.validate(value, read_schema())
    path.write_text(json.dumps(value, allow_nan=False), encoding="utf-8")
    assert read_report(path) == report
    (again,) = compare_reports(read_report(path))
    assert again == comparison
    stream = io.StringIO()
    write_report(report, ReportFormat.TEXT, stream)
    assert "Runs of x (ROUGE F1 × 100)" in stream.getvalue()
    assert f"{50 * sum(means):.2f} ± {100 * (max(means) - min(means)) / 2**0.5:.2f}" in stream.getvalue()
    assert "2 runs (hierarchical)" in stream.getvalue()


def test_there_and_back(tmp_path):
    report = report_on("good", "half")
    path = tmp_path / "report.json"
    path.write_text(json.dumps(describe_report(report), allow_nan=False), encoding="utf-8")
    assert read_report(path) == report


def test_with_checkpoints_settings_and_failures(tmp_path):
    options = EvaluationOptions(resamples=10, results=tmp_path / "results")
    result = evaluate_system(CountingSystem(fails_on="2"), EXAMPLES, options)
    report = make_report([result], options, name="data", where="data.jsonl", fingerprint="ab")
    path = tmp_path / "report.json"
    path.write_text(json.dumps(describe_report(report), allow_nan=False), encoding="utf-8")
    assert read_report(path) == report
    assert report.warnings[0] == ("counting: no summary of data.jsonl, line 2, scored 0: 2 holds no text")


def test_examples_are_paired_by_their_references():
    first, second = report_on("half", order=(0, 1)), report_on("half", order=(1, 0))
    (comparison,) = compare_reports(first, second)
    assert comparison.differences["rouge1"].difference == 0
    assert comparison.differences["rouge1"].p_value == 1


def test_equal_references_are_paired_by_id():
    twins = [make_example(str(number), MARSH, "The same reference.") for number in range(2)]
    first = report_on("half", examples=twins)
    second = report_on("half", examples=twins, order=(1, 0))
    (comparison,) = compare_reports(first, second)
    assert comparison.differences["rouge1"].low == comparison.differences["rouge1"].high == 0


def test_systems_of_one_report():
    (comparison,) = compare_reports(report_on("good", "empty"))
    assert (comparison.first, comparison.second) == ("good", "empty")
    with pytest.raises(OptionError, match="second report"):
        compare_reports(report_on("good"))


def test_what_was_not_computed_alike_is_not_compared():
    first = report_on("good")
    with pytest.raises(OptionError, match=r"stemmer \(porter-nltk-.*, none\)"):
        compare_reports(first, report_on("good", rouge=RougeSettings(stem=False)))
    other = [EXAMPLES[0], replace(EXAMPLES[1], reference="Another one.")]
    with pytest.raises(OptionError, match="data"):
        compare_reports(first, report_on("good", examples=other))


def test_what_is_no_number_is_left_out_and_said(tmp_path):
    value = describe_report(report_on("good", "half"))
    value["systems"][0]["rows"][0]["scores"]["rouge1"] = float("nan")
    path = tmp_path / "report.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    (comparison,) = compare_reports(read_report(path))
    assert comparison.differences["rouge1"].count == 1
    assert comparison.differences["rouge2"].count == 2


def test_reports_of_version_1_are_read():
    report = read_report(Path(__file__).with_name("report-1.json"))
    assert [(system.name, system.kind) for system in report.systems] == [
        ("extract", "system"),
        ("lead1", "baseline"),
        ("oracle", "baseline"),
    ]
    assert report.systems[1].settings["baseline"] == "lead1"
    assert report.systems[0].scores["rouge1"].mean == pytest.approx(0.6310, abs=1e-4)
    assert [comparison.second for comparison in compare_reports(report)[:2]] == ["lead1", "oracle"]
    # What is written of it is version 2, and the same when read again.
    value = describe_report(report)
    assert value["schema"] == "lsum.evaluation/2"
    jsonschema.validate(value, read_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value | {"schema": "lsum.evaluation/1"}, read_schema())


def test_reports_of_both_versions_are_compared(tmp_path):
    old = Path(__file__).with_name("report-1.json")
    new = tmp_path / "report.json"
    new.write_text(json.dumps(describe_report(read_report(old))), encoding="utf-8")
    assert read_report(new) == read_report(old)
    comparisons = compare_reports(read_report(old), read_report(new))
    assert len(comparisons) == 9
    assert comparisons[0].differences["rouge1"].difference == 0


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"schema": "lsum.summary/1"}', '{"schema": "lsum.evaluation/2"}', "\ud800"]
)
def test_files_that_are_no_report(tmp_path, content):
    path = tmp_path / "report.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(DatasetError, match="lsum eval"):
        read_report(path)
    with pytest.raises(DatasetError, match="cannot be read"):
        read_report(tmp_path / "none.json")


def test_the_evaluation_of_a_file_from_python(tmp_path):
    import lsum_cli

    path = tmp_path / "data.jsonl"
    lines = [json.dumps({"article": " ".join(MARSH), "summary": "Mud makes marshes grow."}) for _ in range(2)]
    path.write_text("\n".join(lines), encoding="utf-8")
    wishes = lsum_cli.SummaryOptions(method="extract", length="20")
    report = lsum_cli.evaluate(path, [wishes, "lead1"], lsum_cli.EvaluationOptions(resamples=10))
    assert [system.name for system in report.systems] == ["extract", "lead1"]
    assert report.data.examples == 2
    assert report.signature.resamples == 10
