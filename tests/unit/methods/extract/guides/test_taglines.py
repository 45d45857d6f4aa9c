"""What a page says it is at its beginning is quoted, though it has no verb or begins with "This library"."""

from __future__ import annotations

import pytest
from extraction import document_of, structure_of, summarize

from lsum_cli.documents import Document

PARTS = tuple(
    (
        heading,
        [
            f"The {heading.lower()} of the weir are kept by the wardens in the house beside the lower lock.",
            f"Wardens write the {heading.lower()} that they changed into the ledger on the eve of the fair.",
            f"Every spring the county asks for the {heading.lower()} and pays the carpenters who mended them.",
        ],
    )
    for heading in ("Gates", "Boards", "Bells", "Lamps", "Ropes", "Boats")
)


def page(*opening: str, title: str = "Weirbook", heading: str | None = None) -> Document:
    return document_of((heading, opening), *PARTS, title=title)


def taglines(*opening: str, **of: str) -> list[str]:
    source = page(*opening, **of)
    structure = structure_of(source)
    shown = zip(source.sentences, structure.is_tagline, structure.stands_alone, strict=True)
    return [sentence.text for sentence, is_tagline, alone in shown if is_tagline and alone]


@pytest.mark.parametrize(
    "line",
    [
        "A small library for keeping the levels of rivers in ledgers.",
        "Bookkeeping for rivers in Python, with explicit dates.",
        "weirbook - Ledgers of river levels for wardens.",
        "This library keeps the levels of rivers in ledgers that wardens can read.",
        "This is a fork of the ledgers of the southern county.",
        "This is a backport of the ledgers of the southern county.",
        "Library to keep the levels of rivers according to RFC 6902",
        "The northern county's own ledger software.",
        "A small library for the levels of rivers",
        "Ledgers for the wardens of rivers in every county",
        "Record keeping for wardens",
        "Weirbook keeps the levels of rivers in ledgers that wardens can read",
        "✨ Weirbook is a program that keeps the levels of rivers in ledgers ✨",
        "🚣\ufe0f A small library for the levels of rivers 🎉",
    ],
)
def test_first_line_that_says_what_it_is_is_quoted(line: str) -> None:
    assert taglines(line) == [line]
    assert summarize(page(line)).sentences[0].text == line


@pytest.mark.parametrize(
    "line",
    [
        "Weirbook is a ledger of river levels for Python:",
        "Weirbook provides ledgers for the wardens of rivers:",
    ],
)
def test_first_line_before_code_is_quoted_with_a_stop(line: str) -> None:
    assert taglines(line) == [line]
    assert summarize(page(line)).sentences[0].text == f"{line[:-1]}."


@pytest.mark.parametrize(
    "line",
    [
        "Copyright of the wardens of the county for this year.",
        "THE SOFTWARE IS PROVIDED “AS IS”, FOR WARDENS OF RIVERS.",
        "Documentation for the wardens of the lower weir.",
        "See https://weirs.example for the ledgers of rivers.",
        "Work in progress on the ledgers of the river.",
        "You have 1 article left to read this month before you pay for the ledgers.",
        "The ledgers of the county on rivers:",
        "Weirbook is installed with the following command:",
        "Ledgers of the Wardens of the Southern County",
        "Under construction.",
        "This is a county project.",
    ],
)
def test_other_lines_without_a_verb_are_none(line: str) -> None:
    assert taglines(line) == []


def test_later_line_may_name_the_thing_without_an_article() -> None:
    first = "The wardens keep the levels of their rivers in ledgers of the county."
    line = "Friendly and fast ledger library for wardens"
    assert taglines(first, line) == [line]
    assert taglines(first, "See how it compares to the other libraries for wardens") == []


def test_line_of_another_section_is_none() -> None:
    line = "A small library for keeping the levels of rivers in ledgers."
    assert taglines(line, heading="Boats of the county") == []
    assert taglines(line, heading="Introduction") == [line]


@pytest.mark.parametrize("line", ["sluice - open the gates", "sluice, weir — tables of the county"])
def test_line_that_says_what_a_manual_page_is_of_is_quoted(line: str) -> None:
    assert taglines(line, heading="NAME") == [line]
    assert summarize(page(line, heading="NAME")).sentences[0].text == line


def test_request_after_the_first_line_is_none() -> None:
    first = "The wardens keep the levels of their rivers in ledgers of the county."
    assert taglines(first, "Choose a new tool for the ledgers of this county.") == []
    assert taglines(first, "A small tool for the ledgers of this county.") == [
        "A small tool for the ledgers of this county."
    ]


def test_this_library_is_another_where_one_was_named() -> None:
    other = "Ledgerist is a library that keeps the levels of ponds in ledgers of its own."
    assert taglines(other, "This library writes whatever the keepers of ponds tell it.") == []


@pytest.mark.parametrize(
    "line", ["Small and fast cross-county ledger library", "Very low overhead river logger."]
)
def test_first_line_may_name_the_kind_of_thing_last(line: str) -> None:
    assert taglines(line) == [line]
    assert taglines("The wardens keep the levels of their rivers in ledgers.", line) == []
