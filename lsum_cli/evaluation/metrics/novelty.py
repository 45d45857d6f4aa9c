"""Novelty and repetition: how much of a summary is new wording, and how much is said twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

Ngram = tuple[str, ...]


def ngram_set(sentences: Sequence[Sequence[str]], size: int) -> set[Ngram]:
    """All n-grams of sentences given as terms; none crosses the end of a sentence."""
    return {ngram for terms in sentences for ngram in _ngrams(terms, size)}


def novel_share(summary: Sequence[Sequence[str]], source: Sequence[Sequence[str]], size: int) -> float | None:
    """The share of a summary's n-grams, each occurrence counted, that its source does not contain.

    Args:
        summary: The terms of its sentences.
        source: The terms of the sentences of what was summarised.
        size: Number of terms of an n-gram.

    Returns:
        From 0 (all copied) to 1; ``None`` where no sentence has as many terms.
    """
    known = ngram_set(source, size)
    counts = Counter(ngram for terms in summary for ngram in _ngrams(terms, size))
    total = counts.total()
    return sum(count for ngram, count in counts.items() if ngram not in known) / total if total else None


def repeated_share(summary: Sequence[Sequence[str]], size: int = 3) -> float | None:
    """The share of n-grams that occurred before: 1 - distinct / all; ``None`` where there are none."""
    counts = Counter(ngram for terms in summary for ngram in _ngrams(terms, size))
    return 1 - len(counts) / counts.total() if counts else None


def count_repeated(summary: Sequence[Sequence[str]]) -> int:
    """The number of sentences that repeat an earlier one word for word."""
    sentences = [tuple(terms) for terms in summary if terms]
    return len(sentences) - len(set(sentences))


def _ngrams(terms: Sequence[str], size: int) -> Iterator[Ngram]:
    return zip(*(terms[start:] for start in range(size)), strict=False)
