"""What a summary quotes of a decision with a syllabus: the case as the court's reporter tells it.

A syllabus is a summary by the court's own reporter: what happened, how the courts below ruled, what was held
(numbered where it is more than one thing), each with reasons. Facts read on from the first sentence are a
story; single ones picked from it are not.
"""

from __future__ import annotations

import re

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.gist import held_first
from lsum_cli.methods.extract.kinds import DocumentKind
from lsum_cli.methods.extract.statements import Statement
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

_HELD = regex(r"held ?[:.]|\(?1\.? [A-Z]", re.IGNORECASE)
_NUMBERED = regex(r"(?:held ?: ?)?\(?\d\. [A-Z]", re.IGNORECASE)
# What a part of the judges concluded, where the syllabus only says what the judgment is.
_CONCLUDED = regex(r"(?:the chief )?justice \w+,? .{0,250}?\bconclud(?:ed|ing)\b", re.IGNORECASE)
# How a court below ruled.
_RULED = regex(
    r"\b(?:courts?|circuit|division|panel|judge|board|commission|magistrate|jury)\b.{0,120}?"
    r"\b(?:affirm|revers|vacat|remand|den(?:y|ied)|grant|dismiss|reject|agreed|disagreed|held|conclud|convict"
    r"|rul(?:ed|ing)|found|sentenced|upheld|enjoin|declined|awarded|entered|approv|invalidat|struck)\w*"
    r"|\b(?:affirm|revers|vacat|den(?:y|ied)|grant|dismiss|reject)(?:ing|ed)\b.{0,60}?\b(?:court|circuit)\b",
    re.IGNORECASE,
)
# What was claimed, and of whom.
_CLAIMED = regex(
    r"\b(?:sued|alleg(?:ed|ing)|claim(?:ed|ing)|contend(?:ed|ing)|assert(?:ed|ing)|argu(?:ed|ing)|charged"
    r"|convicted|indicted|pleaded|petitioned|sought|challeng(?:ed|ing)|moved (?:to|for)|appealed|disputed"
    r"|(?:filed|brought) (?:\S+ ){0,6}?(?:suits?|actions?|petitions?|complaints?|claims?|charges?"
    r"|motions?))\b",
    re.IGNORECASE,
)
# A sentence of more words and of more of the summary's is left to those who read the syllabus.
_MOST_OF_A_FACT, _LONGEST_FACT = 0.3, 30
# What opens a story stands among its first sentences.
_STARTS = 3
# How many sentences after what was held say why.
_REASONS = 3
# What it counts that one is worded as a reason, and that it cites a case, in standard deviations.
_REASON, _CITED = 1.5, 0.5
_CITES = regex(
    r"\b\d+ (?:U\. ?S\.|S\. ?Ct\.|F\. ?[23]d)|\b(?:supra|id\.|ibid)|\b\w+ v\. [A-Z]", re.IGNORECASE
)
# A judgment as clear as this, in no more words.
_CLEAR, _LONGEST_JUDGMENT = 0.5, 45


def is_syllabus(candidates: Candidates) -> BoolArray:
    """Which sentences stand in a syllabus."""
    return np.array([section.role is SectionRole.SYLLABUS for section in candidates.sections], bool)


