"""The words of a focus in a source: their forms, what says nearly the same, and what is akin to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.guides.faq import Faq
from lsum_cli.text.encoder import packaged_encoder, similarity
from lsum_cli.text.fuzzy import OF_A_FAMILY, fuzzy_match
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.synonyms import synonyms
from lsum_cli.text.terms import BoolArray, FloatArray, inflections, split_terms

# What a word that says nearly the same counts.
_SYNONYM = 0.6
# What answers these says a number instead.
_QUANTITIES = frozenset(("many", "much", "often"))
# An amount of money tells, in English, what something costs without saying so.
_COST = (
    "cost", "price", "fee", "money", "expense", "expensive", "cheap", "afford", "budget", "charge",
    "owe", "pay",
)  # fmt: skip
_ASKS_COST = frozenset(map(stem, _COST))
_AMOUNT = regex(
    r"[$€£¥] ?\d|\d ?[€£¥]|\b(?:USD|EUR|GBP|CHF) ?\d|\d ?(?:USD|EUR|GBP|CHF)\b"
    r"|\d(?: (?:thousand|million|billion))? (?:dollar|pound|euro|cent|penny|pence|yen|franc|rupee)s?\b"
)
# A term of the family of a word of the focus means nearly the same, too: "number" is no form of "numb".
_LEAST_OF_A_FAMILY = 0.5


@dataclass(frozen=True, eq=False, kw_only=True)
class FocusWord:
    """A word of the focus.

    Attributes:
        text: As the user wrote it.
        columns: The terms of the source that are forms of it.
        synonyms: Those that say nearly the same.
        told: Whether each sentence tells it without such a word, as an amount of money tells the cost.
        headed: Whether the heading of each sentence, or the question that it answers, holds it, 1, or what
            says nearly the same.
        rarity: What it weighs.
    """

    text: str
    columns: frozenset[int]
    synonyms: frozenset[int]
    told: BoolArray
    headed: FloatArray
    rarity: float

    @classmethod
    def of(cls, word: str, candidates: Candidates, faq: Faq, idf: FloatArray, language: str | None) -> Self:
        """A word in a source with these weights of terms."""
        is_english = language in (None, "en")
        forms = inflections(word) if is_english else (word,)
        stems = frozenset(map(stem, forms))
        headings = [
            f"{section.heading or ''} {question}"
            for section, question in zip(candidates.sections, faq.text, strict=True)
        ]
        alike = synonyms(stems) if is_english else set()
        holds: dict[str, float] = {}
        for heading in set(headings):
            held = set(map(stem, split_terms(heading)))
            holds[heading] = 1.0 if held & stems else _SYNONYM if held & alike else 0.0
        columns = _columns(candidates, stems)
        return cls(
            text=word,
            columns=columns,
            synonyms=_columns(candidates, alike) - columns,
            told=_told(candidates, stems) if is_english else np.zeros(len(candidates), bool),
            headed=np.array([holds[heading] for heading in headings]),
            rarity=float(max(idf[list(columns)], default=np.log1p(candidates.terms.num_rows))),
        )

    @property
    def is_missing(self) -> bool:
        """Whether the source does not use it, nor says the same otherwise."""
        is_said = self.columns or self.synonyms or self.headed.any() or self.told.any()
        return not is_said and self.text not in _QUANTITIES

    def said(self, candidates: Candidates) -> FloatArray:
        """Whether each sentence holds it, 1, or what says nearly the same."""
        weights, found = np.zeros(candidates.terms.num_terms), np.zeros(len(candidates))
        weights[list(self.synonyms)] = _SYNONYM
        weights[list(self.columns)] = 1.0
        np.maximum.at(found, candidates.terms.row_of_entry, weights[candidates.terms.columns])
        said: FloatArray = np.maximum(found, _SYNONYM * self.told)
        return said


def _told(candidates: Candidates, stems: frozenset[str]) -> BoolArray:
    """Whether each sentence tells without a word for it what a word with these stems asks for."""
    if stems.isdisjoint(_ASKS_COST):
        return np.zeros(len(candidates), bool)
    return np.array([_AMOUNT.search(each.text) is not None for each in candidates.sentences], bool)


def _columns(candidates: Candidates, stems: Iterable[str]) -> frozenset[int]:
    """The terms that the source uses of these stems."""
    used = candidates.terms.frequency
    return frozenset(column for column in candidates.lexicon.having(stems) if used[column] > 0)


def akin_term(word: str, candidates: Candidates, language: str | None) -> frozenset[int]:
    """The term that is of the family of a word that the source does not use, or that word well spelt."""
    options = list(akin_terms(word, candidates, language))
    if options and language in (None, "en"):
        texts = as_written(candidates, [candidates.lexicon.stems[option[2]] for option in options])
        asked, *used = packaged_encoder().encode([word, *texts])
        alike = similarity(asked, np.stack(used))
        options = [
            option
            for option, near in zip(options, alike.tolist(), strict=True)
            if option[0] < OF_A_FAMILY or near >= _LEAST_OF_A_FAMILY
        ]
    return frozenset(each[2] for each in (max(options),)) if options else frozenset()


def akin_terms(word: str, candidates: Candidates, language: str | None) -> Iterator[tuple[float, float, int]]:
    """The terms spelt as those of a word's family or the word itself are: how surely, how frequent, which."""
    frequency, wanted = candidates.terms.frequency, stem(word)
    for column, term in enumerate(candidates.lexicon.stems):
        if frequency[column] > 0 and term[:1] == wanted[:1]:
            sure = fuzzy_match(wanted, term, language)
            if sure > 0:
                yield sure, float(frequency[column]), column


def as_written(candidates: Candidates, stems: Sequence[str]) -> list[str]:
    """The terms as the source first writes them."""
    wanted = dict.fromkeys(stems, "")
    for sentence in candidates.sentences:
        if all(wanted.values()):
            break
        for term in split_terms(sentence.text):
            if not wanted.get(stem(term), "-"):
                wanted[stem(term)] = term
    return [surface or stemmed for stemmed, surface in wanted.items()]
