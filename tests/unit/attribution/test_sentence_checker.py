from __future__ import annotations

import pytest

from lsum_cli.attribution.flags import SentenceChecker, describe_flagged
from lsum_cli.documents import Sentence, compose_document
from lsum_cli.locality import Locality, Page
from lsum_cli.summaries import Attribution, AttributionKind, Flag, FlagKind, PageWeight, SummarySentence

TEXTS = (
    ("In 1402 the tower of the old harbour was built by masons from Lübeck.", "Its bell rings at noon."),
    ("Salt marshes grow where mud settles behind the long dike.", "Twelve kinds of grass grow there."),
)
PAGES = tuple(
    Page(
        index=number,
        locality=Locality.DISCOURSE,
        label=("The Harbour", "The Marshes of Sylt")[number],
        document_id="d0",
        num_tokens=1,
        sentences=tuple(
            Sentence(text=text, index=2 * number + place, section_index=number, start=0, end=0)
            for place, text in enumerate(texts)
        ),
    )
    for number, texts in enumerate(TEXTS)
)
DOCUMENT = compose_document((), id="d0", source="towers.txt", title="A Guide for Jane Doe")


def flags(text: str, *cited: int) -> list[tuple[str, str]]:
    attribution = None
    if cited:
        pages = tuple(PageWeight(page=page, weight=1 / len(cited)) for page in cited)
        attribution = Attribution(kind=AttributionKind.CONFIDENCE, pages=pages)
    found = SentenceChecker(PAGES, [DOCUMENT]).check(text, attribution)
    return [(flag.kind.value, flag.text) for flag in found.flags]


@pytest.mark.parametrize("text", [text for texts in TEXTS for text in texts])
def test_what_the_source_says_is_not_flagged(text):
    assert flags(text) == []


def test_facts_rest_on_the_cited_pages_their_labels_and_titles():
    assert flags("Here Jane Doe saw twelve kinds of grass in the marshes of Sylt.", 1) == []
    assert flags("Here the tower of the old harbour was built in 1402.", 0) == []
    text = "Here the tower of the old harbour was built in 1402."
    assert flags(text, 1) == [("number", "1402"), ("weak-evidence", text)]
    assert flags(text, 1, 0) == []


def test_splices_and_numbers_are_flagged_together():
    found = flags("In 1402 the tower of the old harbour grow where mud settles behind the long dike.", 1)
    assert [kind for kind, _ in found] == ["number", "splice"]


def test_a_sentence_that_shares_little_has_weak_evidence():
    text = "Volcanoes erupted violently across distant southern islands."
    assert flags(text) == [("weak-evidence", text)]
    assert flags("Volcanoes erupted.") == []  # too short to judge


def test_the_findings_say_what_is_copied():
    found = SentenceChecker(PAGES, [DOCUMENT]).check("Its bell rings at midnight.")
    assert found.copied_share == 4 / 5
    assert [(span.page, span.sentence_index) for span in found.copied] == [(0, 1)]


def test_flagged_sentences_are_counted_by_kind():
    def sentence(*kinds: FlagKind) -> SummarySentence:
        return SummarySentence(text="x", index=0, flags=tuple(Flag(kind=kind, text="x") for kind in kinds))

    assert describe_flagged([sentence(), sentence()]) is None
    some = [
        sentence(),
        sentence(FlagKind.SPLICE, FlagKind.SPLICE),
        sentence(FlagKind.NUMBER, FlagKind.SPLICE),
    ]
    assert describe_flagged(some) == "2 of 3 sentences are flagged: number (1), splice (2)"
    weak = describe_flagged([sentence(FlagKind.WEAK_EVIDENCE)])
    assert weak == "1 of 1 sentence is flagged: weak evidence (1)"
