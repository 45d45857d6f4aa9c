"""What stands under a heading that names just what a request asks: "action items" under "Action items".

A short line of a text without headings, such as "Education" in a CV, heads what follows it until the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import is_heading_of_form, section_path
from lsum_cli.text.fuzzy import are_of_a_family
from lsum_cli.text.patterns import regex
from lsum_cli.text.stems import stem
from lsum_cli.text.synonyms import synonyms
from lsum_cli.text.terms import FloatArray, inflections, is_function_word, question_terms, split_terms

# How surely a word of a heading is one of the request: one of its forms, of its family, or one that says
# nearly the same.
_FAMILY, _SYNONYM = 0.9, 0.8
# What headings add to what they name, and requests to what they ask.
_ADDED = regex(
    r"additional|all|any|brief|complete|considerations?|details?|full|general|important|information"
    r"|instructions?|key|list|main|major|most|notes?|overall|overview|sections?|short|summary"
)
# A heading above more of the source than this tells nothing apart.
_MOST_HEADED = 0.6
_LONGEST_LINE = 6  # words
_ENDS = (".", "!", ";", ",", ")")


def under_heading_of(request: str, candidates: Candidates) -> FloatArray:
    """How surely each sentence stands under a heading that names all that is asked, and nothing else.

    Args:
        request: What is asked, in English.
        candidates: The sentences.
    """
    words = _told_apart(question_terms(request, "en"))
    paths = [
        f"{section_path(section)}{PATH_BREAK}{line}"
        for section, line in zip(candidates.sections, _lines_above(candidates), strict=True)
    ]
    if not words:
        return np.zeros(len(paths))
    asked = list(map(_Word, words))
    headings = {heading for path in set(paths) for heading in path.split(PATH_BREAK)}
    sure = {heading: _sureness(asked, heading) for heading in headings}
    most = max(sure.values(), default=0.0)
    # Where one heading says it in so many words, what others say nearly is something else.
    found = np.array([max(map(sure.__getitem__, path.split(PATH_BREAK))) for path in paths])
    found = np.where(found >= most, found, 0.0)
    return found if (found > 0).mean() <= _MOST_HEADED else np.zeros(len(paths))


def _lines_above(candidates: Candidates) -> list[str]:
    """For each sentence the short line that heads it in its section; empty where none does."""
    above = [""] * len(candidates)
    line = ""
    for row, sentence in enumerate(candidates.sentences):
        if row and candidates.section[row] != candidates.section[row - 1]:
            line = ""
        is_line = bool(candidates.opens_paragraph[row]) and _is_line(sentence.text)
        if is_line:
            line = sentence.text.strip(" *_:")
        else:
            above[row] = line
    return above


def _is_line(text: str) -> bool:
    """Whether a paragraph is a line that may head what follows."""
    return len(text.split()) <= _LONGEST_LINE and not text.rstrip().endswith(_ENDS)


def _told_apart(terms: Sequence[str]) -> list[str]:
    """The terms that name something, if there are such."""
    return [term for term in terms if _ADDED.fullmatch(term) is None]


class _Word:
    """A word of a request."""

    def __init__(self, word: str) -> None:
        self._stem = stem(word)
        self._forms = frozenset(map(stem, inflections(word)))
        self._synonyms = synonyms(self._forms)

    def alike(self, stemmed: str) -> float:
        """How surely a term of a heading, stemmed, says what the word does."""
        if stemmed in self._forms:
            return 1.0
        if are_of_a_family(self._stem, stemmed):
            return _FAMILY
        return _SYNONYM if stemmed in self._synonyms else 0.0


def _sureness(words: Sequence[_Word], heading: str) -> float:
    """How surely a heading names these words and no others."""
    terms = _told_apart([term for term in split_terms(heading) if not is_function_word(stem(term))])
    if not terms:
        return 0.0
    # "Results" says less than what it nearly says: a paper has them in its conclusion too.
    least = 1.0 if is_heading_of_form(heading) else 0.0
    alike: list[list[float]] = []
    for stemmed in map(stem, terms):
        alike.append([word.alike(stemmed) for word in words])
        # Nearly every heading names something else, and there may be thousands.
        if not any(alike[-1]):
            return 0.0
    found = min(*map(max, alike), *map(max, zip(*alike, strict=True)))
    return found if found >= least else 0.0
