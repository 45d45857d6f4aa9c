"""Quality of attribution: do the cited pages support a summary, and where in the input is its support?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lsum_cli.attribution.alignment import align
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, AttributionKind

DECILES = 10
# Scores that differ by less differ by rounding.
_EQUAL = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Support:
    """How well the input supports a summary, by word overlap with the source (alignment).

    Attributes:
        cited_support: Mean over sentences of the best score of a source sentence on a cited page.
        best_support: The same on any page: what a perfect citation would reach.
        cites_best: Share of the sentences with evidence whose cited pages contain a source sentence of
            the best score.
        agreement: Share of the sentences with evidence whose top page is also the one that
            alignment finds; ``None`` where the attribution is alignment itself.
        page_entropy: Mean entropy of the weights over pages, in bits: 0 where one page has all of it.
        deciles: Share of the sentences whose best source sentence is in each tenth of the
            input; sentences without any evidence are left out. ``None`` where there are none.
        unsupported: Share of sentences without any evidence in the source.
    """

    cited_support: float | None = None
    best_support: float | None = None
    cites_best: float | None = None
    agreement: float | None = None
    page_entropy: float | None = None
    deciles: tuple[float, ...] | None = None
    unsupported: float | None = None


def find_support(
    sentences: Sequence[str], pages: Sequence[Page], attributions: Sequence[Attribution | None] = ()
) -> Support:
    """Compare the attribution of a summary with alignment to all pages of its input.

    Args:
        sentences: Sentences of the summary.
        pages: What it was made from.
        attributions: One per sentence; where any is missing, what depends on them is ``None``.
    """
    if not sentences or not pages:
        return Support()
    # All the evidence, so that the best on the cited pages is included.
    aligned = align(sentences, pages, max_evidence=sum(len(page.sentences) for page in pages))
    known = [attribution for attribution in attributions if attribution is not None]
    positions = _find_positions(aligned, pages)
    return positions if len(known) < len(sentences) else _examine(known, aligned, positions)


def _examine(
    attributions: Sequence[Attribution], aligned: Sequence[Attribution], positions: Support
) -> Support:
    best = [found.evidence[0].score if found.evidence else 0.0 for found in aligned]
    cited = [_support(*pair) for pair in zip(attributions, aligned, strict=True)]
    supported = [number for number, score in enumerate(best) if score > 0]
    agrees = [
        attributions[number].top_page == aligned[number].top_page
        for number in supported
        if attributions[number].kind is not AttributionKind.ALIGNMENT
    ]
    return replace(
        positions,
        cited_support=float(np.mean(cited)),
        best_support=float(np.mean(best)),
        cites_best=_mean([cited[number] >= best[number] - _EQUAL for number in supported]),
        agreement=_mean(agrees),
        page_entropy=float(np.mean([entropy(attribution) for attribution in attributions])),
    )


def _support(attribution: Attribution, aligned: Attribution) -> float:
    """The best alignment score on the cited pages; 0 where alignment finds nothing there."""
    cited = {weight.page for weight in attribution.cited()}
    return next((evidence.score for evidence in aligned.evidence if evidence.page in cited), 0.0)


def entropy(attribution: Attribution) -> float:
    """Entropy of an attribution's weights over pages, in bits."""
    return -sum(each.weight * math.log2(each.weight) for each in attribution.pages if each.weight > 0) + 0.0


def _find_positions(aligned: Sequence[Attribution], pages: Sequence[Page]) -> Support:
    """The tenth of the input, by sentences, that contains the best evidence of each sentence."""
    place: dict[tuple[str, int], int] = {}
    for page in pages:
        for sentence in page.sentences:
            place.setdefault((page.document_id, sentence.index), len(place))
    counts = np.zeros(DECILES)
    for found in aligned:
        for evidence in found.evidence[:1]:
            position = place[evidence.document_id, evidence.sentence_index] / len(place)
            counts[min(DECILES - 1, int(position * DECILES))] += 1
    total = counts.sum()
    return Support(
        deciles=tuple((counts / total).tolist()) if total else None,
        unsupported=1 - float(total) / len(aligned),
    )


def _mean(values: Sequence[bool]) -> float | None:
    return float(np.mean(values)) if values else None
