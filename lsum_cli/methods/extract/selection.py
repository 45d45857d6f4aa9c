"""The selection of the sentences of an extractive summary: salient, and different from one another."""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.salience import SourceKind, kind_of, leans_on_previous
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.text.terms import BoolArray, FloatArray, IntArray, TermMatrix

# Fitted on training splits together with the weights of the features.
REDUNDANCY = 1.2
# Penalty for sentences of a document that has used up its share of the summary.
DOCUMENT_BALANCE = 0.3
# The same for the parts of a story, one per WORDS_PER_PART words of summary, so that its end is covered.
PART_BALANCE = 1.5
WORDS_PER_PART = 30
# Penalty for a sentence that depends on the previous one when that one is not selected.
LEANING = 0.5
# Share of terms, by weight, above which a second sentence is a near-duplicate.
NEAR_DUPLICATE = 0.5
# Limits for a presentable sentence: words, and the share of symbols among its characters.
SHORTEST, LONGEST = 8, 70
MOST_SYMBOLS = 0.2
# ASCII digits and punctuation, arrows, mathematical operators, box drawing.
_SYMBOL = re.compile(r"[!-@\[-`{-~\u2190-\u23ff\u2500-\u27bf]")


def select(
    candidates: Candidates,
    salience: FloatArray,
    num_words: int,
    eligible: BoolArray | None = None,
) -> list[int]:
    """Select sentences greedily until no other fits; returns their indices in the order of the source.

    Each step takes the most salient sentence after penalties: for what the summary already says
    (maximal marginal relevance, Carbonell and Goldstein 1998, with the summary so far as one text),
    for a document or part of a story that has had its share, and for depending on a sentence that
    was not selected.

    A summary of a named length is selected from the next longer one, so that it is part of it.

    Args:
        candidates: The sentences to select from.
        salience: The salience of each sentence.
        num_words: Maximum length in words; if every sentence is longer, one is selected anyway.
        eligible: Which sentences may be selected; by default all.
    """
    is_open = np.ones(len(candidates), bool) if eligible is None else eligible.copy()
    longer = [length for length in NAMED_LENGTHS.values() if length > num_words]
    is_named = num_words in NAMED_LENGTHS.values()
    for budget in (*sorted(longer, reverse=True), num_words) if is_named else (num_words,):
        if not is_open.any() or candidates.num_words[is_open].sum() <= budget:
            continue
        selection = _Selection(candidates, salience, is_open, budget)
        selection.fill()
        is_open = np.zeros(len(candidates), bool)
        is_open[selection.chosen] = True
    return [int(position) for position in np.flatnonzero(is_open)]


class _Selection:
    """The sentences selected so far, and those that can still be selected."""

    def __init__(
        self, candidates: Candidates, salience: FloatArray, is_open: BoolArray, num_words: int
    ) -> None:
        terms = candidates.terms
        self.chosen: list[int] = []
        self._candidates = candidates
        self._salience = salience
        fits, presentable = candidates.num_words <= num_words, is_presentable(candidates)
        for is_suitable in (presentable & fits, fits, presentable, np.ones(len(candidates), bool)):
            self._is_open = is_open & is_suitable
            if self._is_open.any():
                break
        self._remaining = num_words
        self._leaning = leans_on_previous(candidates)
        self._weights = _term_weights(terms)[terms.columns]
        self._own_weight = np.maximum(1e-9, terms.sum_rows(self._weights))
        self._covered = np.zeros(terms.num_terms)
        self._parts, self._balance = _parts(candidates, num_words)
        self._words_of_part = np.zeros(int(self._parts.max()) + 1)
        self._share = num_words / np.unique(self._parts).size

    def fill(self) -> None:
        """Select sentences until no other fits. The first may be too long."""
        lengths = self._candidates.num_words
        while (fits := self._is_open & ((lengths <= self._remaining) | (not self.chosen))).any():
            self._take(int(np.argmax(np.where(fits, self._gain(), -np.inf))))

    def _gain(self) -> FloatArray:
        redundancy = self._weight_shared_with(self._covered) / self._own_weight
        fill = self._words_of_part[self._parts] / self._share
        return self._salience - LEANING * self._leaning - REDUNDANCY * redundancy - self._balance * fill

    def _take(self, position: int) -> None:
        terms = self._candidates.terms
        held = np.zeros(terms.num_terms)
        held[terms.columns[terms.row(position)]] = 1
        greater_weight = np.maximum(self._own_weight, self._own_weight[position])
        self._is_open &= self._weight_shared_with(held) < NEAR_DUPLICATE * greater_weight
        self._is_open[position] = False
        self._leaning[position + 1 : position + 2] = 0
        self._covered = np.maximum(self._covered, held)
        self._words_of_part[self._parts[position]] += self._candidates.num_words[position]
        self._remaining -= int(self._candidates.num_words[position])
        self.chosen.append(position)

    def _weight_shared_with(self, held: FloatArray) -> FloatArray:
        """The total weight of each sentence's terms that are in ``held``."""
        terms = self._candidates.terms
        return terms.sum_rows(self._weights * held[terms.columns])


def _parts(candidates: Candidates, num_words: int) -> tuple[IntArray, float]:
    """The part of the source each sentence belongs to, and the penalty that balances the parts."""
    if kind_of(candidates) is not SourceKind.NARRATIVE:
        return candidates.document, DOCUMENT_BALANCE
    before = np.cumsum(candidates.num_words) - candidates.num_words
    count = max(1, num_words // WORDS_PER_PART)
    return count * before // max(1, int(candidates.num_words.sum())), PART_BALANCE


def _term_weights(terms: TermMatrix) -> FloatArray:
    """The weight of each term in a comparison: higher if repeated, lower if it occurs everywhere."""
    frequency = terms.frequency
    weights: FloatArray = np.log1p(frequency) * np.log1p(terms.num_rows / np.maximum(1, frequency))
    return weights


def is_presentable(candidates: Candidates) -> BoolArray:
    """Whether each sentence suits a summary: neither too short nor too long, and not mostly symbols."""
    symbols = np.array([len(_SYMBOL.findall(sentence.text)) for sentence in candidates.sentences])
    lengths = np.array([len(sentence.text) for sentence in candidates.sentences])
    long_enough = (candidates.num_words >= SHORTEST) & (candidates.num_words <= LONGEST)
    presentable: BoolArray = long_enough & (symbols <= MOST_SYMBOLS * lengths)
    return presentable
