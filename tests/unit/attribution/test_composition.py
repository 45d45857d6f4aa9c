"""Attribution through two stages."""

from __future__ import annotations

import pytest

from lsum_cli.attribution.composition import compose
from lsum_cli.documents import Sentence
from lsum_cli.locality import Locality, Page
from lsum_cli.summaries import Attribution, AttributionKind, Evidence, PageWeight

ATTENTION, ALIGNMENT = AttributionKind.ATTENTION, AttributionKind.ALIGNMENT


def page(index: int, *sentences: int) -> Page:
    return Page(
        index=index, locality=Locality.SPATIAL, label="", document_id="chapters", num_tokens=1,
        sentences=tuple(Sentence(text=f"s{i}", index=i, section_index=0, start=0, end=2) for i in sentences),
    )  # fmt: skip


def evidence(sentence: int, page: int, score: float, document: str = "chapters") -> Evidence:
    return Evidence(
        text=f"{document} {sentence}", document_id=document, sentence_index=sentence, page=page,
        pdf_page=sentence + 10, score=score,
    )  # fmt: skip


def origin(weights: dict[int, float], *items: Evidence, kind: AttributionKind = ATTENTION) -> Attribution:
    ordered = sorted(weights.items(), key=lambda item: -item[1])
    return Attribution(
        kind=kind, pages=tuple(PageWeight(page=p, weight=w) for p, w in ordered), evidence=items
    )


ORIGINS = [
    origin({0: 1.0}, evidence(3, 0, 0.8, "d0")),
    origin({0: 1.0}, evidence(4, 0, 0.6, "d0")),
    origin({1: 1.0}, evidence(9, 1, 0.5, "d0"), evidence(3, 1, 0.9, "d0")),
    origin({1: 0.25, 2: 0.75}),
]
PAGES = [page(0, 0, 1), page(1, 2), page(2, 3)]


def weights(attribution: Attribution) -> dict[int, float]:
    return {weight.page: round(weight.weight, 6) for weight in attribution.pages}


def test_weights_are_the_sums_of_products() -> None:
    composed = compose(origin({0: 0.5, 1: 0.1, 2: 0.4}), PAGES, ORIGINS)
    assert weights(composed) == {0: 0.5, 2: 0.3, 1: 0.2}
    assert composed.top_page == 0
    assert sum(weight.weight for weight in composed.pages) == pytest.approx(1)


def test_evidence_says_which_sentences_of_a_page_count() -> None:
    shared = [origin({0: 1.0}), origin({1: 1.0})]
    pages = [page(0, 0, 1)]
    assert weights(compose(origin({0: 1.0}), pages, shared)) == {0: 0.5, 1: 0.5}
    assert weights(compose(origin({0: 1.0}, evidence(1, 0, 0.3)), pages, shared)) == {1: 1.0}
    both = compose(origin({0: 1.0}, evidence(1, 0, 1.0), evidence(0, 0, 0.5)), pages, shared)
    assert weights(both) == {1: round(16 / 17, 6), 0: round(1 / 17, 6)}


def test_evidence_is_traced_to_the_source_with_both_scores() -> None:
    composed = compose(origin({0: 0.9, 1: 0.1}, evidence(0, 0, 0.5), evidence(2, 1, 0.9)), PAGES, ORIGINS)
    found = [
        (item.document_id, item.sentence_index, item.page, round(item.score, 3)) for item in composed.evidence
    ]
    # Sentence 3 supports both; it is named once, by its better way.
    assert found == [("d0", 3, 1, 0.81), ("d0", 9, 1, 0.45)]
    assert composed.evidence[0].pdf_page == 13


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (ATTENTION, ATTENTION, ATTENTION),
        (ATTENTION, ALIGNMENT, ALIGNMENT),
        (ATTENTION, AttributionKind.EXTRACTION, ATTENTION),
        (AttributionKind.CONFIDENCE, ATTENTION, ALIGNMENT),
    ],
)
def test_a_chain_is_called_by_its_weakest_link(first, second, expected) -> None:
    assert (
        compose(origin({0: 1.0}, kind=first), [page(0, 0)], [origin({0: 1.0}, kind=second)]).kind is expected
    )
