"""What the sentences of a document state, by the kind of document, and how clearly.

A reader expects of a decision its holding and its disposition; of a paper its aim, method, result and
conclusion; of a proposal the problem, what is proposed and what follows from it. Each of these is recognised
by its wording and by the section it stands in (Teufel and Moens 2002 call this argumentative zoning).
Selection takes the best sentence of each first, and then what else the document says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from lsum_cli.documents import SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import (
    DocumentKind,
    section_path,
)
from lsum_cli.methods.extract.sentences.gist import held_first
from lsum_cli.methods.extract.sentences.statement_wording import FINDS, SIGNS, Sign, Statement
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, FloatArray

_VAGUELY = 0.25
_A_PART_OF_IT = 0.6
# What is as clear as this is stated; an opinion reasons past this share of it.
_STATED, _CASE_OF_AN_OPINION = 0.5, 0.3
_INTRODUCTION = regex(r"\b(?:introduction|background)\b", re.IGNORECASE)
_PROCEDURES = regex(r"\b(?:methods?|materials?|procedures?|statistic\w*|experimental)\b", re.IGNORECASE)
# What was done, and a word that tells what came of it.
_WAS_DONE = regex(
    r"\b(?:[Ww]e|[Ii]t|was|were|had been|have been|then) (?:\w+ly )?(?:(?:add|analy[sz]|assess|calculat"
    r"|collect|compil|comput|conduct|construct|cultivat|cultur|divid|download|evaluat|examin|extract|harvest"
    r"|incubat|investigat|measur|mix|obtain|perform|plant|prepar|purchas|quantifi|record|replicat|sampl"
    r"|select|sequenc|stor|studi|survey|test|treat|us|wash|weigh)ed|carried out|grew|grown|sown)\b"
    r"|^Each \w+ (?:was|consisted|contained|received|had)\b"
)
_CAME_OF_IT = regex(
    r"\b(?:aims?|objectives?|purpose|goal|th(?:is|e present|e current) (?:study|paper|work|article|review)"
    r"|first|novel|show\w*|reveal\w*|f(?:ou|i)nd\w*|result\w*|indicat\w*|demonstrat\w*|suggest\w*"
    r"|confirm\w*|increas\w*|decreas\w*|declin\w*|reduc\w*|higher|lower|more|less|fewer|than|significan\w*"
    r"|identif\w+|associated|correlated|contribut\w*|because|lead\w*|led|caus\w*|improv\w*|enhanc\w*"
    r"|prevent\w*|half|most|although|whereas|but|however|therefore|thus|can|could|may|might|not|no)\b|\d ?%"
    # How many were studied.
    r"|\d (?:\w+ )?(?:patients|people|persons|participants|adults|children|women|men|volunteers|respondents"
    r"|individuals|students|pupils|households)\b",
    re.IGNORECASE,
)
# "To assess whether the lambs grow faster, the feed was …"
_WHAT_FOR = regex(
    r"(?:[Ii]n order t|T|t)o [a-z]+ .{3,250}?, (?=we |(?:the |an? )?[\w ()-]{3,60} (?:was|were) )"
)
_OF_ITSELF = regex(
    r"\b(?:[Ww]e|[Oo]ur|[Tt]h(?:is|e present|e current) (?:paper|study|article|work|review|report"
    r"|analysis|trial|research"
    r"|investigation|survey)|[Hh]ere(?:in)?|(?:aim|purpose|objective|goal|hypothes[ie]s)s?)\b"
)
_HELD = regex(r"(?:held ?: ?)?\(?\d\.? [A-Z]|held ?: ?[A-Z]", re.IGNORECASE)


def states(candidates: Candidates, kind: DocumentKind, can_be: BoolArray) -> dict[Statement, FloatArray]:
    """How clearly each sentence makes each statement of its kind of document, from 0 to 1.

    Args:
        candidates: The sentences.
        kind: The kind of document.
        can_be: Which sentences can be shown at all; of others nothing is known.
    """
    texts = [
        f" {sentence.text.lower()}" if is_shown else ""
        for sentence, is_shown in zip(candidates.sentences, can_be, strict=True)
    ]
    headings = [section_path(section) for section in candidates.sections]
    if kind is DocumentKind.DECISION:
        return _states_of_a_decision(candidates, texts, headings)
    clarity = {statement: _clarity(sign, texts, headings) for statement, sign in SIGNS.get(kind, {}).items()}
    if kind is DocumentKind.PAPER:
        finds = [FINDS.search(text) is not None for text in texts]
        clarity[Statement.FIGURES] *= (clarity[Statement.RESULT] >= _STATED) & np.array(finds, bool)
    return clarity


def _states_of_a_decision(
    candidates: Candidates, texts: Sequence[str], headings: Sequence[str]
) -> dict[Statement, FloatArray]:
    """The same of a decision: what the Court says, the case before the reasons."""
    roles = [section.role for section in candidates.sections]
    syllabus = [number for number, role in enumerate(roles) if role is SectionRole.SYLLABUS]
    first = held_first(candidates, syllabus)
    is_courts = np.array([role not in (SectionRole.CONCURRENCE, SectionRole.DISSENT) for role in roles])
    is_past_case = _is_past_case(candidates, first)
    places = {
        Statement.REASON: is_courts & is_past_case,
        Statement.CASE: is_courts & ~is_past_case,
        Statement.RULING: is_courts & ~is_past_case,
    }
    clarity = {}
    for statement, sign in SIGNS[DocumentKind.DECISION].items():
        place = places.get(statement, is_courts)
        there = [text if is_there else "" for text, is_there in zip(texts, place.tolist(), strict=True)]
        clarity[statement] = _clarity(sign, there, headings)
    # A syllabus numbers what was held.
    held = clarity[Statement.HOLDING]
    for number in syllabus:
        if _HELD.match(texts[number], 1):
            held[number] = 1.0
    if first:
        # What it says first was held is the answer; what it numbers after it are parts and reasons.
        held *= _A_PART_OF_IT
        held[first] = 1.0
    is_open = np.maximum(held, clarity[Statement.DISPOSITION]) < _STATED
    for statement in places:
        clarity[statement] *= is_open
    return clarity


def _is_past_case(candidates: Candidates, held: Sequence[int]) -> BoolArray:
    """Which sentences of syllabus and opinion stand past what tells the case; a syllabus first holds."""
    roles = [section.role for section in candidates.sections]
    is_courts = np.array([role is SectionRole.OPINION for role in roles], bool)
    place = np.cumsum(is_courts) / max(1, int(is_courts.sum()))
    found: BoolArray = is_courts & (place > _CASE_OF_AN_OPINION)
    if held:
        found |= np.array([role is SectionRole.SYLLABUS for role in roles]) & (
            np.arange(len(roles)) > held[0]
        )
    return found


def is_background(candidates: Candidates) -> BoolArray:
    """Which sentences of a paper introduce its field rather than itself, or tell procedures."""
    headings = [section_path(section) for section in candidates.sections]
    in_introduction = {heading: _INTRODUCTION.search(heading) is not None for heading in set(headings)}
    in_methods = {heading: _PROCEDURES.search(heading) is not None for heading in set(headings)}
    return np.array(
        [
            in_methods[heading] or (in_introduction[heading] and _OF_ITSELF.search(sentence.text) is None)
            for heading, sentence in zip(headings, candidates.sentences, strict=True)
        ],
        bool,
    )


def tells_procedure(text: str) -> bool:
    """Whether a sentence of a paper tells what was done, and not what came of it."""
    told = _WHAT_FOR.sub("", text)
    return _WAS_DONE.search(told) is not None and _CAME_OF_IT.search(told) is None


def _clarity(sign: Sign, texts: Sequence[str], headings: Sequence[str]) -> FloatArray:
    if sign.sections is None:
        in_section: Mapping[str, bool] = dict.fromkeys(headings, True)
    else:
        in_section = {heading: sign.sections.search(heading) is not None for heading in set(headings)}
    return np.array(
        [
            _clarity_of(sign, text, in_section[heading]) if text else 0.0
            for text, heading in zip(texts, headings, strict=True)
        ]
    )


def _clarity_of(sign: Sign, text: str, in_section: bool) -> float:
    # Quick tests: most sentences say nothing of the kind.
    may_say = not sign.words or any(map(text.__contains__, sign.words))
    if sign.plain is None and not (may_say and (in_section or not sign.needs_section)):
        return 0.0
    is_vague = in_section and sign.vague is not None and sign.vague.search(text) is not None
    if sign.unless is not None and sign.unless.search(text):
        return _VAGUELY * is_vague
    if sign.plain is not None and sign.plain.search(text):
        return 1.0
    if may_say and (in_section or not sign.needs_section) and sign.wording.search(text):
        return 1.0 if in_section else 0.5
    return _VAGUELY * is_vague
