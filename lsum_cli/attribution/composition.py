"""Attribution through two stages: from a summary of summaries back to the source.

A sentence of the second stage is attributed to sentences of the first, each with a weight; each of
these is attributed to pages of the source. The weight of a page is the sum of the products.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, AttributionKind, Evidence, PageWeight
from lsum_cli.text.terms import FloatArray

# As in alignment: the best sentence dominates, two equally good ones share.
_SHARPNESS = 4
_MOST_EVIDENCE = 3
# Pages below this composed weight are left out.
_LEAST_WEIGHT = 1e-6


def compose(
    attribution: Attribution, pages: Sequence[Page], origins: Sequence[Attribution | None]
) -> Attribution:
    """Trace a sentence of the second stage back to the source of the first.

    Args:
        attribution: The attribution of the sentence to pages of the second stage.
        pages: Pages of the second stage, whose sentences were written by the first stage.
        origins: The origin of each of those sentences, by its index.

    Returns:
        Weights over pages of the source that sum to 1, and source sentences as evidence, whose
        score is the product of both stages'. Its kind is that of the stages where they agree, else
        ``alignment``, the weakest.
    """
    weights = _weigh_sentences(attribution, pages, len(origins))
    of_page: dict[int, float] = {}
    for weight, origin in zip(weights, origins, strict=True):
        for page in origin.pages if origin else ():
            of_page[page.page] = of_page.get(page.page, 0.0) + float(weight) * page.weight
    total = sum(of_page.values())
    shares = {page: weight / total for page, weight in of_page.items() if weight > _LEAST_WEIGHT * total}
    total = sum(shares.values())
    used = {origin.kind for weight, origin in zip(weights, origins, strict=True) if weight and origin}
    return Attribution(
        kind=_weakest({attribution.kind, *used}),
        pages=tuple(
            PageWeight(page=page, weight=share / total)
            for page, share in sorted(shares.items(), key=lambda item: (-item[1], item[0]))
        ),
        evidence=_trace(attribution.evidence, origins),
    )


def _weigh_sentences(attribution: Attribution, pages: Sequence[Page], count: int) -> FloatArray:
    """The weight of every first-stage sentence; they sum to 1.

    The weight of a page is distributed over the evidence on it by score, or evenly over its sentences
    if there is no evidence.
    """
    by_index = {page.index: page for page in pages}
    weights = np.zeros(count)
    for weight in attribution.pages:
        evidence = [item for item in attribution.evidence if item.page == weight.page and item.score > 0]
        places = [item.sentence_index for item in evidence]
        shares = np.array([item.score for item in evidence], np.float64) ** _SHARPNESS
        if not places:
            places = [sentence.index for sentence in by_index[weight.page].sentences]
            shares = np.ones(len(places))
        np.add.at(weights, places, weight.weight * shares / shares.sum())
    normalised: FloatArray = weights / max(1e-12, weights.sum())
    return normalised


def _trace(evidence: Sequence[Evidence], origins: Sequence[Attribution | None]) -> tuple[Evidence, ...]:
    """The evidence of the evidence, the best first, each source sentence once."""
    found: dict[tuple[str, int], Evidence] = {}
    for item in evidence:
        origin = origins[item.sentence_index]
        for source in origin.evidence if origin else ():
            place = (source.document_id, source.sentence_index)
            score = item.score * source.score
            if place not in found or found[place].score < score:
                found[place] = Evidence(
                    text=source.text,
                    document_id=source.document_id,
                    sentence_index=source.sentence_index,
                    page=source.page,
                    pdf_page=source.pdf_page,
                    score=score,
                )
    return tuple(sorted(found.values(), key=lambda item: -item.score)[:_MOST_EVIDENCE])


def _weakest(kinds: set[AttributionKind]) -> AttributionKind:
    """The kind of a chain of attributions; verbatim sentences do not weaken it."""
    models = kinds - {AttributionKind.EXTRACTION}
    if len(models) == 1:
        return models.pop()
    return AttributionKind.ALIGNMENT if models else AttributionKind.EXTRACTION
