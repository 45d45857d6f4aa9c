"""Long-distance dependencies (Liu et al. 2022, Eqs. 13-16, Figure 4).

A summary sentence that combines two source sentences is a *fusion sentence*; the distance between the
two in the document shows how far a model must see. For a summary sentence h the pair is the one with the
greatest recall,

    (i, j) = argmax over i < j of R(h, s_i ⊕ s_j),

and h is a fusion sentence if R(h, s_i) > 20 and R(h, s_j) > 20, and R(h, s_i ⊕ s_j) exceeds each of
them by more than 10 (per cent). R is ROUGE-1 recall, stemmed; of equally good pairs the nearest is taken,
so that no dependency is overestimated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lsum_cli.datasets.example import Example
from lsum_cli.documents import sentences_to_read
from lsum_cli.errors import OptionError
from lsum_cli.evaluation.metrics.rouge import SummaryTokenizer
from lsum_cli.evaluation.options import RougeSettings, Tokenizer
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress

LEAST_RECALL = 0.2
LEAST_GAIN = 0.1
BINS = 10
# Pairs are compared in blocks of at most this many, to limit the memory that a book needs.
_PAIRS_AT_ONCE = 1 << 22
_ROUNDING = 1e-9

Tokens = Sequence[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fusion:
    """A summary sentence that combines two source sentences.

    Attributes:
        sentence: Index of the summary sentence.
        first: Index of the earlier source sentence.
        second: Index of the later one.
        recall: R(h, s_i ⊕ s_j), from 0 to 1.
        recall_first: R(h, s_i).
        recall_second: R(h, s_j).
        num_source: Number of source sentences.
    """

    sentence: int
    first: int
    second: int
    recall: float
    recall_first: float
    recall_second: float
    num_source: int

    @property
    def distance(self) -> float:
        """Distance of the two in sentences over the length of the source: above 0, below 1."""
        return (self.second - self.first) / self.num_source


@dataclass(frozen=True, kw_only=True, slots=True)
class ExampleFusions:
    """The fusion sentences of one summary of a data set."""

    id: str
    fusions: tuple[Fusion, ...]
    num_sentences: int


@dataclass(frozen=True, kw_only=True)
class Dependencies:
    """Long-distance dependencies in the summaries of a data set.

    Attributes:
        name: Whose summaries: ``"reference"``, or a system.
        examples: One per example, in the order of the data.
    """

    name: str
    examples: tuple[ExampleFusions, ...]

    @property
    def fusions(self) -> tuple[Fusion, ...]:
        """The fusion sentences of all examples."""
        return tuple(fusion for example in self.examples for fusion in example.fusions)

    @property
    def num_sentences(self) -> int:
        """Number of summary sentences examined."""
        return sum(example.num_sentences for example in self.examples)

    @property
    def fusion_share(self) -> float | None:
        """Share of the summary sentences that are fusion sentences."""
        return len(self.fusions) / self.num_sentences if self.num_sentences else None

    @property
    def mean_distance(self) -> float | None:
        """Mean distance relative to document length; that of random pairs is about a third."""
        distances = [fusion.distance for fusion in self.fusions]
        return float(np.mean(distances)) if distances else None

    def histogram(self, bins: int = BINS) -> tuple[float, ...]:
        """The share of fusion sentences in each of ``bins`` equal ranges of distance from 0 to 1."""
        distances = [fusion.distance for fusion in self.fusions]
        counts, _ = np.histogram(distances, bins=bins, range=(0, 1))
        return tuple((counts / max(1, len(distances))).tolist())


def expected_histogram(bins: int = BINS) -> tuple[float, ...]:
    """The histogram of random pairs in long documents, whose distances have density 2(1 - x)."""
    edges = np.linspace(0, 1, bins + 1)
    return tuple(np.diff(2 * edges - edges**2).tolist())


def find_fusions(summary: Sequence[Tokens], source: Sequence[Tokens]) -> tuple[Fusion, ...]:
    """Find the fusion sentences of one summary.

    Args:
        summary: The tokens of each summary sentence.
        source: The tokens of each sentence of the document, in order.
    """
    counts = [Counter(tokens) for tokens in source]
    found = [_find_fusion(number, tokens, counts) for number, tokens in enumerate(summary)]
    return tuple(fusion for fusion in found if fusion is not None)


def analyse_dependencies(
    summaries: Iterable[tuple[Example, str]], name: str, progress: ProgressListener = ignore_progress
) -> Dependencies:
    """Find the fusion sentences of many summaries.

    Args:
        summaries: Examples, each with the summary to examine: its reference or another.
        name: Whose summaries they are.

    Raises:
        MissingDependency: ``rouge-score`` is not installed.
        OptionError: There are no summaries.
    """
    tokenizer = SummaryTokenizer(RougeSettings(tokenizer=Tokenizer.UNICODE))
    found = []
    for example, summary in summaries:
        sentences = tokenizer.sentences(summary)
        source = [tokenizer.tokens(sentence.text) for sentence in sentences_to_read(example.documents)]
        fusions = find_fusions(sentences, source)
        found.append(ExampleFusions(id=example.id, fusions=fusions, num_sentences=len(sentences)))
        progress(ProgressEvent(stage="looking for fusion sentences", done=len(found), unit="documents"))
    if not found:
        raise OptionError("there are no summaries to analyse", "give a data set with references")
    return Dependencies(name=name, examples=tuple(found))


def _find_fusion(number: int, tokens: Tokens, source: Sequence[Counter[str]]) -> Fusion | None:
    wanted = Counter(tokens)
    if not wanted or len(source) < 2:
        return None
    limits = np.array(list(wanted.values()))  # (terms,)
    clipped = np.array([[min(count[term], limit) for term, limit in wanted.items()] for count in source])
    alone = clipped.sum(axis=1) / limits.sum()  # R(h, s), (sentences,)
    first, second, common = _best_pair(clipped, limits)
    recall = common / limits.sum()
    least, most = sorted((alone[first], alone[second]))
    # Recalls are ratios of integers: they exceed a limit by more than rounding errors.
    if least <= LEAST_RECALL + _ROUNDING or recall - most <= LEAST_GAIN + _ROUNDING:
        return None
    return Fusion(
        sentence=number,
        first=first,
        second=second,
        recall=float(recall),
        recall_first=float(alone[first]),
        recall_second=float(alone[second]),
        num_source=len(source),
    )


def _best_pair(clipped: NDArray[np.int64], limits: NDArray[np.int64]) -> tuple[int, int, int]:
    """The pair of rows i < j with the greatest Σ_t min(limit_t, clipped_it + clipped_jt), and that sum.

    Each term of the sum is bilinear: an indicator of the value in row i, times the clipped sum with
    row j, so that all pairs are one matrix product, (sentences, levels) × (levels, sentences).
    """
    levels = [(term, level) for term, limit in enumerate(limits) for level in range(limit + 1)]
    terms, values = (np.array(column) for column in zip(*levels, strict=True))
    has_level = (clipped[:, terms] == values).astype(np.float32)  # (sentences, levels)
    makes = np.minimum(limits[terms], clipped[:, terms] + values).astype(np.float32)
    num = len(clipped)
    block = max(1, _PAIRS_AT_ONCE // num)
    places = np.arange(num)
    best = (-1.0, 0, 0)
    for start in range(0, num - 1, block):
        rows = places[start : start + block]
        distance = places[None, start:] - rows[:, None]  # (rows, sentences from the first row on)
        common = has_level[rows] @ makes[start:].T
        # Ranked by terms in common, then by nearness; integers, so that float64 is exact.
        ranked = np.where(distance > 0, common.astype(np.float64) * num - distance, -np.inf)
        row, column = np.unravel_index(int(ranked.argmax()), ranked.shape)
        if ranked[row, column] > best[0] or start == 0:
            best = (float(ranked[row, column]), int(rows[row]), start + int(column))
    _, first, second = best
    return first, second, int(np.minimum(limits, clipped[first] + clipped[second]).sum())
