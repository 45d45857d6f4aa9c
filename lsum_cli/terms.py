"""Words made comparable: sentences as rows of a sparse matrix of terms, in any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

# Scripts written without spaces between words: Thai, Lao, Burmese, Khmer, kana, ideographs.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}\U00020000-\U0003ffff]+")
# A run of an unspaced script, a number with its decimals, or a word with inner apostrophes and marks.
_TERM = re.compile(
    f"[{_UNSPACED}\U00020000-\U0003ffff]+"
    r"|\d+(?:[.,]\d+)*"
    f"|[^\\W\\d_{_UNSPACED}][^\\W_{_UNSPACED}]*(?:[\u0300-\u036f]+[^\\W_{_UNSPACED}]*)*"
)
_CHARACTERS_PER_WORD = 2


def count_words(text: str) -> int:
    """Words counted at white space; in scripts without spaces, two characters count as a word."""
    if text.isascii():
        return len(text.split())
    unspaced = _UNSPACED_RUN.findall(text)
    if not unspaced:
        return len(text.split())
    characters = sum(len(run) for run in unspaced)
    return len(_UNSPACED_RUN.sub(" ", text).split()) + (characters + 1) // _CHARACTERS_PER_WORD


def split_terms(text: str) -> list[str]:
    """The terms of a text in order: case-folded words and numbers; for unspaced scripts pairs of characters."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    terms: list[str] = []
    for run in _TERM.findall(text.casefold()):
        if len(run) > 1 and not run.isascii() and _UNSPACED_RUN.match(run):
            terms.extend(run[start : start + 2] for start in range(len(run) - 1))
        else:
            terms.append(run)
    return terms


def stem(term: str) -> str:
    """Take English endings off, lightly: the plural, *-ing*, *-ed*, *-ly*; other words stay as they are."""
    if len(term) < 4 or not term.isascii() or not term.isalpha():
        return term
    if term.endswith("ies") and len(term) > 4:
        return term[:-3] + "y"
    if term.endswith("es") and term[-3] in "sxzh":
        term = term[:-2]
    elif term.endswith("s") and term[-2] not in "suia":
        term = term[:-1]
    for ending in ("ingly", "edly", "ing", "ed", "ly"):
        if term.endswith(ending) and len(term) - len(ending) >= 3:
            term = term[: -len(ending)]
            if len(term) > 3 and term[-1] == term[-2] and term[-1] not in "lsz":
                term = term[:-1]
            break
    return term.removesuffix("e") if len(term) > 4 else term


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """How often each term occurs in each sentence, in compressed rows.

    Attributes:
        starts: Of each row in ``columns`` and ``counts``, and one more for the end.
        columns: Index of the term, ascending within a row.
        counts: How often it occurs there.
        num_terms: Number of columns.
    """

    starts: IntArray
    columns: IntArray
    counts: FloatArray
    num_terms: int

    @classmethod
    def of(cls, rows: Sequence[IntArray], num_terms: int) -> TermMatrix:
        """Count term indices row by row."""
        lengths = np.fromiter((len(row) for row in rows), np.int64, len(rows))
        width = max(1, num_terms)
        keys = np.repeat(np.arange(len(rows)), lengths) * width
        if len(keys):
            keys = keys + np.concatenate(rows)
        unique, counts = np.unique(keys, return_counts=True)
        starts = np.searchsorted(unique, np.arange(len(rows) + 1) * width)
        return cls(starts, unique % width, counts.astype(np.float64), num_terms)

    @property
    def num_rows(self) -> int:
        """Number of sentences."""
        return len(self.starts) - 1

    @property
    def row_of_entry(self) -> IntArray:
        """The row each entry stands in."""
        return np.repeat(np.arange(self.num_rows), np.diff(self.starts))

    def sum_rows(self, values: FloatArray) -> FloatArray:
        """Sum ``values``, one per entry, over each row."""
        totals = np.concatenate(([0.0], np.cumsum(values)))
        return totals[self.starts[1:]] - totals[self.starts[:-1]]

    def row(self, index: int) -> slice:
        """Where the entries of a row stand."""
        return slice(int(self.starts[index]), int(self.starts[index + 1]))


class Lexicon:
    """Gives every term an index, the same for the same stem."""

    def __init__(self) -> None:
        self._index_of_stem: dict[str, int] = {}
        self._index_of_term: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._index_of_stem)

    @property
    def stems(self) -> list[str]:
        """The stems in the order of their indices."""
        return list(self._index_of_stem)

    def index(self, text: str) -> IntArray:
        """The indices of the terms of a text, in order."""
        known = self._index_of_term
        return np.array(
            [known.get(term, -1) if term in known else self._add(term) for term in split_terms(text)],
            np.int64,
        )

    def _add(self, term: str) -> int:
        index = self._index_of_stem.setdefault(stem(term), len(self._index_of_stem))
        self._index_of_term[term] = index
        return index
