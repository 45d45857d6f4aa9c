"""What a request asks of a document of its kind, and what else it names."""

from __future__ import annotations

import numpy as np
import pytest
from extraction import candidates_of, document_of, summarize

from lsum_cli.documents import Document
from lsum_cli.methods.extract.asked_statements import Asked, asked_statements, asks_for_the_whole
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.structure import Structure

QUESTION = "The question before us is whether a keeper must be heard before the wardens fine her."
HOLDING = "We hold that nobody may be made to pay who has not been heard, and that she may pay nothing."
JUDGMENT = "The judgment of the Court of Appeals is affirmed."
REPORT = (
    "The county keeps twelve sluices on the northern lake, and each of them has a keeper of its own.",
    "Keepers open the sluices in spring, when the snow of the hills fills the upper basin within a day.",
    "This report describes what the repairs of three sluices would cost the county in the next ten years.",
    "A sluice of oak lasts some forty years, and one of iron twice as long if it is painted in autumn.",
    "Repairs cost ninety crowns for each sluice, of which the millers pay a third in the years of drought.",
)


def decision() -> Document:
    opening = ("Opinion of the Court", ["JUSTICE REED delivered the opinion of the Court.", QUESTION])
    filling = [f"The {name} canal was dug by masons of the county." for name in ("upper", "lower", "outer")]
    return document_of(
        opening, ("Opinion of the Court / Part I", [*filling, HOLDING, JUDGMENT]), title="A v. B"
    )


def asked(source: Document, focus: str) -> Asked | None:
    candidates = candidates_of(source)
    return asked_statements(focus, candidates, Structure.of(candidates))


def stated(source: Document, focus: str) -> set[str]:
    """The sentences that most clearly state what is asked for."""
    found = asked(source, focus)
    assert found is not None
    texts = [sentence.text for sentence in candidates_of(source).sentences]
    return {texts[row] for row in np.flatnonzero(found.clarity >= 0.5)}


@pytest.mark.parametrize(
    ("focus", "statements"),
    [
        ("Who won?", {HOLDING, JUDGMENT}),
        ("what had the court to decide about", {QUESTION, HOLDING, JUDGMENT}),
        ("THE RULING", {HOLDING, JUDGMENT}),
        ("issue", {QUESTION}),
    ],
)
def test_words_ask_for_statements_that_do_not_have_them(focus: str, statements: set[str]) -> None:
    assert stated(decision(), focus) == statements


@pytest.mark.parametrize(
    ("focus", "named"),
    [("what did the court decide?", False), ("what did the court decide about canals?", True)],
)
def test_what_else_a_request_names_is_known(focus: str, named: bool) -> None:
    found = asked(decision(), focus)
    assert found is not None
    assert bool(found.rest) == named
    assert ("canals" in found.rest) == named


def test_what_answers_each_of_several_questions_is_known() -> None:
    found = asked(decision(), "what did the court decide, and what was the question?")
    assert found is not None
    assert [answer.words for answer in found.answers] == ["decide", "question"]
    joined = asked(decision(), "what did the court decide on the question?")
    assert joined is not None
    assert len(joined.answers) == 1


def test_words_that_name_no_statement_ask_for_none() -> None:
    assert asked(decision(), "canals of the county") is None
    # Of a report only a request that names nothing else asks for what papers state.
    report = document_of((None, REPORT))
    assert Structure.of(candidates_of(report)).document_kind is DocumentKind.OTHER
    assert asked(report, "results of the repairs") is None
    assert stated(report, "purpose of the report") == {REPORT[2]}


@pytest.mark.parametrize(
    ("focus", "is_of_all"),
    [
        ("main points", True),
        ("What is this document about?", True),
        ("give me a short summary", True),
        ("tl;dr", True),
        ("main points of the contract", False),
        ("what is a sluice about", False),
        ("summary judgment", False),
    ],
)
def test_a_request_for_the_main_points_is_one_for_the_whole(focus: str, is_of_all: bool) -> None:
    assert asks_for_the_whole(focus) == is_of_all


def test_a_focus_on_the_main_points_is_the_summary_of_the_whole() -> None:
    source = document_of((None, REPORT))
    focused, whole = summarize(source, focus="Main points?"), summarize(source)
    assert [each.text for each in focused.sentences] == [each.text for each in whole.sentences]
    assert not focused.warnings
