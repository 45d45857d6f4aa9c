"""Attribution by what a decoder weighed while it wrote: its pages (PageSum, Eq. 8) or its sentences.

The text that the decoder weighted most is a candidate for evidence; alignment selects from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lsum_cli.attribution.alignment import align
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, AttributionKind, PageWeight
from lsum_cli.text.terms import FloatArray

# Evidence is searched on the pages that together have this share of the weight, at most this number.
EVIDENCE_SHARE, EVIDENCE_PAGES = 0.9, 3
# Number of sentences with most attention that are compared.
EVIDENCE_SENTENCES = 20


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceTrace:
    """A text, token by token, with the pages that each was read from.

    Attributes:
        tokens: Each as text; special tokens as their names.
        log_probs: Log probability of each token; 0 where it was forced by a rule.
        weights: (target_len, pages), each row sums to 1; the last columns may be pages without text.
        num_fillers: How many of the last columns are pages without text.
        tokens_cut: Tokens of a given text for which the model had no room.
    """

    tokens: tuple[str, ...]
    log_probs: tuple[float, ...]
    weights: NDArray[np.float32]
    num_fillers: int = 0
    tokens_cut: int = 0


def attribute_by_confidence(text: str, confidence: NDArray[np.float32], pages: Sequence[Page]) -> Attribution:
    """Attribute a sentence to pages by their mean confidence over its tokens.

    Args:
        text: The sentence.
        confidence: ĉ of its tokens, (target_len, pages); columns beyond ``pages`` belong to pages
            without text, and their share is distributed over the others.
        pages: The pages that the columns correspond to.

    Returns:
        Pages by weight; evidence are the source sentences on the foremost of them that say the same.
    """
    weights = _normalise(confidence[:, : len(pages)].mean(axis=0, dtype=np.float64))  # (pages,)
    order = np.argsort(-weights, kind="stable")
    needed = int(np.searchsorted(np.cumsum(weights[order]), EVIDENCE_SHARE)) + 1
    foremost = [pages[place] for place in order[: min(needed, EVIDENCE_PAGES)]]
    return _attribution(AttributionKind.CONFIDENCE, text, weights, pages, foremost)


def attribute_by_attention(text: str, attention: NDArray[np.float32], pages: Sequence[Page]) -> Attribution:
    """Attribute a sentence to pages by the share of attention that their sentences got.

    Args:
        text: The sentence.
        attention: (target_len, sentences) mass of cross-attention that each of its tokens gave the
            sentences of the pages, in order; what special tokens got is left out, so that rows need
            not sum to 1.
        pages: What was read.

    Returns:
        Pages by weight; evidence are those of the sentences most attended to that say the same.
    """
    rows = attention / np.maximum(1e-9, attention.sum(axis=1, keepdims=True))
    mass = _normalise(rows.mean(axis=0, dtype=np.float64))  # (sentences,)
    counts = [len(page.sentences) for page in pages]
    page_of_sentence = np.repeat(np.arange(len(pages)), counts)
    shares = np.bincount(page_of_sentence, weights=mass, minlength=len(pages))
    weights: FloatArray = np.asarray(shares, np.float64)  # (pages,)
    foremost = set(np.argsort(-mass, kind="stable")[:EVIDENCE_SENTENCES].tolist())
    starts = np.cumsum([0, *counts])
    candidates = [
        replace(page, sentences=sentences)
        for page, start in zip(pages, starts.tolist(), strict=False)
        if (sentences := tuple(s for i, s in enumerate(page.sentences, start) if i in foremost))
    ]
    return _attribution(AttributionKind.ATTENTION, text, weights, pages, candidates)


def _normalise(weights: FloatArray) -> FloatArray:
    """Weights that sum to 1; uniform ones where there is nothing to go by."""
    total = weights.sum()
    normalised: FloatArray = weights / total if total > 0 else np.full(len(weights), 1 / len(weights))
    return normalised


def _attribution(
    kind: AttributionKind, text: str, weights: FloatArray, pages: Sequence[Page], candidates: Sequence[Page]
) -> Attribution:
    """Pages by weight, the greatest first, and the sentences of the candidates that say the same."""
    (alignment,) = align([text], candidates)
    return Attribution(
        kind=kind,
        pages=tuple(
            PageWeight(page=pages[place].index, weight=float(weights[place]))
            for place in np.argsort(-weights, kind="stable")
            if weights[place] > 0
        ),
        evidence=alignment.evidence,
    )
