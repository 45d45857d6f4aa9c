"""``lsum eval rate`` from the outside: from a report to a sheet, and from filled sheets to a table."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

RECORDS = [
    {
        "id": f"r{number}",
        "article": f"Salt marshes grow where mud settles, {number} of them. Grasses slow the water down in winter."
        " The slow water drops its mud. Dams hold back the mud of rivers. A starving marsh drowns soon.",
        "summary": f"Mud makes {number} marshes grow. Dams hold back the mud of rivers.",
    }
    for number in range(4)
]


@pytest.fixture
def report(lsum, tmp_path: Path) -> Path:
    lines = "".join(json.dumps(record) + "\n" for record in RECORDS)
    (tmp_path / "data.jsonl").write_text(lines, encoding="utf-8")
    arguments = ("eval", "--data", "data.jsonl", "--method", "extract", "--resamples", "50")
    result = lsum(*arguments, "-o", "new/folder/report.json", "--per-example", "new/examples.csv")
    assert result.code == 0, result.stderr
    examples = (tmp_path / "new" / "examples.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(examples)))
    assert [row["system"] for row in rows] == ["extract"] * 4 + ["lead:extract"] * 4
    assert [row["reference"] for row in rows[:4]] == [record["summary"] for record in RECORDS]
    assert all(row["summary"] and float(row["rouge1"]) > 0 for row in rows)
    return tmp_path / "new" / "folder" / "report.json"


def fill(sheet: str, *, leave: str = "") -> str:
    """The sheet with ratings; the row ``leave`` has none."""
    rows = list(csv.reader(io.StringIO(sheet)))
    for number, row in enumerate(rows[1:]):
        if row[0] != leave:
            row[4:7] = [str(1 + number % 5)] * 3
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


def test_a_sheet_goes_out_and_comes_back(lsum, report, tmp_path):
    page = lsum("eval", "rate", report, "--data", "data.jsonl", "--sample", "2", "-o", "sheets/page.html")
    assert (page.code, page.stdout) == (0, "")
    assert "4 summaries of 2 examples" in page.stderr
    shown = (tmp_path / "sheets" / "page.html").read_text(encoding="utf-8")
    assert "A starving marsh drowns soon." in shown
    assert "extract" not in shown
    sheet = lsum("eval", "rate", report)
    assert sheet.code == 0
    for name in ("anna", "ben"):
        (tmp_path / f"{name}.csv").write_text(fill(sheet.stdout), encoding="utf-8")
    found = lsum("eval", "rate", report, "--ratings", "anna.csv", "--ratings", "ben.csv")
    assert (found.code, found.stderr) == (0, "")
    assert "Krippendorff's alpha" in found.stdout
    assert "lead:extract" in found.stdout
    (tmp_path / "half.csv").write_text(fill(sheet.stdout, leave="5/8"), encoding="utf-8")
    half = lsum("eval", "rate", report, "--ratings", "half.csv", "-o", "table.tex")
    assert (half.code, half.stdout) == (7, "")
    assert half.stderr == (
        "lsum: error: half.csv, row 5/8: coherence is not filled in; rate every summary from 1 to 5\n"
    )
    assert not (tmp_path / "table.tex").exists()


def test_what_is_no_sheet_and_no_data_of_the_report(lsum, report, tmp_path):
    other = dict(RECORDS[0], summary="Another reference.")
    (tmp_path / "other.jsonl").write_text(json.dumps(other), encoding="utf-8")
    for arguments, code, message in (
        (("--data", "other.jsonl", "-o", "x.html"), 7, "with the reference of the report"),
        (("-f", "latex"), 2, "a sheet cannot be written as latex"),
        (("--sample", "0"), 2, "--sample"),
        (("--ratings", "none.csv", "--sample", "3"), 2, "--data and --sample are for a new one"),
        (("--data", "data.jsonl", "-o", "x.csv"), 2, "a sheet in CSV shows no documents"),
        (("--ratings", "none.csv"), 7, "none.csv cannot be read"),
        (("--ratings", report), 7, "lacks the columns"),
    ):
        result = lsum("eval", "rate", report, *arguments)
        assert (result.code, result.stdout) == (code, "")
        assert len(result.stderr.splitlines()) == 1
        assert message in result.stderr
