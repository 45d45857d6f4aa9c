"""Rating sheets: blind, complete, read back only as they were written; and the agreement of raters."""

from __future__ import annotations

import csv
import io
import random
import re
from dataclasses import replace

import pytest
from evaluation_examples import EXAMPLES, MARSH, make_example

from lsum_cli.errors import DatasetError, ExitCode, OptionError
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.ratings import (
    COLUMNS,
    CRITERIA,
    find_alpha,
    make_items,
    read_sheet,
    sum_up_ratings,
    write_sheet,
)
from lsum_cli.evaluation.report import make_report
from lsum_cli.evaluation.results import join_runs
from lsum_cli.evaluation.runs import score_texts
from lsum_cli.rendering.formats import ReportFormat
from lsum_cli.rendering.ratings import write_page, write_ratings

OPTIONS = EvaluationOptions(resamples=50)
NUMBER = 12
MANY = [
    replace(EXAMPLES[0], id=f"doc{n}", where=f"data.jsonl, line {n}", reference=f"Mud {n}.")
    for n in range(NUMBER)
]


def texts_of(name):
    return [f'The {name} text, line one, {n}.\n"Second" line; of <b>{n}</b>, said.' for n in range(NUMBER)]


@pytest.fixture(scope="module")
def report():
    other = texts_of("plain")
    results = [
        score_texts("mine-system", texts_of("fine"), MANY, OPTIONS),
        score_texts("other-system", [*other[:-1], " "], MANY, OPTIONS),
    ]
    return make_report(results, OPTIONS, name="d", where="d")


def fill(sheet, rate):
    """A filled sheet: ``rate`` tells the ratings of a record."""
    records = list(csv.DictReader(io.StringIO(sheet)))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS)
    writer.writeheader()
    for record in records:
        writer.writerow(record | rate(record))
    return stream.getvalue()


def by_text(record):
    value = 5 if "fine" in record["summary"] else 2
    return {"coherence": value, "coverage": value - 1, "faithfulness": value}


def test_a_sheet_holds_every_summary_once_and_names_no_system(report):
    items = make_items(report)
    assert len({item.id for item in items}) == len(items) == 2 * NUMBER - 1  # an empty summary is not rated
    pages = (write_sheet(items), write_page(items, {1: [EXAMPLES[0].documents[0]]}))
    for text in pages:
        assert "system" not in text.replace("system-ui", "").replace("names no system", "")
        assert all(item.id in text for item in items)
    assert "Salt marshes grow where mud settles." in pages[1]
    assert "<b>" not in pages[1]
    # Neither the order of examples nor that of systems is that of the report.
    assert [item.row.id for item in items] != sorted(item.row.id for item in items)
    firsts = {item.example: item.system for item in reversed(items)}
    assert set(firsts.values()) == {"mine-system", "other-system"}
    assert [item.example for item in items] == sorted(item.example for item in items)


def test_samples_and_seeds(report):
    items = make_items(report, limit=3, seed=4)
    assert {item.example for item in items} == {1, 2, 3}
    assert items == make_items(report, limit=3, seed=4)
    assert items != make_items(report, limit=3, seed=5)
    silent = make_report([score_texts("x", [""] * NUMBER, MANY, OPTIONS)], OPTIONS, name="d", where="d")
    with pytest.raises(OptionError, match="no summary to rate"):
        make_items(silent)


def test_ratings_come_back_to_their_systems(report, tmp_path):
    sheets = []
    for number, seed in enumerate((1, 2)):
        path = tmp_path / f"{number}.csv"
        path.write_text(fill(write_sheet(make_items(report, seed=seed)), by_text), encoding="utf-8")
        sheets.append(read_sheet(path, report))
    found = sum_up_ratings(report, sheets, resamples=200)
    mine, other = found.systems
    assert (mine.name, mine.items, other.items) == ("mine-system", NUMBER, NUMBER - 1)
    assert mine.scores["coherence"].mean == 5
    assert other.scores["coverage"].mean == 1
    gain = other.differences["faithfulness"]
    assert (gain.difference, gain.count) == (3, NUMBER - 1)
    assert gain.p_holm < 0.05
    assert found.agreement == dict.fromkeys(CRITERIA, 1)
    assert (found.raters, found.shared_items) == (2, 2 * NUMBER - 1)
    for how in ReportFormat:
        stream = io.StringIO()
        write_ratings(found, how, stream)
        assert "mine-system" in stream.getvalue()
    stream = io.StringIO()
    write_ratings(found, ReportFormat.LATEX, stream)
    assert "\\textbf{5.00" in stream.getvalue()
    assert "dagger" in next(line for line in stream.getvalue().splitlines() if "other-system &" in line)


def test_raters_may_rate_different_examples(report, tmp_path):
    sheets = []
    for seed in (1, 2):
        path = tmp_path / f"{seed}.csv"
        path.write_text(fill(write_sheet(make_items(report, limit=8, seed=seed)), by_text), encoding="utf-8")
        sheets.append(read_sheet(path, report))
    found = sum_up_ratings(report, sheets, resamples=20)
    assert 0 < found.shared_items < 16
    assert found.systems[0].scores["coherence"].mean == 5
    alone = sum_up_ratings(report, sheets[:1], resamples=20)
    assert alone.agreement == dict.fromkeys(CRITERIA)


