"""The ranker of the changes of release notes: its weights, and what is worth telling."""

from __future__ import annotations

from pathlib import Path

import pytest

from lsum_cli import read
from lsum_cli.documents import Document
from lsum_cli.locality import choose_locality, paginate
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.listed_changes.change import Change
from lsum_cli.methods.extract.listed_changes.changes import changes_of
from lsum_cli.methods.extract.method import ExtractMethod
from lsum_cli.methods.extract.release_notes.change_ranker import (
    features_of_changes,
    fitted_weights,
    score_changes,
)
from lsum_cli.methods.extract.request import Request


def extractor_of(tmp_path: Path, text: str) -> tuple[Extractor, list[Change]]:
    path = tmp_path / "notes.md"
    path.write_text(text, encoding="utf-8")
    document: Document = read(path)
    pages = paginate([document], choose_locality([document]).locality, ExtractMethod.page_len)
    extractor = Extractor.of(pages, [document], Request(num_words=100))
    return extractor, changes_of(extractor.candidates, extractor.structure.stands_alone)


def scores(tmp_path: Path, *changes: str) -> list[float]:
    listed = "".join(f"- {change}\n" for change in changes)
    extractor, found = extractor_of(tmp_path, f"# Sluice 5.1 release notes\n\n## Changes\n\n{listed}")
    made = score_changes(extractor, found)
    texts = extractor.candidates.sentences
    by_text = {texts[change.row].text: score for change, score in made.items()}
    return [by_text[change] for change in changes]


@pytest.mark.parametrize(
    ("greater", "smaller"),
    [
        ("Drop support for Python 3.9 and older.", "Add a badge to the harbour page of the wiki."),
        ("Deprecate the tides command in favour of waves.", "Simplify the loop that counts the boats."),
        (
            "Fix a vulnerability in the password check of gates.",
            "Fix the unit tests of gates on slow machines.",
        ),
        ("Support for reading charts from memory has been added.", "Some of the chart tests were rewritten."),
    ],
)
def test_what_concerns_users_scores_more_than_what_concerns_makers(
    tmp_path: Path, greater: str, smaller: str
) -> None:
    for order in ((greater, smaller), (smaller, greater)):
        found = dict(zip(order, scores(tmp_path, *order), strict=True))
        assert found[greater] > found[smaller]


def test_every_feature_has_a_weight(tmp_path: Path) -> None:
    extractor, found = extractor_of(
        tmp_path, "# Sluice 5.1 release notes\n\n## Changes\n\n- Add a gate here.\n"
    )
    weights = fitted_weights()
    for features in features_of_changes(extractor, found).values():
        assert set(features) <= set(weights.features)
    assert len(weights.words) > 500
