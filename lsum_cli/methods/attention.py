"""Attribution by attention: which source sentences a decoder looked at while it wrote a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lsum_cli.attribution import align
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, AttributionKind, PageWeight

# Evidence is looked for among so many sentences of most attention.
EVIDENCE_SENTENCES = 20


def attribute_by_attention(text: str, attention: NDArray[np.float32], pages: Sequence[Page]) -> Attribution:
    """Attribute a sentence to pages by the share of attention that their sentences got.

    Args:
        text: The sentence.
        attention: (target_len, sentences) mass of cross-attention that each of its tokens gave the
            sentences of the pages, in order; what special tokens got is left out, so that rows need
            not sum to 1.
        pages: What was read.

    Returns:
        Pages by weight. Evidence are those of the sentences most attended to that say the same, as
        :func:`lsum_cli.attribution.align` compares them: attention proposes, likeness decides.
    """
    rows = attention / np.maximum(1e-9, attention.sum(axis=1, keepdims=True))
    mass = rows.mean(axis=0, dtype=np.float64)  # (sentences,)
    total = mass.sum()
    mass = mass / total if total > 0 else np.full(len(mass), 1 / len(mass))
    counts = [len(page.sentences) for page in pages]
    page_of_sentence = np.repeat(np.arange(len(pages)), counts)
    weights = np.bincount(page_of_sentence, weights=mass, minlength=len(pages))  # (pages,)
    order = np.argsort(-weights, kind="stable")
    foremost = set(np.argsort(-mass, kind="stable")[:EVIDENCE_SENTENCES].tolist())
    starts = np.cumsum([0, *counts])
    candidates = [
        replace(page, sentences=sentences)
        for page, start in zip(pages, starts.tolist(), strict=False)
        if (sentences := tuple(s for i, s in enumerate(page.sentences, start) if i in foremost))
    ]
    (alignment,) = align([text], candidates)
    return Attribution(
        kind=AttributionKind.ATTENTION,
        pages=tuple(
            PageWeight(page=pages[place].index, weight=float(weights[place]))
            for place in order
            if weights[place] > 0
        ),
        evidence=alignment.evidence,
    )
