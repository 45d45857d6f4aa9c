"""How much sentences are alike: by the rare terms that they share."""

from __future__ import annotations

import numpy as np

from lsum_cli.text.terms import BoolArray, FloatArray, TermMatrix

# Two sentences of so many terms at least say the same if the similarity of their rare terms and the share of
# all that the shorter one shares with the other come to so much.
_FEWEST_TERMS, RESTATED = 5, 1.1
# A proposal has few words for many rules: one that restates another is more like it, by its own terms.
RESTATED_OF_A_PROPOSAL = 1.25


class Similarity:
    """How much the sentences of a source are alike, from 0 to 1.

    The rarity of the terms that two sentences share, as a share of the geometric mean of what each holds. Of
    pairs of sentences by which readers thought the same point made it tells more from others than the share
    in either sentence, in the longer or shorter one, or of pairs of terms.
    """

    def __init__(self, terms: TermMatrix) -> None:
        self._terms = terms
        self._rarity = _rarity(terms)[terms.columns]
        self._own = np.maximum(1e-9, terms.sum_rows(self._rarity))
        self._counts = terms.sum_rows(np.ones(len(terms.columns)))

    def to(self, position: int) -> FloatArray:
        """How much each sentence is like the one at ``position``."""
        held = np.zeros(self._terms.num_terms)
        held[self._terms.columns[self._terms.row(position)]] = 1
        shared = self._terms.sum_rows(self._rarity * held[self._terms.columns])
        similarity: FloatArray = shared / np.sqrt(self._own * self._own[position])
        return similarity

    def covered_by(self, position: int) -> FloatArray:
        """The share of the terms of each sentence, or of the one at ``position`` if it has fewer, in both.

        Every term counts alike: what a document is about, and says again in other words, is not rare in it.
        """
        held = np.zeros(self._terms.num_terms)
        held[self._terms.columns[self._terms.row(position)]] = 1
        shared = self._terms.sum_rows(held[self._terms.columns])
        covered: FloatArray = shared / np.maximum(1.0, np.minimum(self._counts, self._counts[position]))
        return covered

    def restates(
        self, position: int, least_alike: float = RESTATED, *, is_longer_new: bool = False
    ) -> BoolArray:
        """Whether each sentence says in other words what the one at ``position`` says.

        Of pairs that summaries of 130 documents held, these are mostly what a reader would call the same.

        Args:
            position: That of the sentence.
            least_alike: How much two must be alike.
            is_longer_new: Whether what has more terms than the sentence says more than that.
        """
        least = np.minimum(self._counts, self._counts[position]) >= _FEWEST_TERMS
        covered = self.covered_by(position)
        if is_longer_new:
            covered = covered * np.minimum(1.0, self._counts[position] / np.maximum(1.0, self._counts))
        alike = self.to(position) + covered
        restated: BoolArray = least & (alike >= least_alike)
        return restated


def _rarity(terms: TermMatrix) -> FloatArray:
    """The inverse document frequency of each term, a sentence counting as a document."""
    rarity: FloatArray = np.log((terms.num_rows + 1) / (terms.frequency + 0.5))
    return np.maximum(0.0, rarity)
