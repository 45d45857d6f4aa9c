"""Intrinsic locality (Liu et al. 2022, Figure 1): similarity of sentences as a function of their distance.

The mean cosine similarity of sentences that are d sentences apart in a document. If it falls with d,
neighbouring sentences belong together, and a page of neighbours is a sensible unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lsum_cli.errors import OptionError
from lsum_cli.progress import ProgressEvent, ProgressListener, ignore_progress
from lsum_cli.text.terms import FloatArray, IntArray, Lexicon, TermMatrix

MAX_DISTANCE = 50
_ROWS_AT_ONCE = 256

Vectors = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class LocalityCurve:
    """Mean similarity of sentence pairs by distance.

    Attributes:
        measure: The vectors compared: ``"TF-IDF"``, or the name of an embedding model.
        similarity: Mean over pairs 1, 2, … sentences apart; NaN where there is no such pair.
        num_pairs: Number of those pairs.
        same_document: Mean over all pairs of sentences of one document; NaN without any.
        across_documents: Mean over all pairs of sentences of two documents; NaN for one document.
        num_documents: Number of documents.
        num_sentences: Number of sentences with content.
    """

    measure: str
    similarity: tuple[float, ...]
    num_pairs: tuple[int, ...]
    same_document: float
    across_documents: float
    num_documents: int
    num_sentences: int


class LocalityAnalysis:
    """Accumulates documents into a :class:`LocalityCurve`; their order does not matter.

    Args:
        max_distance: The greatest distance, in sentences.
        dim: Length of the vectors.
    """

    def __init__(self, *, max_distance: int, dim: int) -> None:
        if max_distance < 1:
            raise OptionError(f"--max-distance {max_distance} is too small", "give at least 1")
        self._sums = np.zeros(max_distance)
        self._pairs = np.zeros(max_distance, np.int64)
        self._total = np.zeros(dim)
        self._documents = 0
        self._sentences = 0
        # Σ over documents of |Σ vectors|², n², and Σ n.
        self._squared = self._squared_counts = 0.0

    def add(self, vectors: Vectors, columns: IntArray | slice = slice(None)) -> None:
        """Add a document.

        Args:
            vectors: One per sentence in order, (sentences, dim), of length 1, or of length 0 for a
                sentence without content.
            columns: The dimensions that are given; the others are 0.
        """
        max_distance = len(self._sums)
        has_content = np.abs(vectors).sum(axis=1) > 0
        for start in range(0, len(vectors), _ROWS_AT_ONCE):
            near = vectors[start : start + _ROWS_AT_ONCE + max_distance]
            similarity = vectors[start : start + _ROWS_AT_ONCE] @ near.T  # (rows, near)
            for distance in range(1, min(max_distance, len(near) - 1) + 1):
                self._sums[distance - 1] += similarity.diagonal(distance).sum(dtype=np.float64)
        for distance in range(1, min(max_distance, len(vectors) - 1) + 1):
            self._pairs[distance - 1] += int((has_content[:-distance] & has_content[distance:]).sum())
        total = vectors.sum(axis=0, dtype=np.float64)
        count = int(has_content.sum())
        self._total[columns] += total
        self._documents += 1
        self._sentences += count
        self._squared += float(total @ total)
        self._squared_counts += count**2

    def curve(self, measure: str) -> LocalityCurve:
        """The curve of all documents added.

        Raises:
            OptionError: No document has two sentences.
        """
        if not self._pairs.any():
            raise OptionError(
                "no document has two sentences to compare", "give a data set of longer documents"
            )
        with np.errstate(invalid="ignore"):
            similarity = self._sums / self._pairs
        # Of n sentences of length 1, Σ_{i≠j} v_i·v_j = |Σ v|² - n, over n² - n pairs.
        pairs_within = self._squared_counts - self._sentences
        pairs_across = self._sentences**2 - self._squared_counts
        across = float(self._total @ self._total) - self._squared
        return LocalityCurve(
            measure=measure,
            similarity=tuple(similarity.tolist()),
            num_pairs=tuple(self._pairs.tolist()),
            same_document=(self._squared - self._sentences) / pairs_within,
            across_documents=across / pairs_across if pairs_across else float("nan"),
            num_documents=self._documents,
            num_sentences=self._sentences,
        )


def analyse_with_terms(
    documents: Iterable[Sequence[str]],
    *,
    max_distance: int = MAX_DISTANCE,
    progress: ProgressListener = ignore_progress,
) -> LocalityCurve:
    """Locality by shared words: TF-IDF with idf = log(1 + n / f) over all sentences.

    Args:
        documents: The sentences of each document.

    Raises:
        OptionError: No document has two sentences.
    """
    lexicon = Lexicon()
    rows: list[list[IntArray]] = []
    for sentences in documents:
        rows.append([lexicon.index(sentence) for sentence in sentences])
        progress(ProgressEvent(stage="reading", done=len(rows), unit="documents"))
    matrices = [TermMatrix.of(document, len(lexicon)) for document in rows]
    frequency = sum((matrix.frequency for matrix in matrices), np.zeros(len(lexicon)))
    idf = np.log1p(sum(matrix.num_rows for matrix in matrices) / np.maximum(1, frequency))
    analysis = LocalityAnalysis(max_distance=max_distance, dim=len(lexicon))
    for done, matrix in enumerate(matrices, start=1):
        analysis.add(*_unit_vectors(matrix, idf))
        progress(ProgressEvent(stage="comparing", done=done, total=len(matrices), unit="documents"))
    return analysis.curve("TF-IDF")


def analyse_with_vectors(
    documents: Iterable[Sequence[str]],
    embed: Callable[[Sequence[str]], Vectors],
    *,
    measure: str,
    dim: int,
    max_distance: int = MAX_DISTANCE,
    progress: ProgressListener = ignore_progress,
) -> LocalityCurve:
    """Locality by sentence embeddings.

    Args:
        documents: The sentences of each document.
        embed: Returns vectors of length 1 for sentences, (sentences, dim).
        measure: Name of the embeddings.
        dim: Length of the vectors.

    Raises:
        OptionError: No document has two sentences.
    """
    analysis = LocalityAnalysis(max_distance=max_distance, dim=dim)
    for done, sentences in enumerate(documents, start=1):
        analysis.add(embed(sentences))
        progress(ProgressEvent(stage="comparing", done=done, unit="documents"))
    return analysis.curve(measure)


def _unit_vectors(matrix: TermMatrix, idf: FloatArray) -> tuple[Vectors, IntArray]:
    """TF-IDF vectors of length 1, (sentences, terms present), and the indices of these terms."""
    weights = matrix.counts * idf[matrix.columns]
    norms = np.sqrt(matrix.sum_rows(weights**2))
    terms, places = np.unique(matrix.columns, return_inverse=True)
    rows = matrix.row_of_entry
    vectors = np.zeros((matrix.num_rows, len(terms)), np.float32)
    vectors[rows, places] = weights / norms[rows]
    return vectors, terms
