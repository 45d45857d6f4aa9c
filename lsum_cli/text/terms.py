"""Terms of texts in any script, and sentences as rows of a sparse term matrix."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lsum_cli.text.patterns import regex

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

# Scripts written without spaces between words: Thai, Lao, Burmese, Khmer, kana, ideographs.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Combining vowel signs and accents: Latin, Hebrew, Arabic, Indic.
MARKS = "\u0300-\u036f\u05b0-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_NUMBER = r"\d+(?:[.,]\d+)*"
_UNSPACED_RUN = regex(f"[{UNSPACED}]+")
_ASCII_TERM = regex(_NUMBER + "|[a-z][a-z0-9]*")
_SPACED_TERM = regex(f"{_NUMBER}|[^\\W\\d_](?:[^\\W_]|[{MARKS}])*")
_TERM = regex(f"[{UNSPACED}]+|{_NUMBER}|[^\\W\\d_{UNSPACED}](?:[^\\W_{UNSPACED}]|[{MARKS}])*")
_ASCII_WORD = regex(_NUMBER + "|[A-Za-z][A-Za-z0-9]*")
_WORD = regex(f"[{UNSPACED}]|{_NUMBER}|[^\\W\\d_{UNSPACED}](?:[^\\W_{UNSPACED}]|[{MARKS}])*")
_CHARACTERS_PER_WORD = 2
_TYPOGRAPHIC_MARKS = "’“”‘—–"


def count_words(text: str) -> int:
    """Number of words, split at white space; in scripts without spaces, two characters count as a word."""
    if text.isascii():
        return len(text.split())
    unspaced = _UNSPACED_RUN.findall(text)
    if not unspaced:
        return len(text.split())
    characters = sum(len(run) for run in unspaced)
    return len(_UNSPACED_RUN.sub(" ", text).split()) + (characters + 1) // _CHARACTERS_PER_WORD


def split_terms(text: str) -> list[str]:
    """The terms of a text in order: case-folded words and numbers; character bigrams in unspaced scripts."""
    if not text.isascii():
        # Of an English text these are mostly all that is not ASCII, and each stands between terms.
        for mark in _TYPOGRAPHIC_MARKS:
            text = text.replace(mark, " ")
    if text.isascii():
        return _ASCII_TERM.findall(text.lower())
    text = unicodedata.normalize("NFKC", text).casefold()
    if not _UNSPACED_RUN.search(text):
        return _SPACED_TERM.findall(text)
    terms: list[str] = []
    for run in _TERM.findall(text):
        if len(run) > 1 and _UNSPACED_RUN.match(run):
            terms.extend(run[start : start + 2] for start in range(len(run) - 1))
        else:
            terms.append(run)
    return terms


def word_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of every word and number, in order; in unspaced scripts of every character."""
    return [match.span() for match in (_ASCII_WORD if text.isascii() else _WORD).finditer(text)]


@lru_cache(maxsize=1 << 16)
def stem(term: str) -> str:
    """Light stemming of English words (plural, *-ing*, *-ed*, *-ly*); other words are returned unchanged."""
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


_FUNCTION_WORDS = (
    "a about above after again against all also am an and any are as at be because been before being "
    "below between both but by can cannot could did do does doing done down during each either few for "
    "from further had has have having he her here hers him his how however i if in into is it its "
    "itself just may me might more most must my neither no nor not now of off on once one only onto or "
    "other our out over own per same shall she should since so some such than that the their them then "
    "there these they this those through thus to too under until up upon us very was we were what when "
    "where whether which while who whom whose why will with within without would yet you your okay yeah "
    "uh um mm hmm oh like know think get got go going gonna really thing things way well mean right "
    "s t ll re ve don"
)
_FUNCTION_STEMS = frozenset(stem(word) for word in _FUNCTION_WORDS.split())


# Words that ask, rather than say what is asked about.
_ASKING_WORDS = (
    "say says said tell tells explain explains describe describes summarize summarise summary document text"
    " paper article report book author authors show shows mean means talk talks please"
)
_ASKING_STEMS = frozenset(stem(word) for word in _ASKING_WORDS.split())


def telling_terms(question: str) -> list[str]:
    """The terms of a question that say what it is about, in order and once each; it may have none.

    "What does the report say about costs?" is about costs; "What is a report?" is about reports.
    """
    terms = [term for term in split_terms(question) if not is_function_word(stem(term))]
    telling = [term for term in terms if stem(term) not in _ASKING_STEMS]
    return list(dict.fromkeys(telling or terms))


def is_function_word(stemmed: str) -> bool:
    """Whether a stemmed term is an English function word (stop word)."""
    return stemmed in _FUNCTION_STEMS


def distinct(numbers: IntArray) -> IntArray:
    """The different numbers in an array, ascending.

    As ``np.unique``, which imports all that numpy has for masked arrays unless it is asked to count.
    """
    found: IntArray = np.unique(numbers, return_counts=True)[0]
    return found


@dataclass(frozen=True, eq=False)
class TermMatrix:
    """Term counts per sentence, in compressed sparse rows (CSR).

    Attributes:
        starts: (rows + 1,) where each row starts in ``columns`` and ``counts``; the last is their length.
        columns: (entries,) index of the term, ascending within a row.
        counts: (entries,) how often it occurs in the sentence.
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

    @classmethod
    def of_pairs(cls, rows: Sequence[IntArray], num_terms: int) -> TermMatrix:
        """Count pairs of neighbouring terms; each distinct pair is a column."""
        keys = [row[:-1] * num_terms + row[1:] for row in rows]
        flat = np.concatenate(keys) if keys else np.zeros(0, np.int64)
        pairs, indices = np.unique(flat, return_inverse=True)
        ends = np.cumsum([len(row) for row in keys])[:-1]
        return cls.of(np.split(indices, ends) if keys else [], len(pairs))

    @property
    def num_rows(self) -> int:
        """Number of sentences."""
        return len(self.starts) - 1

    @property
    def row_of_entry(self) -> IntArray:
        """(entries,) the row of each entry."""
        return np.repeat(np.arange(self.num_rows), np.diff(self.starts))

    @property
    def frequency(self) -> FloatArray:
        """(terms,) in how many sentences each term occurs."""
        return np.bincount(self.columns, minlength=self.num_terms).astype(np.float64)

    def mean_over_terms(self, value_of_term: FloatArray) -> FloatArray:
        """The mean value of the distinct terms of each row; 0 for rows without a term."""
        return self.sum_rows(value_of_term[self.columns]) / np.maximum(1, np.diff(self.starts))

    def sum_rows(self, values: FloatArray) -> FloatArray:
        """Sum ``values``, one per entry, over each row."""
        totals = np.concatenate(([0.0], np.cumsum(values)))
        return totals[self.starts[1:]] - totals[self.starts[:-1]]

    def row(self, index: int) -> slice:
        """The slice of the entries of a row."""
        return slice(int(self.starts[index]), int(self.starts[index + 1]))


class Lexicon:
    """A mapping of terms to indices; terms with the same stem share one."""

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
        indices = [known[term] if term in known else self._add(term) for term in split_terms(text)]
        return np.array(indices, np.int64)

    def find(self, text: str) -> list[int]:
        """The indices of those terms of a text that the lexicon contains."""
        stems = (stem(term) for term in split_terms(text))
        return [self._index_of_stem[found] for found in stems if found in self._index_of_stem]

    def _add(self, term: str) -> int:
        index = self._index_of_stem.setdefault(stem(term), len(self._index_of_stem))
        self._index_of_term[term] = index
        return index
