"""Statistics of a data set, to inspect before training on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lsum_cli.datasets.dataset import Excluded
from lsum_cli.datasets.example import ExampleSizes
from lsum_cli.datasets.features import FeatureStore

# Scalars that an encoder may add to its features, so that the statistics show what its settings cut.
TOKENS_TOTAL, TOKENS_DROPPED = "tokens_total", "tokens_dropped"
REFERENCE_TOKENS_TOTAL, REFERENCE_TOKENS_DROPPED = "reference_tokens_total", "reference_tokens_dropped"


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The distribution of a number over examples: nine in ten are at most ``ninety_percent``."""

    median: int
    ninety_percent: int
    maximum: int
    total: int

    @classmethod
    def of(cls, values: NDArray[np.int64]) -> Spread:
        """The distribution of at least one value; the quantiles are values that occur."""
        median, ninety_percent = np.quantile(values, (0.5, 0.9), method="inverted_cdf")
        return cls(
            median=int(median),
            ninety_percent=int(ninety_percent),
            maximum=int(values.max()),
            total=int(values.sum()),
        )


@dataclass(frozen=True, kw_only=True)
class Cut:
    """What the settings of a model cut from texts that are too long for it.

    Attributes:
        examples: Number of examples from which something is cut.
        tokens: Total number of tokens cut.
        share: Their share of all tokens, from 0 to 1.
    """

    examples: int
    tokens: int
    share: float


@dataclass(frozen=True, kw_only=True)
class DatasetStatistics:
    """Statistics of a data set.

    Attributes:
        name: Name of the data set.
        num_examples: Number of examples.
        excluded: Number of records left out, without a document or a reference.
        not_encoded: Number of examples from which nothing can be learnt, according to the encoder.
        duplicates: Number of examples with the documents of an earlier one.
        document_words: Words of the documents per example.
        reference_words: Words of the reference per example.
        num_documents: Documents per example.
        document_tokens: Tokens of the documents per example, including those cut; ``None`` where unknown.
        reference_tokens: Tokens of the reference per example; ``None`` where unknown.
        document_cut: What the settings cut from documents; ``None`` where unknown.
        reference_cut: What the settings cut from references; ``None`` where unknown.
    """

    name: str
    num_examples: int
    excluded: Excluded
    not_encoded: int = 0
    duplicates: int = 0
    document_words: Spread
    reference_words: Spread
    num_documents: Spread
    document_tokens: Spread | None = None
    reference_tokens: Spread | None = None
    document_cut: Cut | None = None
    reference_cut: Cut | None = None


def describe_store(store: FeatureStore) -> DatasetStatistics:
    """Compute the statistics of an encoded data set without reading it again."""
    scalars = {
        name: store.column(name).astype(np.int64)
        for name in (TOKENS_TOTAL, TOKENS_DROPPED, REFERENCE_TOKENS_TOTAL, REFERENCE_TOKENS_DROPPED)
        if name in store.features
    }
    return _describe(store.name, store.sizes, store.excluded, store.not_encoded, scalars)


def count_shared(first: FeatureStore, second: FeatureStore) -> int:
    """Number of examples of ``second`` whose documents are also in ``first``: the splits overlap."""
    return int(np.isin(second.sizes.text_hashes, first.sizes.text_hashes).sum())


def _describe(
    name: str,
    sizes: ExampleSizes,
    excluded: Excluded,
    not_encoded: int = 0,
    scalars: Mapping[str, NDArray[np.int64]] | None = None,
) -> DatasetStatistics:
    scalars = scalars or {}
    num_examples = len(sizes.document_words)
    return DatasetStatistics(
        name=name,
        num_examples=num_examples,
        excluded=excluded,
        not_encoded=not_encoded,
        duplicates=num_examples - len(np.unique(sizes.text_hashes)),
        document_words=Spread.of(sizes.document_words),
        reference_words=Spread.of(sizes.reference_words),
        num_documents=Spread.of(sizes.num_documents),
        document_tokens=_spread(scalars.get(TOKENS_TOTAL)),
        reference_tokens=_spread(scalars.get(REFERENCE_TOKENS_TOTAL)),
        document_cut=_cut(scalars.get(TOKENS_TOTAL), scalars.get(TOKENS_DROPPED)),
        reference_cut=_cut(scalars.get(REFERENCE_TOKENS_TOTAL), scalars.get(REFERENCE_TOKENS_DROPPED)),
    )


def _spread(values: NDArray[np.int64] | None) -> Spread | None:
    return None if values is None else Spread.of(values)


def _cut(total: NDArray[np.int64] | None, dropped: NDArray[np.int64] | None) -> Cut | None:
    if total is None or dropped is None:
        return None
    tokens = int(dropped.sum())
    return Cut(examples=int((dropped > 0).sum()), tokens=tokens, share=tokens / max(1, int(total.sum())))
