"""What a readme says that its subject needs is quoted, however short it is."""

from __future__ import annotations

import pytest
from extraction import candidates_of, document_of, structure_of, summarize

from lsum_cli.methods.extract.guides.requirements import requirements_of, tells_requirement

WHAT = "Weirbook is a program that keeps the ledgers of all weirs of a county in one place."
MORE = (
    "The wardens of the weir write the level of the river into a ledger every morning.",
    "The ledger is kept in the house beside the lower lock until the end of the year.",
    "The bells of the weir are rung by the wardens when the river rises above the mark.",
)


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("Weirbook requires Python 3.9+.", True),
        ("Weirbook supports Python 3.8, 3.9, 3.10, and 3.11 as well as PyPy3.", True),
        ("This library works with CPython 2.6+/3.2+ and PyPy 1.9+.", True),
        ("Python 3.10 or later is required.", True),
        ("It requires Python 3.9+.", False),
        ("and requires Python 3.9 or higher.", False),
        ("Weirbook supports ledgers of all 12 weirs.", False),
        ("Weirbook requires Python 3.9 for the following:", False),
    ],
)
def test_versions_that_are_needed_are_stated(text: str, is_stated: bool) -> None:
    document = document_of(("", (WHAT,)), ("Ledgers", (text, *MORE)), title="Weirbook")
    assert requirements_of(candidates_of(document)).alone.any() == is_stated
    row = [each.text for each in candidates_of(document).sentences].index(text)
    assert structure_of(document).stands_alone[row] or not is_stated


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("Weirbook can be installed with pip:", True),
        ("Install it from PyPI by pip install weirbook in the house of the county.", True),
        ("Keeping the gates would require much work on Linux machines.", False),
        ("The gates are installed with care by the wardens.", False),
    ],
)
def test_how_a_thing_is_had_is_told(text: str, is_told: bool) -> None:
    assert tells_requirement(text) is is_told


def test_needs_are_quoted_of_a_readme() -> None:
    needs = "Weirbook requires Python 3.9+."
    parts = ((name, MORE) for name in ("Bells", "Boats", "Lamps"))
    document = document_of(("", (WHAT,)), ("Install", (needs, MORE[0])), *parts, title="Weirbook")
    assert needs in [each.text for each in summarize(document).sentences]


@pytest.mark.parametrize(
    ("before", "is_alone"),
    [
        ("Until 2012 the following was true of it.", False),
        ("This is what an old page says.", False),
        ("If the weir is tidal, more is needed.", False),
        ("An old page of the county has this:", False),
        ("The wardens of the weir write the level of the river into a ledger.", True),
        ("The ledger was made for wardens, who use it when the river rises.", True),
    ],
)
@pytest.mark.parametrize(
    "text", ["Python 2.5 is supported.", "The program requires Python 2.6 or a newer one."]
)
def test_needs_of_a_time_or_on_a_condition_do_not_stand_alone(before: str, text: str, is_alone: bool) -> None:
    parts = ((name, MORE) for name in ("Bells", "Boats", "Lamps"))
    told = (before, text) if before.endswith(":") else (f"{before} {text}",)
    document = document_of(("", (WHAT,)), ("History", told), *parts, title="Weirbook")
    rows = [each.text for each in candidates_of(document).sentences]
    assert bool(requirements_of(candidates_of(document)).alone[rows.index(text)]) is is_alone
    assert bool(structure_of(document).stands_alone[rows.index(text)]) is is_alone
