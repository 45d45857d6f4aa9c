"""Alignment: attributes summary sentences to pages and source sentences by comparing words.

For methods without attribution of their own. A source sentence supports a summary sentence to the
extent that it holds its words: rare words more than common ones, numbers and names
more than other words, and pairs of neighbouring words besides. With the weight *w* of terms and
pairs, the score is a Tversky index,

    w(both) / (w(both) + w(only in the summary) + 0.1 w(only in the source)),

which is 1 for a sentence taken over verbatim, and falls slowly for a source sentence that says more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lsum_cli.documents import Sentence
from lsum_cli.locality import Page
from lsum_cli.summaries import Attribution, AttributionKind, Evidence, PageWeight
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray, IntArray, Lexicon, TermMatrix, is_function_word

_WEIGHT_OF_PAIRS = 0.5
_WEIGHT_OF_FUNCTION_WORDS = 0.05
_WEIGHT_OF_NAMES = 1.5
_WEIGHT_OF_NUMBERS = 2.0
_WEIGHT_OF_SURPLUS = 0.1
# Below this score, shared words are coincidence.
_LEAST_SCORE = 0.1
# Sentences that score less than this share of the best are not evidence, their pages get no weight.
_LEAST_SHARE = 0.4
_SHARPNESS = 4
_WORD = regex(r"[^\W_]+")


def align(
    sentences: Sequence[str], pages: Sequence[Page], *, max_evidence: int = 3
) -> tuple[Attribution, ...]:
    """Find for each summary sentence the pages and source sentences that say the same.

    The weight of a page is the fourth power of the score of its best sentence, divided by the sum
    over pages, so that the page that says it best stands out and two that say it equally well
    share; a page whose best sentence scores less than two fifths of the best of all has weight 0.
    Where no source sentence scores at least 0.1, every page has the same weight and there is no
    evidence.

    Args:
        sentences: The sentences of a summary.
        pages: The pages it was made from, at least one.
        max_evidence: How many source sentences to name at most.

    Raises:
        ValueError: There are no pages.
    """
    if not pages:
        raise ValueError("a summary cannot be attributed to no pages")
    source = [sentence for page in pages for sentence in page.sentences]
    page_of_source = np.repeat(np.arange(len(pages)), [len(page.sentences) for page in pages])
    comparison = _Comparison([sentence.text for sentence in source], sentences)
    return tuple(
        _attribute(comparison.scores(number), source, page_of_source, pages, max_evidence)
        for number in range(len(sentences))
    )


class _Comparison:
    """Source and summary sentences as weighted terms and pairs of terms."""

    def __init__(self, source: Sequence[str], summary: Sequence[str]) -> None:
        lexicon = Lexicon()
        rows = [lexicon.index(text) for text in [*source, *summary]]
        function_words = np.array([is_function_word(term) for term in lexicon.stems], bool)
        content = [row[~function_words[row]] for row in rows]
        self._num_source = len(source)
        terms, pairs = TermMatrix.of(rows, len(lexicon)), TermMatrix.of_pairs(content, len(lexicon))
        term_weights = self._rarity(terms) * _emphasis(summary, lexicon)
        term_weights[function_words] *= _WEIGHT_OF_FUNCTION_WORDS
        pair_weights = self._rarity(pairs) * _WEIGHT_OF_PAIRS
        self._weighed = ((terms, term_weights[terms.columns]), (pairs, pair_weights[pairs.columns]))
        self._totals = np.sum([matrix.sum_rows(weights) for matrix, weights in self._weighed], axis=0)

    def scores(self, number: int) -> FloatArray:
        """The score of every source sentence for summary sentence ``number``, from 0 to 1."""
        row = self._num_source + number
        shared = np.zeros(self._num_source)
        for matrix, weights in self._weighed:
            held = np.zeros(matrix.num_terms)
            held[matrix.columns[matrix.row(row)]] = 1
            shared += matrix.sum_rows(weights * held[matrix.columns])[: self._num_source]
        missing = np.maximum(0, self._totals[row] - shared)
        surplus = np.maximum(0, self._totals[: self._num_source] - shared)
        scores: FloatArray = shared / np.maximum(1e-9, shared + missing + _WEIGHT_OF_SURPLUS * surplus)
        return scores.round(6)

    def _rarity(self, matrix: TermMatrix) -> FloatArray:
        """``log(1 + n / f)`` for a term in f of n source sentences; a term of the summary alone is rare."""
        in_source = matrix.columns[: matrix.starts[self._num_source]]
        frequency = np.bincount(in_source, minlength=matrix.num_terms)
        rarity: FloatArray = np.log1p(self._num_source / np.maximum(1, frequency))
        return rarity


def _emphasis(summary: Sequence[str], lexicon: Lexicon) -> FloatArray:
    """Extra weight of each term: more than 1 for names and numbers of the summary."""
    emphasis = np.ones(len(lexicon))
    for text in summary:
        for position, word in enumerate(_WORD.findall(text)):
            if any(map(str.isdigit, word)):
                emphasis[lexicon.find(word)] = _WEIGHT_OF_NUMBERS
            elif position and word[0].isupper():
                emphasis[lexicon.find(word)] = _WEIGHT_OF_NAMES
    return emphasis


def _attribute(
    scores: FloatArray,
    source: Sequence[Sentence],
    page_of_source: IntArray,
    pages: Sequence[Page],
    max_evidence: int,
) -> Attribution:
    best = float(scores.max())
    if best < _LEAST_SCORE:
        uniform = tuple(PageWeight(page=page.index, weight=1 / len(pages)) for page in pages)
        return Attribution(kind=AttributionKind.ALIGNMENT, pages=uniform)
    scores = np.where(scores >= _LEAST_SHARE * best, scores, 0)
    evidence = [int(row) for row in np.argsort(-scores, kind="stable")[:max_evidence] if scores[row] > 0]
    return Attribution(
        kind=AttributionKind.ALIGNMENT,
        pages=_weigh_pages(scores, page_of_source, pages),
        evidence=tuple(
            Evidence.of(source[row], pages[page_of_source[row]], float(scores[row])) for row in evidence
        ),
    )


def _weigh_pages(
    scores: FloatArray, page_of_source: IntArray, pages: Sequence[Page]
) -> tuple[PageWeight, ...]:
    """Pages by the score of their best sentence, the greatest first; see :func:`align`."""
    support = np.zeros(len(pages))
    np.maximum.at(support, page_of_source, scores)
    weights = support**_SHARPNESS
    weights /= weights.sum()
    order = np.argsort(-weights, kind="stable")
    return tuple(
        PageWeight(page=pages[position].index, weight=float(weights[position]))
        for position in order
        if weights[position] > 0
    )
