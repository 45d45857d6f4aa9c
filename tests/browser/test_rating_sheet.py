"""The rating sheet in a real browser: what is rated is kept, and saved as the sheet that is read back."""

from __future__ import annotations

from pathlib import Path

from accessibility import violations
from conftest import Open

from lsum_cli.datasets.example import Example
from lsum_cli.evaluation.options import EvaluationOptions
from lsum_cli.evaluation.ratings import CRITERIA, make_items, read_sheet
from lsum_cli.evaluation.report import Report, make_report
from lsum_cli.evaluation.runs import score_texts
from lsum_cli.rendering.ratings import write_page

OPTIONS = EvaluationOptions(resamples=10)
HOSTILE = 'A "quoted", text; </script><script>alert(1)</script>\nwith a <b>second</b> line.'


def make_rated() -> Report:
    examples = [
        Example(id=str(number), documents=(), reference=f"Mud {number}.", where=f"line {number}")
        for number in range(2)
    ]
    results = [
        score_texts("mine", [HOSTILE, "Mud makes marshes."], examples, OPTIONS),
        score_texts("other", ["Mud.", "\u202eGrasses."], examples, OPTIONS),
    ]
    return make_report(results, OPTIONS, name="d", where="d")


def test_ratings_are_kept_and_saved(open_report: Open, tmp_path: Path) -> None:
    report = make_rated()
    items = make_items(report)
    page = open_report(write_page(items, {}))
    assert "4 of 4 still to rate" in page.inner_text("#state")
    assert not violations(page)
    for number, item in enumerate(items):
        for name in CRITERIA:
            page.check(f'input[name="{item.id}-{name}"][value="{1 + number}"]')
    # By the keyboard as well.
    page.focus(f'input[name="{items[0].id}-coverage"][value="1"]')
    page.keyboard.press("5")
    page.fill(f'input[name="{items[0].id}-comment"]', 'odd, "very"')
    page.reload()
    assert page.inner_text("#state") == "all rated"
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / "ratings.csv"
    download.value.save_as(path)
    ratings = read_sheet(path, report)
    assert [rating.item for rating in ratings] == [item.id for item in items]
    assert [rating.values["coherence"] for rating in ratings] == [1, 2, 3, 4]
    assert [rating.values["coverage"] for rating in ratings] == [5, 2, 3, 4]


def test_a_half_filled_sheet_is_not_saved(open_report: Open) -> None:
    items = make_items(make_rated())
    page = open_report(write_page(items, {}))
    page.check(f'input[name="{items[0].id}-coverage"][value="3"]')
    page.click("#save")
    assert "4 of 4 still to rate" in page.inner_text("#state")