def test_of_several_runs_one_is_rated(tmp_path):
    runs = {name: score_texts(name, texts_of(name), MANY, OPTIONS) for name in ("seed-1", "seed-2")}
    several = make_report([join_runs("mine", runs)], OPTIONS, name="d", where="d")
    items = make_items(several)
    assert len(items) == NUMBER
    assert {item.row.run for item in items} == {"seed-1", "seed-2"}
    path = tmp_path / "sheet.csv"
    path.write_text(fill(write_sheet(items), by_text), encoding="utf-8")
    (system,) = sum_up_ratings(several, [read_sheet(path, several)], resamples=20).systems
    assert (system.items, system.scores["coherence"].count) == (NUMBER, NUMBER)


def edit(pattern, by, count=1):
    return lambda text: re.sub(pattern, by, text, count=count)


def drop(number):
    """Leave out the record with this number."""

    def change(text):
        records = list(csv.reader(io.StringIO(text)))
        stream = io.StringIO()
        csv.writer(stream).writerows([*records[:number], *records[number + 1 :]])
        return stream.getvalue()

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (edit(r"line one", "line 1"), "row 1/23: its summary was edited"),
        (edit(r"(3/23,)\w+", r"\1abcdef012345"), "row 3/23: the report contains no item 'abcdef012345'"),
        (drop(4), "row 4/23 is missing or out of order"),
        (drop(23), "row 23/23 is missing"),
        (drop(0), "lacks the columns row, item"),
        (edit("coverage", "cover"), "lacks the columns coverage"),
        (lambda _: "", "lacks the columns"),
        (lambda text: text.partition("\n")[0] + "\n", r"row 1/\? is missing"),
    ],
)
def test_an_edited_sheet_is_refused_by_its_row(report, tmp_path, change, message):
    path = tmp_path / "sheet.csv"
    path.write_text(change(fill(write_sheet(make_items(report)), by_text)), encoding="utf-8")
    with pytest.raises(DatasetError, match=message) as caught:
        read_sheet(path, report)
    assert caught.value.exit_code is ExitCode.DATASET
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "coverage is not filled in"),
        ("6", "coverage is '6'"),
        ("0", "coverage is '0'"),
        ("good", "'good'"),
    ],
)
def test_a_rating_that_is_none_is_refused_by_its_row(report, tmp_path, value, message):
    def rate(record):
        return by_text(record) | ({"coverage": value} if record["row"] == "7/23" else {})

    path = tmp_path / "sheet.csv"
    path.write_text(fill(write_sheet(make_items(report)), rate), encoding="utf-8")
    with pytest.raises(DatasetError, match=re.escape("row 7/23: ") + ".*" + message):
        read_sheet(path, report)


def test_what_spreadsheets_change_is_understood(report, tmp_path):
    sheet = fill(write_sheet(make_items(report)), by_text)
    plain = tmp_path / "plain.csv"
    plain.write_text(sheet, encoding="utf-8")
    rows = list(csv.reader(io.StringIO(sheet)))
    stream = io.StringIO()
    numbers = [
        [f"{cell}.0" if place in (4, 5, 6) else cell for place, cell in enumerate(row)] for row in rows[1:]
    ]
    csv.writer(stream, delimiter=";", lineterminator="\r\n").writerows([rows[0], *numbers])
    saved = tmp_path / "saved.csv"
    saved.write_bytes(stream.getvalue().encode("utf-8-sig"))
    assert read_sheet(saved, report) == read_sheet(plain, report)


@pytest.mark.parametrize("text", ["=1+1", "- A first.\n- A second.", "+1", "@x", "a\x0bb\x00c"])
def test_no_text_is_a_formula_or_lost_on_the_way(text, tmp_path):
    made = make_report([score_texts("x", [text], MANY[:1], OPTIONS)], OPTIONS, name="d", where="d")
    sheet = write_sheet(make_items(made))
    (row,) = csv.DictReader(io.StringIO(sheet))
    assert not row["summary"].startswith(("=", "+", "-", "@"))
    path = tmp_path / "sheet.csv"
    path.write_bytes(fill(sheet, by_text).encode("utf-8", "replace"))
    assert len(read_sheet(path, made)) == 1


def test_a_sheet_that_is_no_text_is_refused(report, tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_bytes(b"PK\x03\x04\xff\xfe")
    with pytest.raises(DatasetError, match="not UTF-8"):
        read_sheet(path, report)
    with pytest.raises(DatasetError, match="cannot be read"):
        read_sheet(tmp_path / "none.csv", report)


# The example of Krippendorff (2011): four observers, twelve units, values that are missing.
OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "1233244125 1.".replace(" ", ""))


def test_alpha_is_that_of_the_published_example():
    raters = [
        {f"u{place}": int(value) for place, value in enumerate(values) if value != "."}
        for values in OBSERVERS
    ]
    assert find_alpha(raters) == pytest.approx(0.815, abs=0.0005)


def test_alpha_of_chance_of_opposites_and_of_nothing():
    chance = random.Random(1)
    raters = [{str(n): chance.randint(1, 5) for n in range(300)} for _ in range(3)]
    assert abs(find_alpha(raters)) < 0.08
    assert find_alpha([{"a": 1, "b": 5}, {"a": 5, "b": 1}]) < 0
    assert find_alpha([{"a": 3, "b": 3}, {"a": 3, "b": 3}]) is None
    assert find_alpha([{"a": 1}, {"b": 5}]) is None


def test_equal_ids_with_other_references_are_other_examples():
    twins = [make_example("1", MARSH, reference) for reference in ("One.", "Two.")]
    report = make_report([score_texts("x", ["A.", "B."], twins, OPTIONS)], OPTIONS, name="d", where="d")
    assert {item.row.text for item in make_items(report)} == {"A.", "B."}
