"""The balance of a summary over the parts of its source: each has its share of the words."""

from __future__ import annotations

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.terms import FloatArray, IntArray, distinct

# What a sentence loses whose part has used up its share of the words: a document of several,
_OF_DOCUMENTS = 0.3
# a section of a document of no known kind, where a passage takes so many words,
_OF_SECTIONS, _WORDS_PER_PASSAGE = 0.6, 60
# a stretch of a story, of which there is one per so many words, so that the summary covers its end,
_OF_STORIES, _WORDS_PER_STRETCH = 1.5, 30
# and of talk, which turns from topic to topic: a reference reports of each.
_OF_TALK, _WORDS_PER_TURN = 0.3, 55


class Balance:
    """How many words of a summary each part of its source has.

    Args:
        candidates: The sentences.
        structure: What is known of them.
        num_words: Those of the summary.
    """

    def __init__(self, candidates: Candidates, structure: Structure, num_words: int) -> None:
        least = 0
        if structure.source_kind is SourceKind.NARRATIVE:
            self._part, self._penalty = _stretches(candidates, num_words // _WORDS_PER_STRETCH), _OF_STORIES
        elif structure.source_kind is SourceKind.CONVERSATION:
            self._part, self._penalty = _stretches(candidates, num_words // _WORDS_PER_TURN), _OF_TALK
        elif structure.source_kind is SourceKind.PROSE and structure.document_kind is DocumentKind.OTHER:
            self._part = np.unique(candidates.section, return_inverse=True)[1]
            self._penalty, least = _OF_SECTIONS, _WORDS_PER_PASSAGE
        else:
            self._part, self._penalty = candidates.document, _OF_DOCUMENTS
        self._share = max(num_words / distinct(self._part).size, float(least))
        self._words = np.zeros(int(self._part.max()) + 1)

    @property
    def penalty(self) -> FloatArray:
        """What each sentence loses for the words that its part has already."""
        penalty: FloatArray = self._penalty * (self._words[self._part] / self._share)
        return penalty

    def add(self, position: int, num_words: int) -> None:
        """Count the words of a selected sentence."""
        self._words[self._part[position]] += num_words


def _stretches(candidates: Candidates, count: int) -> IntArray:
    """The stretch of the source that each sentence is in, of so many of equal length, at least one."""
    before = np.cumsum(candidates.num_words) - candidates.num_words
    stretches: IntArray = max(1, count) * before // max(1, int(candidates.num_words.sum()))
    return stretches
