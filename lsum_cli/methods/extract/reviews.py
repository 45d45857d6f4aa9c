"""The text of a review article without an abstract: its subject, its aim, what its parts and it come to.

What stands in its sections are mostly single findings of others. What it makes of them it says as it
concludes, and what it is about and for in its introduction.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import DocumentKind, section_path, tells_of_own_work
from lsum_cli.methods.extract.ranking.scoring import BACKGROUND
from lsum_cli.methods.extract.selection import Share
from lsum_cli.methods.extract.sentences.gist import LEAST_OF_A_SUMMARY, place_in_section
from lsum_cli.methods.extract.sentences.statements import is_background
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray, distinct

# A review has more to tell than another paper: so much of what suits a text of its length.
_FACTOR = 1.3
# What each gets of the words in turn: the subject, the aim, the conclusions; the other parts have the rest.
_SUBJECT, _AIM, _CONCLUSION = 0.07, 0.15, 0.4
# So many sentences of the introduction may tell the subject; one with so many years lists works about it.
_FIRST, _MANY_WORKS = 5, 3
_INTRODUCTION = regex(r"introduction|background", re.IGNORECASE)
_YEAR = regex(r"\b(?:19|20)\d\d[a-z]?\b")
# What sums a part up, what tells a single finding, and what a part begins with; what each counts, in standard
# deviations.
_SUMS_UP = regex(
    r"(?:in (?:conclusion|summary|short)|to (?:summari[sz]e|conclude)|overall|taken together|therefore|thus"
    r"|hence|accordingly|altogether)\b"
    r"|(?:these|all|several|many|most|recent|numerous) (?:\w+ )?(?:studies|findings|results|data|reports)\b",
    re.IGNORECASE,
)
_OF_ONE_STUDY = regex(
    r"[A-Z][\w'’-]+ (?:et al\b|and [A-Z][\w'’-]+ \()|\b[Ii]n vi(?:tro|vo)\b|\b(?:[Ii]n|[Aa]n?) study\b"
)
_FIGURE = regex(r"(?<![\w.(])\d[\d.,]*\b(?!\))")
_OF_A_SUM, _OF_A_FINDING, _OF_A_BEGINNING = 0.6, -0.8, 0.4


def is_review(extractor: Extractor) -> bool:
    """Whether a document is a paper without an abstract, and without methods or results of its own."""
    candidates, structure = extractor.candidates, extractor.structure
    if structure.document_kind is not DocumentKind.PAPER or len(extractor.documents) > 1:
        return False
    own = structure.gist.is_own_summary & structure.is_presentable
    if candidates.num_words[own].sum() >= LEAST_OF_A_SUMMARY or not structure.gist.concludes.any():
        return False
    paths = {section_path(section) for section in candidates.sections}
    return not any(tells_of_own_work(heading) for path in paths for heading in path.split(PATH_BREAK))


def select_review(extractor: Extractor) -> list[int]:
    """The positions of what a review is about and for, what it comes to, and what its parts do."""
    candidates, concludes = extractor.candidates, extractor.structure.gist.concludes
    headings = [section.heading or "" for section in candidates.sections]
    introduces = np.array([_INTRODUCTION.search(heading) is not None for heading in headings], bool)
    introduces = (introduces | (candidates.section == candidates.section[0])) & ~concludes
    subject = introduces & (place_in_section(candidates) < _FIRST)
    parts = ~(introduces | concludes)
    added = BACKGROUND * (is_background(candidates) & subject) + _of_parts(extractor, parts)
    values = extractor.scores.values + float(extractor.scores.values.std()) * added
    shares = (
        Share(subject, _SUBJECT),
        Share(introduces & ~subject, _AIM),
        Share(concludes, _CONCLUSION),
        Share(_best_of_sections(extractor, parts, values), 1.0),
        Share(introduces | concludes, 1.0),
    )
    lists_works = [len(_YEAR.findall(sentence.text)) >= _MANY_WORKS for sentence in candidates.sentences]
    eligible = ~(introduces & np.array(lists_works, bool))
    extractor = replace(extractor, scores=replace(extractor.scores, values=values))
    return extractor.select(int(_FACTOR * extractor.num_words), eligible, as_suits=True, shares=shares)


def _of_parts(extractor: Extractor, parts: BoolArray) -> FloatArray:
    """What the sentences of the parts count for telling what a part comes to, or a single finding."""
    candidates, place = extractor.candidates, place_in_section(extractor.candidates)
    added = np.zeros(len(candidates))
    for position in np.flatnonzero(parts).tolist():
        text = candidates.sentences[position].text
        is_finding = len(_FIGURE.findall(text)) > 1 or _OF_ONE_STUDY.search(text) is not None
        added[position] = (
            _OF_A_SUM * (_SUMS_UP.match(text) is not None)
            + _OF_A_FINDING * is_finding
            + _OF_A_BEGINNING * (place[position] == 0)
        )
    return added


def _best_of_sections(extractor: Extractor, parts: BoolArray, values: FloatArray) -> BoolArray:
    """Of each section the sentence that says most and is understood alone."""
    structure, section = extractor.structure, extractor.candidates.section
    alone = parts & structure.is_presentable & (structure.first == np.arange(len(parts)))
    found = np.zeros(len(parts), bool)
    for number in distinct(section[alone]).tolist():
        rows = np.flatnonzero(alone & (section == number))
        found[rows[np.argmax(values[rows])]] = True
    return found
