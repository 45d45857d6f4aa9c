"""Window-shift labels: the window of each reference sentence, encoded as window-shift tokens.

Every reference sentence goes to the window of its most similar source sentence, a sentence in several
windows to the last of these; the running maximum makes the order monotone, and as many window-shift
tokens as windows to advance go before a sentence (Schüller et al. 2020). Two kinds of labels differ at the
ends. In the paper shifts stand *between* sentences: the first sentence is written in the first window, and
the summary ends where its last sentence does. Ours stand *throughout*: the first sentence is preceded by as
many as lead to its window from the first one, and the last is followed by as many as lead to the last
window: only there a summary ends, so that a model learns to read on to the end of any text.

A reference sentence that is similar to nothing in the source stays in the window of the sentence
before it, and in the first window where it is the first.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lsum_cli.models.windowing.windows import WindowLayout

Ids = NDArray[np.int64]


class SimilarityKind(enum.StrEnum):
    """Similarity measure of sentences.

    ``embedding``: cosine of the sums of word embeddings, as in the paper. ``tfidf``: cosine of word
    counts weighed by how rare the words are. ``rouge``: ROUGE-1 F1.
    """

    EMBEDDING = "embedding"
    TFIDF = "tfidf"
    ROUGE = "rouge"


class Similarity(Protocol):
    """Compares reference sentences with source sentences."""

    def compare(self, reference: Sequence[Ids], source: Sequence[Ids]) -> NDArray[np.float32]:
        """Similarities, (reference sentences, source sentences); 0 means nothing in common.

        Args:
            reference: Word ids of each sentence, of the extended vocabulary.
            source: Likewise.
        """
        ...


@dataclass(frozen=True, kw_only=True, eq=False)
class EmbeddingSimilarity:
    """Cosine of the sums of word embeddings; words beyond the vocabulary are ignored.

    Attributes:
        embeddings: (vocab, embedding).
        silent: Ids below this one, the special tokens, are ignored.
    """

    embeddings: NDArray[np.float32]
    silent: int = 5

    def compare(self, reference: Sequence[Ids], source: Sequence[Ids]) -> NDArray[np.float32]:
        """See :class:`Similarity`."""
        similarity: NDArray[np.float32] = self._sums(reference) @ self._sums(source).T
        return similarity

    def _sums(self, sentences: Sequence[Ids]) -> NDArray[np.float32]:
        """Return the sentences' embeddings, of length 1 or 0, (sentences, embedding)."""
        ids, owner = _in_a_row(sentences)
        known = (ids >= self.silent) & (ids < len(self.embeddings))
        counts = np.bincount(owner[known], minlength=len(sentences))
        sums = np.zeros((len(sentences), self.embeddings.shape[1]), np.float32)
        if known.any():
            # ``reduceat`` sums runs; sentences without a known word have none.
            starts = (np.cumsum(counts) - counts)[counts > 0]
            sums[counts > 0] = np.add.reduceat(self.embeddings[ids[known]], starts, axis=0)
        return _normalised(sums)


@dataclass(frozen=True, kw_only=True, eq=False)
class TfidfSimilarity:
    """Cosine of word counts, each times log((1 + sentences) / (1 + sentences with the word)) + 1.

    Document frequencies are counted over the sentences of this source, so that words beyond the
    vocabulary, such as names, count too.
    """

    silent: int = 5

    def compare(self, reference: Sequence[Ids], source: Sequence[Ids]) -> NDArray[np.float32]:
        """See :class:`Similarity`."""
        sides = [_count(sentences, self.silent) for sentences in (reference, source)]
        words, having = np.unique(sides[1].word, return_counts=True)
        weighed = []
        for side, sentences in zip(sides, (reference, source), strict=True):
            places, is_shared = _find(side.word, words)
            found = np.where(is_shared, having[places], 0) if len(words) else np.zeros(len(side.word))
            tfidf = side.times * (np.log((1 + len(source)) / (1 + found)) + 1)
            norm = np.sqrt(np.bincount(side.sentence, tfidf**2, minlength=len(sentences)))
            weighed.append((side, tfidf / norm[side.sentence]))
        return _product(weighed, len(reference), len(source), np.matmul)


@dataclass(frozen=True, kw_only=True, eq=False)
class RougeSimilarity:
    """ROUGE-1 F1: twice the words in common, each as often as in both, over the words of both."""

    silent: int = 5

    def compare(self, reference: Sequence[Ids], source: Sequence[Ids]) -> NDArray[np.float32]:
        """See :class:`Similarity`."""
        sides = [_count(sentences, self.silent) for sentences in (reference, source)]
        shared = _product([(side, side.times) for side in sides], len(reference), len(source), _shared)
        lengths = [
            np.bincount(side.sentence, side.times, minlength=len(sentences))
            for side, sentences in zip(sides, (reference, source), strict=True)
        ]
        both = np.maximum(lengths[0][:, None] + lengths[1][None, :], 1)
        similarity: NDArray[np.float32] = (2 * shared / both).astype(np.float32)
        return similarity