def case_of_syllabus(
    candidates: Candidates, structure: Structure, values: FloatArray, num_words: int, is_open: BoolArray
) -> list[int]:
    """The case of a syllabus and the judgment, the most important first; none where there is no syllabus.

    Args:
        candidates: The sentences.
        structure: What is known of them.
        values: How much each is worth quoting, in standard deviations.
        num_words: The most words that it may have.
        is_open: Which sentences may be quoted.
    """
    if structure.document_kind is not DocumentKind.DECISION:
        return []
    syllabus = np.flatnonzero(is_syllabus(candidates))
    told = [int(row) for row in syllabus if structure.is_presentable[row] and is_open[row]]
    held = next(
        (int(row) for row in syllabus if _HELD.match(candidates.sentences[row].text)), len(candidates)
    )
    facts = [row for row in told if row < held]
    answers = [row for row in held_first(candidates, syllabus.tolist()) if row in told]
    if not facts or not answers:
        return []
    # Where "Held:" is a line of its own, what was held may be a list whose numbers are not part of its text.
    is_listed = answers[0] > held and _opens_entry(candidates, answers[0])
    answers += [
        row
        for row in told
        if row > answers[0]
        and (
            any(form.match(candidates.sentences[row].text) for form in (_CONCLUDED, _NUMBERED))
            or (is_listed and _opens_entry(candidates, row))
        )
    ]
    words = candidates.num_words
    room = num_words
    start = _start(candidates, structure, facts, num_words)
    chosen: list[int] = []

    def take(rows: list[int]) -> bool:
        nonlocal room
        new = [row for row in rows if row not in chosen]
        cost = int(words[new].sum())
        if cost > room:
            return False
        chosen.extend(new)
        room -= cost
        return True

    take(answers[:1])
    disposes = structure.statements.get(Statement.DISPOSITION)
    if disposes is None or disposes[answers[0]] < _CLEAR:
        take(_judgment(candidates, structure, is_open))
    if start is not None:
        take([facts[start]])
    for pattern in (_RULED, _CLAIMED):
        take(_last(pattern, candidates, structure, facts, num_words, is_open))
    for row in (*answers[1:], *_reasons(candidates, structure, values, told, answers[0])):
        take([row])
    for row in facts[start + 1 :] if start is not None else []:
        if not take([row]):
            break
    return chosen


def _opens_entry(candidates: Candidates, row: int) -> bool:
    """Whether a sentence begins a paragraph that is not a reason, "(a) …"."""
    return bool(candidates.opens_paragraph[row]) and not candidates.sentences[row].text.startswith("(")


def _reasons(
    candidates: Candidates, structure: Structure, values: FloatArray, told: list[int], held: int
) -> list[int]:
    """What a syllabus says best of why it was held, the best first."""
    cites = np.array([_CITES.search(sentence.text) is not None for sentence in candidates.sentences], bool)
    worth = values + _REASON * structure.statements[Statement.REASON] - _CITED * cites
    alone = [row for row in told if row > held and structure.first[row] == row]
    return sorted(alone, key=lambda row: -float(worth[row]))[:_REASONS]


def _judgment(candidates: Candidates, structure: Structure, is_open: BoolArray) -> list[int]:
    """The judgment at the end of the opinion of the Court."""
    clarity = structure.statements.get(Statement.DISPOSITION)
    if clarity is None:
        return []
    can_be = is_open & structure.is_presentable & structure.is_own & (clarity >= _CLEAR)
    can_be &= ~is_syllabus(candidates) & (candidates.num_words <= _LONGEST_JUDGMENT)
    rows = np.flatnonzero(can_be & (clarity == np.max(clarity, where=can_be, initial=0)))
    return [int(rows[-1])] if len(rows) else []


def _start(candidates: Candidates, structure: Structure, facts: list[int], num_words: int) -> int | None:
    """The place in ``facts`` of the sentence that the story begins with; ``None`` if each is too long."""
    for place, row in enumerate(facts[:_STARTS]):
        if place and structure.first_by_opening[row] != row:
            continue
        if candidates.num_words[row] <= max(_LONGEST_FACT, _MOST_OF_A_FACT * num_words):
            return place
    return None


def _last(
    pattern: re.Pattern[str],
    candidates: Candidates,
    structure: Structure,
    facts: list[int],
    num_words: int,
    is_open: BoolArray,
) -> list[int]:
    """The last of the facts that a pattern is found in and that is not too long, with what it leans on."""
    for row in reversed(facts):
        first = int(structure.first_by_opening[row])
        if first < 0 or pattern.search(candidates.sentences[row].text) is None:
            continue
        rows = [each for each in range(first, row + 1) if structure.is_presentable[each]]
        if not is_open[rows].all():
            continue
        if candidates.num_words[rows].sum() <= max(_LONGEST_FACT, _MOST_OF_A_FACT * num_words):
            return rows
    return []
