"""The report of an evaluation in every format; the signature is always there."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import jsonschema
import pytest

from lsum_cli.datasets.example import Example
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.report import compare_reports, describe_report, make_report
from lsum_cli.evaluation.runs import score_texts
from lsum_cli.rendering.evaluation import (
    metric_names,
    read_schema,
    tabulate_examples,
    write_comparisons,
    write_report,
)
from lsum_cli.rendering.formats import ReportFormat

EXAMPLES = [
    Example(id=str(number), documents=(), reference=text, where=f"r.txt, line {number}")
    for number, text in enumerate(["Mud makes marshes grow.", "The bell cracked."], start=1)
]
OPTIONS = EvaluationOptions(resamples=50)


@pytest.fixture(scope="module")
def report():
    results = [
        score_texts("one | <b>", ["Mud makes marshes.", "A bell."], EXAMPLES, OPTIONS),
        score_texts("two", ["Mud.", ""], EXAMPLES, OPTIONS),
    ]
    return make_report(results, OPTIONS, name="r.txt", where="r.txt", excluded={"no reference": 3})


def write(report, format, **more) -> str:
    stream = io.StringIO()
    write_report(report, format, stream, **more)
    return stream.getvalue()


@pytest.mark.parametrize("format", list(ReportFormat))
def test_every_format_holds_scores_and_signature(report, format):
    text = write(report, format)
    score = report.systems[0].scores["rouge1"].mean
    shown = f"{score:.6g}" if format in (ReportFormat.CSV, ReportFormat.JSON) else f"{100 * score:.2f}"
    assert shown[:6] in text
    assert str(report.signature).replace("|", "\\|" if format is ReportFormat.MARKDOWN else "|") in text


def test_text_is_plain_and_says_what_was_left_out(report):
    text = write(report, ReportFormat.TEXT)
    assert "\x1b" not in text
    assert "records left out: 3 with no reference" in text
    assert "fewer than 20 examples" in text
    assert "Advantage of one | <b>" in text
    assert "Compression" not in text  # cannot be told without documents
    assert max(map(len, text.split("signature")[0].splitlines())) <= 120


def test_measures_are_shown_on_demand(report):
    assert "Repeated trigrams" not in write(report, ReportFormat.TEXT)
    assert "Repeated trigrams (%)" in write(report, ReportFormat.TEXT, measures=metric_names())


def test_json_fulfils_its_schema_and_keeps_every_example(report):
    value = json.loads(write(report, ReportFormat.JSON))
    jsonschema.validate(value, read_schema())
    assert value == json.loads(json.dumps(describe_report(report)))
    assert value["signature"]["text"] == str(report.signature)
    assert [row["id"] for row in value["systems"][1]["rows"]] == ["1", "2"]
    assert value["systems"][1]["rows"][1]["scores"]["rouge1"] == 0


def test_csv_has_a_line_per_system_and_measure(report):
    rows = list(csv.DictReader(io.StringIO(write(report, ReportFormat.CSV))))
    assert {row["system"] for row in rows} == {"one | <b>", "two"}
    (found,) = (row for row in rows if (row["system"], row["measure"]) == ("two", "words"))
    assert (found["mean"], found["examples"]) == ("0.5", "2")
    assert all(row["signature"] == str(report.signature) for row in rows)


def test_markup_in_names_is_text(report):
    page = write(report, ReportFormat.HTML)
    assert "<b>" not in page
    assert "one | &lt;b&gt;" in page
    assert "Content-Security-Policy" in page
    assert "| one \\| \\<b> |" in write(report, ReportFormat.MARKDOWN)


@pytest.mark.parametrize("format", list(ReportFormat))
def test_comparisons(report, format):
    stream = io.StringIO()
    write_comparisons(compare_reports(report), str(report.signature), format, stream)
    text = stream.getvalue()
    gain = report.comparisons[0].differences["rouge1"].difference
    assert (f"{100 * gain:+.2f}" in text) or (f"{gain:.6g}"[:6] in text)


def test_latex_marks_the_best_and_what_differs():
    examples = [replace(EXAMPLES[0], id=str(number), where=f"line {number}") for number in range(30)]
    good, poor = ["Mud makes marshes grow."] * 30, ["Mud."] * 30
    results = [
        score_texts(name, texts, examples, OPTIONS) for name, texts in (("poor", poor), ("good", good))
    ]
    oracle = replace(results[1], name="oracle", settings={"baseline": "oracle"})
    shown = make_report([*results, oracle], OPTIONS, name="d", where="d")
    text = write(shown, ReportFormat.LATEX)
    (poor_row, good_row, oracle_row) = (
        next(line for line in text.splitlines() if line.strip().startswith(name))
        for name in ("poor &", "good &", "oracle &")
    )
    assert "textbf" not in poor_row
    assert "dagger" not in poor_row
    assert good_row.count("\\textbf{100.00") == 4
    assert good_row.count("dagger") == 4
    assert "textbf" not in oracle_row
    assert "differs from poor" in text
    # Nothing stands out where nothing differs.
    same = make_report([results[0], replace(results[0], name="twin")], OPTIONS, name="d", where="d")
    assert "^{\\dagger}" not in write(same, ReportFormat.LATEX)


def test_examples_have_their_texts(report):
    table = tabulate_examples(report)
    assert table.column("reference", system="two") == [example.reference for example in EXAMPLES]
    assert table.column("summary", system="two") == ["Mud.", ""]
    assert table.column("rouge1", system="two")[1] == 0
    assert table.distinct("run") == [None]
