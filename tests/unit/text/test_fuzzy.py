"""Words of one family and misspelt words match; neighbours that are other words do not."""

from __future__ import annotations

import pytest

from lsum_cli.text.fuzzy import OF_A_FAMILY, fuzzy_match


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [("regulatory", "regulation", "en"), ("economic", "economy", None), ("sichersten", "sicher", "de")],
)
def test_words_of_one_family_match_surely(one: str, other: str, language: str | None) -> None:
    assert fuzzy_match(one, other, language) >= OF_A_FAMILY
    assert fuzzy_match(other, one, language) >= OF_A_FAMILY


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("enviroment", "environment", "en"),
        ("telescpoe", "telescope", "en"),
        ("definately", "definitely", "en"),
        ("kinder", "kindersitze", "de"),
    ],
)
def test_misspelt_words_and_beginnings_of_compounds_match(one: str, other: str, language: str) -> None:
    assert 0 < fuzzy_match(one, other, language) < OF_A_FAMILY


@pytest.mark.parametrize(
    ("one", "other"),
    [("marsh", "march"), ("contract", "contrast"), ("communist", "community"), ("kinder", "kindersitze")],
)
def test_other_words_do_not_match(one: str, other: str) -> None:
    assert fuzzy_match(one, other, "en") == 0