def windows_of_sentences(
    similarity: NDArray[np.float32], sentence_starts: NDArray[np.int64], layout: WindowLayout
) -> list[int]:
    """Return the window of each reference sentence, never smaller than that of the one before.

    Args:
        similarity: (reference sentences, source sentences); of equals the earlier source sentence counts.
        sentence_starts: The token at which each source sentence begins, (source sentences,).
        layout: The windows.
    """
    if not similarity.size:
        return [0] * len(similarity)
    best = similarity.argmax(axis=1)
    windows = np.minimum(sentence_starts[best] // layout.stride, len(layout) - 1)
    is_similar = similarity[np.arange(len(best)), best] > 0
    return running_maximum(np.where(is_similar, windows, 0).tolist())


def running_maximum(windows: Sequence[int]) -> list[int]:
    """Make an order of windows monotone: [1, 3, 2, 4, 3] becomes [1, 3, 3, 4, 4]."""
    return [int(window) for window in np.maximum.accumulate(np.array(windows, np.int64))]


def insert_shifts(
    sentences: Sequence[Ids], windows: Sequence[int], shift_token_id: int, *, last: int | None
) -> tuple[Ids, Ids]:
    """Put window-shift tokens before the sentences that advance, and behind the last one.

    Args:
        sentences: Ids of each reference sentence.
        windows: Its window, monotone.
        last: The last window of the text; ``None`` for shifts between sentences only: the windows are
            then counted from that of the first sentence, as a decoder moves that follows the shifts.

    Returns:
        The ids with shifts, and the window that each is written in, both (target_len,). A shift
        belongs to the window it leaves.
    """
    ids: list[Ids] = [np.zeros(0, np.int64)]
    places: list[Ids] = [np.zeros(0, np.int64)]
    present, first = 0, 0
    if last is None:
        first = windows[0] if windows else 0
    for sentence, place in zip(sentences, windows, strict=True):
        window = place - first
        ids.append(np.full(window - present, shift_token_id, np.int64))
        places.append(np.arange(present, window, dtype=np.int64))
        present = window
        ids.append(sentence)
        places.append(np.full(len(sentence), window, np.int64))
    if last is not None:
        ids.append(np.full(last - present, shift_token_id, np.int64))
        places.append(np.arange(present, last, dtype=np.int64))
    return np.concatenate(ids), np.concatenate(places)


class _Counts(NamedTuple):
    """Word counts of sentences, as parallel arrays."""

    sentence: NDArray[np.int64]
    word: Ids
    times: NDArray[np.float64]


def _count(sentences: Sequence[Ids], silent: int) -> _Counts:
    ids, owner = _in_a_row(sentences)
    ids, owner = ids[ids >= silent], owner[ids >= silent]
    span = int(ids.max()) + 1 if len(ids) else 1
    pairs, counts = np.unique(owner * span + ids, return_counts=True)
    return _Counts(pairs // span, pairs % span, counts.astype(np.float64))


def _find(words: Ids, among: Ids) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Positions of words in a sorted list, and whether they are found."""
    places = np.minimum(np.searchsorted(among, words), max(0, len(among) - 1))
    return places, among[places] == words if len(among) else np.zeros(len(words), np.bool_)


def _product(
    weighed: Sequence[tuple[_Counts, NDArray[np.float64]]],
    references: int,
    sources: int,
    combine: Callable[[NDArray[np.float32], NDArray[np.float32]], NDArray[np.float32]],
) -> NDArray[np.float32]:
    """Combine the counts of shared words, (references, sources)."""
    shared = np.intersect1d(weighed[0][0].word, weighed[1][0].word)
    dense = []
    for (side, weights), sentences in zip(weighed, (references, sources), strict=True):
        places, is_shared = _find(side.word, shared)
        matrix = np.zeros((sentences, len(shared)), np.float32)
        matrix[side.sentence[is_shared], places[is_shared]] = weights[is_shared]
        dense.append(matrix)
    return combine(dense[0], dense[1].T)


def _shared(reference: NDArray[np.float32], source: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return Σ of the smaller counts: (references, words), (words, sources) -> (references, sources)."""
    rows = [np.minimum(row[:, None], source).sum(axis=0) for row in reference]
    return np.array(rows, np.float32).reshape(len(reference), source.shape[1])


def _in_a_row(sentences: Sequence[Ids]) -> tuple[Ids, NDArray[np.int64]]:
    """Return all ids and the sentence of each."""
    lengths = [len(sentence) for sentence in sentences]
    ids = np.concatenate([np.zeros(0, np.int64), *sentences]).astype(np.int64)
    return ids, np.repeat(np.arange(len(sentences)), lengths)


def _normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    normalised: NDArray[np.float32] = vectors / np.maximum(length, 1e-12)
    return normalised
