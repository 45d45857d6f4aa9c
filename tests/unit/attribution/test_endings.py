from __future__ import annotations

from dataclasses import replace

import pytest

from lsum_cli.attribution.flags import SentenceChecker, end_whole, is_broken_off
from lsum_cli.attribution.provenance import SourceIndex
from lsum_cli.documents import Sentence
from lsum_cli.locality import Locality, Page
from lsum_cli.summaries import Coverage, Summary, SummarySentence

SOURCE = (
    "Toxicity was graded by the criteria of the institute in version 4.0 of last year.",
    "The files for these libraries (e.g. inputrc) are complex and include features.",
    "Future interfaces should include a group of networking or hardware.metal3.io at least.",
    "The court relied on United States v. Di Re, 332 U. S. 581, in all of its parts.",
    "The following steps are needed to replace a disk:",
    "1. Disable the disk of the node.",
    "Uses of the appropriate mirrors lower the cost for every region.",
    "A heading without a stop",
)
PAGE = Page(
    index=0,
    locality=Locality.SPATIAL,
    label="",
    document_id="d0",
    num_tokens=1,
    sentences=tuple(
        Sentence(text=text, index=number, section_index=0, start=0, end=0)
        for number, text in enumerate(SOURCE)
    ),
)


def is_broken(text: str) -> bool:
    index = SourceIndex([PAGE])
    return is_broken_off(index.trace(text), index)


@pytest.mark.parametrize("text", [text for text in SOURCE if not text.endswith(":")])
def test_a_source_sentence_to_its_end_is_finished(text):
    assert not is_broken(text)


@pytest.mark.parametrize(
    "text",
    [
        "Toxicity was graded by the criteria of the institute in version 4.",
        "The files for these libraries (e.",
        "The files for these libraries (as they stand.",
        "Future interfaces should include a group of networking or hardware.",
        "The court relied on United States v. Di Re, 332 U.",
        "The following steps are needed to replace a disk: 1.",
        "The following steps are needed to replace a disk:",
        "Uses of the appropriate mirr.",
        "Uses of the appropriate mirrors lower the",
        "Something of its own without an end",
        "",
    ],
)
def test_what_the_source_goes_on_with_is_missing(text):
    assert is_broken(text)


@pytest.mark.parametrize(
    "text",
    [
        "Toxicity was graded by the criteria of the institute.",
        "Uses of the appropriate mirror.",
        "It said: “The files are complex.”",
        "它说：文件很复杂。",
        "What is needed?",
    ],
)
def test_a_sentence_may_end_before_its_source_does(text):
    assert not is_broken(text)


def summary(*texts: str) -> Summary:
    coverage = Coverage(tokens_total=1, tokens_read=1, tokens_dropped=0, tokens_references=0, pages_total=1)
    return Summary(
        title=None,
        sentences=tuple(SummarySentence(text=text, index=index) for index, text in enumerate(texts)),
        pages=(PAGE,),
        documents=(),
        method="pagesum",
        locality=Locality.SPATIAL,
        coverage=coverage,
    )


def ended(*texts: str, told: int = 0) -> tuple[int, tuple[str, ...]]:
    found = end_whole(summary(*texts), SentenceChecker([PAGE], []), told=told)
    return len(found.sentences), found.warnings


GOOD, BAD = "What is needed?", "Uses of the appropriate mirr"


def test_what_breaks_off_at_the_end_is_left_out_and_it_is_said():
    assert ended(GOOD, GOOD) == (2, ())
    assert ended(GOOD, BAD) == (1, ("the last sentence broke off and is left out",))
    assert ended(GOOD, GOOD, BAD, BAD) == (2, ("the last 2 sentences broke off and are left out",))
    assert ended(BAD, GOOD) == (2, ())


def test_the_only_sentence_stays_and_it_is_said():
    assert ended(BAD) == (1, ("the only sentence of the summary breaks off",))


def test_a_model_that_writes_without_stops_keeps_its_sentences():
    assert ended(BAD, GOOD, BAD) == (3, ())
    assert end_whole(replace(summary(), sentences=()), SentenceChecker([PAGE], [])).sentences == ()


def test_what_was_told_stays():
    assert ended(GOOD, GOOD, BAD, BAD, told=3)[0] == 3
