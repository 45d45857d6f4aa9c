"""What came of a system on a data set: values alone, no means to make them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from lsum_cli.evaluation.faithfulness import Flag
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
