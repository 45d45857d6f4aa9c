"""Alignment: a summary sentence is traced to the page and the sentences that say it."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lsum_cli.attribution.alignment import align
from lsum_cli.documents import Paragraph, Passage, compose_document
from lsum_cli.locality import Locality, Page, paginate
from lsum_cli.summaries import Attribution, AttributionKind

SECTIONS = {
    "Bees": ["Bees visit 120 flowers an hour.", "Their hive in Kyoto was founded by Anna Mori."],
    "Rain": ["Rain fell on 14 days of the month.", "It was the wettest April in the record of the valley."],
    "Bread": ["Bread needs flour, water and salt.", "The dough rests for two hours before it is baked."],
}


def pages_of(sections: dict[str, list[str]]) -> tuple[Page, ...]:
    passages = [
        Passage(heading=heading, level=1, paragraphs=(Paragraph.of(" ".join(sentences), pdf_page=number),))
        for number, (heading, sentences) in enumerate(sections.items(), start=1)
    ]
    document = compose_document(passages, id="d0", source="-")
    return paginate([document], Locality.DISCOURSE, 1024)


def weights(attribution: Attribution) -> dict[int, float]:
    return {page.page: page.weight for page in attribution.pages}


def test_a_verbatim_sentence_is_traced_to_itself() -> None:
    pages = pages_of(SECTIONS)
    for page in pages:
        for sentence in page.sentences:
            (attribution,) = align([sentence.text], pages)
            assert attribution.kind is AttributionKind.ALIGNMENT
            assert attribution.top_page == page.index
            assert attribution.evidence[0].text == sentence.text
            assert attribution.evidence[0].score == pytest.approx(1)
            assert attribution.evidence[0].sentence_index == sentence.index
            assert attribution.evidence[0].pdf_page == sentence.pdf_page
            assert weights(attribution)[page.index] > 0.9


@pytest.mark.parametrize(
    ("paraphrase", "page", "evidence"),
    [
        ("Anna Mori started the Kyoto hive.", 0, "Their hive in Kyoto was founded by Anna Mori."),
        ("It rained on 14 days.", 1, "Rain fell on 14 days of the month."),
        ("Bakers let doughs rest two hours.", 2, "The dough rests for two hours before it is baked."),
    ],
)
def test_a_paraphrase_is_found_by_its_names_and_numbers(paraphrase: str, page: int, evidence: str) -> None:
    (attribution,) = align([paraphrase], pages_of(SECTIONS))
    assert attribution.top_page == page
    assert attribution.evidence[0].text == evidence
    assert 0.1 < attribution.evidence[0].score < 1


def test_a_name_tells_more_than_a_common_word() -> None:
    pages = pages_of({"A": ["The committee reported on the budget."], "B": ["Then Vasquez reported a loss."]})
    (attribution,) = align(["In May Vasquez spoke of the committee."], pages)
    assert attribution.top_page == 1


def test_a_sentence_that_joins_two_pages_names_both() -> None:
    (attribution,) = align(
        ["Bees visit 120 flowers an hour and bread needs flour, water and salt."], pages_of(SECTIONS)
    )
    assert set(weights(attribution)) == {0, 2}
    assert min(weights(attribution).values()) > 0.2
    assert {evidence.page for evidence in attribution.evidence} == {0, 2}


def test_what_is_said_nowhere_has_equal_weights_and_no_evidence() -> None:
    for text in ("Quantum chromodynamics fascinates physicists.", "…", ""):
        (attribution,) = align([text], pages_of(SECTIONS))
        assert attribution.evidence == ()
        assert list(weights(attribution).values()) == pytest.approx([1 / 3] * 3)


def test_evidence_is_limited_and_sorted() -> None:
    places = ["Spain", "Aragon", "Navarre", "Rioja", "Burgos", "Tudela"]
    pages = pages_of({"A": [f"The river Ebro is long in {place}." for place in places]})
    (attribution,) = align(["The river Ebro is long."], pages, max_evidence=4)
    scores = [evidence.score for evidence in attribution.evidence]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)


def test_sentences_without_spaces_are_aligned_too() -> None:
    pages = pages_of({"一": ["猫は魚を食べた。"], "二": ["犬は庭で眠っている。"]})
    (attribution,) = align(["犬が庭で眠る。"], pages)
    assert attribution.top_page == 1


def test_alignment_needs_pages() -> None:
    with pytest.raises(ValueError, match="no pages"):
        align(["A sentence."], [])


words = st.sampled_from(
    ["bees", "rain", "bread", "Kyoto", "14", "flour", "hours", "valley", "salt", "Anna", "the", "of"]
)
texts = st.lists(words, min_size=1, max_size=8).map(lambda chosen: " ".join(chosen) + ".")


@given(summary=st.lists(texts, max_size=4), order=st.permutations(range(3)))
@settings(max_examples=60, deadline=None)
def test_weights_sum_to_1_and_follow_the_pages(summary: Sequence[str], order: list[int]) -> None:
    pages = pages_of(SECTIONS)
    shuffled = [replace(pages[old], index=new) for new, old in enumerate(order)]
    for first, second in zip(align(summary, pages), align(summary, shuffled), strict=True):
        assert sum(weights(first).values()) == pytest.approx(1)
        descending = [page.weight for page in first.pages]
        assert descending == sorted(descending, reverse=True)
        assert {order[page]: weight for page, weight in weights(second).items()} == pytest.approx(
            weights(first)
        )


def test_five_thousand_sentences_are_searched_in_a_moment() -> None:
    generator = random.Random(0)
    vocabulary = [f"{a}{b}" for a in "bcdfghklmnprstvz" for b in ("ana", "elo", "iru", "osta", "undi")]
    sentences = [" ".join(generator.choices(vocabulary, k=20)).capitalize() + "." for _ in range(5000)]
    pages = pages_of({str(start): sentences[start : start + 500] for start in range(0, 5000, 500)})
    began = time.process_time()
    attributions = align(sentences[::170], pages)
    # A third of a second on an idle machine; the rest is for busy ones.
    assert time.process_time() - began < 5
    assert all(found.evidence[0].score == pytest.approx(1) for found in attributions)
