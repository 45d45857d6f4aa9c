"""What came of a system on a data set: values alone, no means to make them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lsum_cli.evaluation.bootstrap import Interval
from lsum_cli.evaluation.metrics.faithfulness import Flag
from lsum_cli.evaluation.options import RougeSettings
from lsum_cli.summaries import CheckpointReference, OptionValue
from lsum_cli.text.terms import FloatArray


@dataclass(frozen=True, kw_only=True)
class Row:
    """What came of one example.

    Attributes:
        id: The example's.
        where: File and place of the example.
        reference_sha256: Of the reference; with ``id`` it tells which rows of two systems belong together.
        text: The summary; empty where none was written.
        reference_words: Length of the reference.
        scores: By column, from 0 to 1 for ROUGE; ``None`` where it cannot be told.
        flags: What the summary says and the source does not.
        error: Why there is no summary.
    """

    id: str
    where: str
    reference_sha256: str
    text: str
    reference_words: int
    scores: Mapping[str, float | None] = field(default_factory=dict)
    flags: tuple[Flag, ...] = ()
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class SystemResult:
    """What came of a system.

    Attributes:
        kind: ``"system"``, ``"yardstick"``, or ``"predictions"`` for summaries from a file.
        rows: One per example, in the order of the data.
        settings: How it was asked to write.
        taken: How many summaries an earlier run had written.
        summaries_path: The file the summaries are kept in.
        rouge: How ROUGE was computed.
        warnings: What the user should know, one line each.
    """

    name: str
    kind: str
    rows: tuple[Row, ...]
    settings: Mapping[str, OptionValue] = field(default_factory=dict)
    checkpoint: CheckpointReference | None = None
    taken: int = 0
    summaries_path: str | None = None
    rouge: RougeSettings
    warnings: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all scores."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.scores))

    @property
    def failed(self) -> int:
        """How many examples no summary could be written of."""
        return sum(row.error is not None for row in self.rows)

    @property
    def empty(self) -> int:
        """How many summaries hold no word; they score 0."""
        return sum(not row.text.strip() for row in self.rows)

    @property
    def means(self) -> dict[str, float | None]:
        """The mean of every column, over the examples of which it can be told."""
        means: dict[str, float | None] = {}
        for name in self.columns:
            values = self.values(name)
            known = values[~np.isnan(values)]
            means[name] = float(known.mean()) if len(known) else None
        return means

    def values(self, column: str) -> FloatArray:
        """One column, (examples,); NaN where it cannot be told."""
        found = (row.scores.get(column) for row in self.rows)
        return np.array([np.nan if value is None else value for value in found], np.float64)


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """What came of one value of a setting.

    Attributes:
        value: As the user gave it.
        scores: ROUGE by measure, from 0 to 1, with its interval.
        means: Every other column's mean.
        num_examples: How many summaries that is of.
        failed: How many examples no summary could be written of.
    """

    value: str
    scores: Mapping[str, Interval]
    means: Mapping[str, float | None]
    num_examples: int
    failed: int


GENERATED, REFERENCE = "generated", "reference"


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceMap:
    """The weight of every page at every token of one text.

    Attributes:
        name: Whose text: ``"generated"`` or ``"reference"``.
        tokens: Each as text.
        log_probs: Of each token.
        pages: A label for each page; pages without text are called so.
        weights: (target_len, pages); rows sum to 1.
        tokens_cut: Tokens of the reference for which the model had no room.
    """

    name: str
    tokens: tuple[str, ...]
    log_probs: tuple[float, ...]
    pages: tuple[str, ...]
    weights: NDArray[np.float32]
    tokens_cut: int = 0

    @property
    def mean_entropy(self) -> float:
        """Entropy of the weights in bits, mean over tokens: 0 where one page always has all."""
        weights = self.weights.astype(np.float64)
        logs = np.log2(weights, where=weights > 0, out=np.zeros_like(weights))
        return float(-(weights * logs).sum(axis=1).mean())

    @property
    def mean_greatest(self) -> float:
        """The weight of the foremost page, mean over tokens."""
        return float(self.weights.max(axis=1).mean())

    @property
    def switches(self) -> int:
        """How often the foremost page changes from one token to the next."""
        foremost = self.weights.argmax(axis=1)
        return int((foremost[1:] != foremost[:-1]).sum())

    @property
    def page_shares(self) -> tuple[float, ...]:
        """The weight of each page, mean over tokens."""
        return tuple(self.weights.mean(axis=0, dtype=np.float64).tolist())


def label_pages(labels: Sequence[str], num_fillers: int) -> tuple[str, ...]:
    """Labels as they stand beside a picture, numbered from 1, with the pages without text."""
    numbered = [f"{number}  {label}" for number, label in enumerate(labels, start=1)]
    return (*numbered, *(f"{len(labels) + number + 1}  (no text)" for number in range(num_fillers)))


def hash_text(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
