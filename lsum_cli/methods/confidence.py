"""Attribution by confidence: which pages a generated sentence was read from (PageSum, Eq. 8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lsum_cli.attribution import align
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, AttributionKind, PageWeight

# Evidence is looked for on the pages that together have this share of the weight, at most so many.
EVIDENCE_SHARE, EVIDENCE_PAGES = 0.9, 3


def attribute_by_confidence(text: str, confidence: NDArray[np.float32], pages: Sequence[Page]) -> Attribution:
    """Attribute a sentence to pages by their mean confidence over its tokens.

    Args:
        text: The sentence.
        confidence: ĉ of its tokens, (target_len, pages); columns beyond ``pages`` belong to pages
            without text, and their share is distributed over the others.
        pages: What the columns stand for.

    Returns:
        Pages by weight; evidence are the source sentences on the foremost of them that say the same.
    """
    weights = confidence[:, : len(pages)].mean(axis=0, dtype=np.float64)  # (pages,)
    total = weights.sum()
    weights = weights / total if total > 0 else np.full(len(pages), 1 / len(pages))
    order = np.argsort(-weights, kind="stable")
    needed = int(np.searchsorted(np.cumsum(weights[order]), EVIDENCE_SHARE)) + 1
    foremost = [pages[place] for place in order[: min(needed, EVIDENCE_PAGES)]]
    (alignment,) = align([text], foremost)
    return Attribution(
        kind=AttributionKind.CONFIDENCE,
        pages=tuple(
            PageWeight(page=pages[place].index, weight=float(weights[place]))
            for place in order
            if weights[place] > 0
        ),
        evidence=alignment.evidence,
    )
