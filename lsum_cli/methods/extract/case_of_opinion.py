"""What a summary tells of the case in a decision without a syllabus: who the parties are, what happened.

An opinion tells it after its introduction, before it says why the court took the case: who did what to whom,
what a court was asked, how the courts below ruled. Of what happened that is quoted which the question and
what was held are about, each sentence with what it goes on from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.sentences.statement_wording import CERTIORARI, Statement
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.methods.extract.syllabus import BEGINS_CASE, PARTY, Brief, is_syllabus, tells_law
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

# The share of the words that the facts have.
_SHARE = 0.32
# What the court says of its own doing ("we assume the truth of the facts"), and who dissented below.
_OF_THE_COURT = regex(r"\b(?:[Ww]e|[Oo]ur|[Uu]s|dissent(?:ed|ing))\b")
# What a court is asked to decide.
_SUES = regex(
    r"\b(?:sued|(?:filed|brought|commenced|instituted) (?:\S+ ){0,6}?(?:suits?|actions?|complaints?"
    r"|petitions?)\b(?! with)|indicted|charged (?:with|in|under)|convicted|pleaded guilty)\b"
)
# Among so many sentences the parties are introduced.
_STARTS = 8
# Where no sentence within this share of an opinion says why the court took the case, its facts end here.
_EARLIEST, _LATEST, _USUAL = 0.08, 0.5, 0.25
_WORDS_OF_TAKING = ("certiorari", "jurisdiction", "granted")
# What an introduction has at most of an opinion.
_INTRODUCTION = 0.15
# The words of a title that name no party: "MARSH v. UNITED STATES, INC., ET AL."
_WORD = regex(r"[A-Z][\w’'-]{2,}")
_NO_PARTY_TEXT = (
    "against agency america american and appeals association attorney bank board bureau center city"
    " commission commissioner company corp corporation county court department director district div"
    " division federal for general group inc international llc local ltd matter national new north of office"
    " officer others parte people plc re school secretary services society south state states superintendent"
    " the united university warden west"
)
_NO_PARTY = frozenset(_NO_PARTY_TEXT.split())


def case_of_opinion(
    candidates: Candidates,
    structure: Structure,
    values: FloatArray,
    num_words: int,
    is_open: BoolArray,
    told: Sequence[int],
) -> tuple[list[int], list[int]]:
    """What is told of the case in a decision without a syllabus, and all sentences that tell it.

    None of other texts.

    Args:
        candidates: The sentences.
        structure: What is known of them.
        values: The score of each, in standard deviations.
        num_words: The words of the summary.
        is_open: Which sentences may be quoted.
        told: What is quoted already, of what was asked and held.
    """
    if structure.document_kind is not DocumentKind.DECISION or not told or is_syllabus(candidates).any():
        return [], []
    names = _parties(candidates)
    rules = structure.statements[Statement.RULING]
    may_be = is_open & structure.is_presentable & structure.is_own
    texts = [sentence.text for sentence in candidates.sentences]
    case = _tells_case(candidates)
    rows = [row for row in case if row in told or (may_be[row] and not _OF_THE_COURT.search(texts[row]))]
    happened = [row for row in rows if rules[row] < 1 and not tells_law(texts[row])]
    of_parties = [
        row for row in happened if PARTY.search(texts[row]) or any(name in texts[row] for name in names)
    ]
    if not of_parties:
        return [], []
    brief = Brief(candidates, structure, values, int(_SHARE * num_words), rows, told)
    brief.chosen.extend(told)
    for row in of_parties[:_STARTS]:
        if brief.add(row):
            break
    asked = next((found for form in (_SUES, BEGINS_CASE) if (found := _with(form, of_parties, texts))), [])
    brief.add_facts(1.0, asked, most=1)
    # What happened stands before what was asked of a court, what the courts did after it.
    brief.add_rulings()
    brief.add_facts(1.0, [row for row in happened if not asked or row < asked[0]])
    facts = [row for row in brief.chosen if row not in told]
    return facts, case if facts else []


def _with(form: re.Pattern[str], rows: Sequence[int], texts: Sequence[str]) -> list[int]:
    """Those of the sentences that have a wording."""
    return [row for row in rows if form.search(texts[row])]


def _tells_case(candidates: Candidates) -> list[int]:
    """The sentences of the court that tell the case, after the introduction."""
    rows = np.flatnonzero([section.role is SectionRole.OPINION for section in candidates.sections])
    count = len(rows)
    taken = (
        place
        for place in range(int(_EARLIEST * count), int(_LATEST * count))
        if _took_the_case(candidates.sentences[rows[place]].text.lower())
    )
    end = next(taken, int(_USUAL * count))
    sections = candidates.section[rows[:end]]
    introduction = int((sections == sections[0]).sum()) if end else 0
    begin = introduction if introduction < min(end, _INTRODUCTION * count) else 0
    return [int(row) for row in rows[begin:end]]


def _took_the_case(text: str) -> bool:
    """Whether a sentence in lower case says that the court took the case."""
    return any(map(text.__contains__, _WORDS_OF_TAKING)) and CERTIORARI.search(f" {text}") is not None


def _parties(candidates: Candidates) -> frozenset[str]:
    """The names of the parties in the title of a case, as an opinion writes them."""
    words = {word for title in {*candidates.titles} for word in _WORD.findall(title)}
    return frozenset(word.capitalize() for word in words if word.lower() not in _NO_PARTY)
