"""What the texts and references of a data set are like, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.datasets.example import Example
from lsum_cli.documents import SectionRole
from lsum_cli.errors import DatasetError

COVERED_SHARE = 0.9


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """What the training data are like.

    Attributes:
        words: How often each word occurs in texts and references.
        source_len: maj(|D|), the length that covers 90 % of the texts, in words.
        summary_len: maj(|S|), likewise of the references.
    """

    words: Counter[str]
    source_len: float
    summary_len: float


def gather_statistics(
    examples: Iterable[Example], max_source_tokens: int | None, *, keep_references: bool = False
) -> Statistics:
    """Count words and lengths in one pass over the training data.

    Raises:
        DatasetError: There is not a single pair.
    """
    from lsum_cli.models.windowing.vocabulary import count_words

    words: Counter[str] = Counter()
    sources, summaries = [], []
    for example in examples:
        if not example.reference:
            continue
        in_source = count_words(source_sentences(example, keep_references=keep_references))
        in_reference = count_words([example.reference])
        words.update(in_source)
        words.update(in_reference)
        length = in_source.total()
        sources.append(min(length, max_source_tokens) if max_source_tokens else length)
        summaries.append(in_reference.total())
    if not sources:
        raise DatasetError("there is not a single pair to train on", "give texts with their summaries")
    return Statistics(
        words=words, source_len=covering_length(sources), summary_len=covering_length(summaries)
    )


def covering_length(lengths: Sequence[int], share: float = COVERED_SHARE) -> float:
    """Return the smallest length that at least this share of the lengths does not exceed (maj of Eq. 3)."""
    return float(max(1, np.quantile(np.array(lengths), share, method="inverted_cdf")))


def source_sentences(example: Example, *, keep_references: bool = False) -> list[str]:
    """The sentences of an example's documents, as one text."""
    return [
        sentence.text
        for document in example.documents
        for section in document.sections
        if keep_references or section.role is not SectionRole.REFERENCES
        for sentence in section.sentences
    ]
