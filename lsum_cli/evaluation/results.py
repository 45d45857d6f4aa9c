"""Results of evaluations and analyses, as plain values that every format can render."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lsum_cli.evaluation.bootstrap import Interval
from lsum_cli.evaluation.metrics.registry import SentenceFlag
from lsum_cli.evaluation.options import RougeSettings
from lsum_cli.summaries import CheckpointReference, OptionValue
from lsum_cli.text.terms import FloatArray


@dataclass(frozen=True, kw_only=True)
class Row:
    """The result of one example.

    Attributes:
        id: Id of the example.
        where: File and place of the example.
        reference_sha256: Hash of the reference; with ``id`` it pairs the rows of two systems.
        text: The summary; empty where none was written.
        reference_words: Length of the reference.
        scores: Score by column, from 0 to 1 for ROUGE; ``None`` where it does not apply.
        flags: The flags of the summary's sentences, in order.
        error: Why there is no summary.
        run: Which of the system's runs wrote it, where there are several: ``"seed-1"``.
        reference: The reference.
    """

    id: str
    where: str
    reference_sha256: str
    text: str
    reference_words: int
    scores: Mapping[str, float | None] = field(default_factory=dict)
    flags: tuple[SentenceFlag, ...] = ()
    error: str | None = None
    run: str | None = None
    reference: str = ""


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What is known of one run of a system that was trained several times.

    Attributes:
        name: ``"seed-1"``.
        checkpoint: The checkpoint that wrote, or ``None``.
        summaries: The file that caches its summaries.
        means: Mean by column.
    """

    name: str
    checkpoint: CheckpointReference | None = None
    summaries: str | None = None
    means: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SystemResult:
    """The results of one system.

    Attributes:
        kind: ``"system"``, ``"baseline"``, or ``"predictions"`` for summaries from a file.
        rows: One per example, in the order of the data; of several runs, those of one after the other.
        runs: Its runs, where there are several.
        settings: Its settings.
        taken: Number of summaries from an earlier run.
        summaries_path: The file that caches its summaries.
        rouge: How ROUGE was computed.
        warnings: Warnings for the user, one line each.
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
    runs: tuple[RunResult, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all scores."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.scores))

    @property
    def failed(self) -> int:
        """Number of examples that could not be summarised."""
        return sum(row.error is not None for row in self.rows)

    @property
    def empty(self) -> int:
        """Number of empty summaries; they score 0."""
        return sum(not row.text.strip() for row in self.rows)

    @property
    def means(self) -> dict[str, float | None]:
        """The mean of every column, over the examples to which it applies."""
        means: dict[str, float | None] = {}
        for name in self.columns:
            values = self.values(name)
            known = values[~np.isnan(values)]
            means[name] = float(known.mean()) if len(known) else None
        return means

    def values(self, column: str) -> FloatArray:
        """One column, (rows,); NaN where it does not apply."""
        found = (row.scores.get(column) for row in self.rows)
        return np.array([np.nan if value is None else value for value in found], np.float64)

    def values_by_run(self, column: str) -> FloatArray:
        """One column, (runs, examples); one row where the system has one run."""
        return self.values(column).reshape(max(1, len(self.runs)), -1)


def join_runs(name: str, results: Mapping[str, SystemResult]) -> SystemResult:
    """The results of several runs of one system, by their names, as those of the system.

    Args:
        name: Name of the system.
        results: On the same examples, in the same order.
    """
    first = next(iter(results.values()))
    return replace(
        first,
        name=name,
        rows=tuple(replace(row, run=run) for run, result in results.items() for row in result.rows),
        checkpoint=None,
        taken=sum(result.taken for result in results.values()),
        summaries_path=None,
        warnings=tuple(f"{run}: {text}" for run, result in results.items() for text in result.warnings),
        runs=tuple(
            RunResult(
                name=run,
                checkpoint=result.checkpoint,
                summaries=result.summaries_path,
                means=result.means,
            )
            for run, result in results.items()
        ),
    )


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """The results for one value of a swept setting.

    Attributes:
        value: As given by the user.
        scores: ROUGE by metric, from 0 to 1, with its interval.
        means: Mean of every other column.
        num_examples: Number of summaries.
        failed: Number of examples that could not be summarised.
    """

    value: str
    scores: Mapping[str, Interval]
    means: Mapping[str, float | None]
    num_examples: int
    failed: int


@dataclass(frozen=True, kw_only=True)
class RunCurve:
    """A metric of one training run.

    Attributes:
        system: The name of the folder; several runs of one system share it.
        run: The name of the run: ``"seed-1"``; empty where the system has one.
        metric: Its key in the log: ``"eval_loss"``.
        points: Step and value, in order of steps.
    """

    system: str
    run: str
    metric: str
    points: tuple[tuple[int, float], ...]

    @property
    def best(self) -> tuple[int, float]:
        """Step and value where the run is best, the first of equal ones; of a loss, less is better."""
        choose = min if "loss" in self.metric else max
        return choose(self.points, key=lambda point: point[1])


# A model that is trained to choose pages is far above this; one that is not is far below.
_LEAST_DECISION = 0.05

GENERATED, REFERENCE = "generated", "reference"


@dataclass(frozen=True, kw_only=True, eq=False)
class ConfidenceMap:
    """The weight of every page at every token of one text (Liu et al. 2022, Figure 3).

    Attributes:
        name: Which text: ``"generated"`` or ``"reference"``.
        tokens: The tokens as text.
        log_probs: Log-probability of each token.
        pages: A label for each page.
        weights: (target_len, pages); rows sum to 1.
        tokens_cut: Tokens of the reference beyond the model's longest output.
    """

    name: str
    tokens: tuple[str, ...]
    log_probs: tuple[float, ...]
    pages: tuple[str, ...]
    weights: NDArray[np.float32]
    tokens_cut: int = 0

    @property
    def mean_entropy(self) -> float:
        """Entropy of the weights in bits, mean over tokens: 0 where one page always has all of it."""
        weights = self.weights.astype(np.float64)
        logs = np.log2(weights, where=weights > 0, out=np.zeros_like(weights))
        return float(-(weights * logs).sum(axis=1).mean())

    @property
    def decision(self) -> float | None:
        """How far the weights are from uniform, by entropy: from 0 to 1, certain; ``None`` for one page."""
        if len(self.pages) < 2:
            return None
        return max(0.0, 1 - self.mean_entropy / math.log2(len(self.pages)))

    @property
    def is_undecided(self) -> bool:
        """Whether the weights are all but uniform, so that differences between them mean little."""
        return self.decision is not None and self.decision < _LEAST_DECISION

    @property
    def mean_greatest(self) -> float:
        """The weight of the top page, mean over tokens."""
        return float(self.weights.max(axis=1).mean())

    @property
    def switches(self) -> int:
        """How often the top page changes from one token to the next."""
        top = self.weights.argmax(axis=1)
        return int((top[1:] != top[:-1]).sum())


def label_pages(labels: Sequence[str], num_fillers: int) -> tuple[str, ...]:
    """Page labels for a picture, numbered from 1, those of pages without text included."""
    numbered = [f"{number}  {label}" for number, label in enumerate(labels, start=1)]
    return (*numbered, *(f"{len(labels) + number + 1}  (no text)" for number in range(num_fillers)))


def hash_text(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
