"""What a request asks of a document of its kind: of a decision what was held, of a paper what was found.

Such a request ("What did the court decide and why?", "main results", "drawbacks") names what the document is
expected to state (:mod:`lsum_cli.methods.extract.sentences.statements`) by words that its sentences need not
have: they say "We affirm" and never "decided". What else it names says what the statement should be about.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from lsum_cli.documents import PATH_BREAK, SectionRole
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.focus.aspects import ASPECTS, OF_ANY, OF_THE_DOCUMENT, Aspect
from lsum_cli.methods.extract.focus.headings import under_heading_of
from lsum_cli.methods.extract.focus.marks import Marked, marked
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind, is_heading_of_form, section_path
from lsum_cli.methods.extract.sentences.statement_wording import SIGNS, Sign, Statement
from lsum_cli.methods.extract.sentences.statements import states
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray, is_function_word, question_terms, split_terms

# A result in figures tells less of what was found than one in words.
_OF_FIGURES = 0.6
# The shares of an opinion that tell the case, and past which it ends.
_CASE, _END = 0.3, 0.9


# How surely what stands under a heading that asks the same in other words, or is about that, answers.
_IN_OTHER_WORDS, _OF_A_HEADING = 0.8, 0.5
# In more sentences than this vague wording says too much, unless a heading tells where to look.
_LONG = 150
# "Known problems" are problems.
_KNOWN = regex(r"^(?:known|common|main|key|our|some|other) ", re.IGNORECASE)
# What asks for the whole: not for a part of it.
_DOCUMENT = r"(?:document|text|paper|article|report|page|book|case|opinion|proposal|study|post|file)"
_OF_THE_WHOLE = regex(
    r"(?:(?:please )?(?:give|tell|show) me )?(?:an? |the )?"
    r"(?:brief |short |quick |general |main |key |overall )*"
    r"(?:summar(?:y|ies|ise|ize)|gist|overview|tl;?dr|(?:main |key |most important |central )"
    r"(?:points?|ideas?|messages?|takeaways?|things?|facts?|insights?)|takeaways?|essence|in (?:short|brief))"
    rf"(?: of (?:it|this|(?:this|the) {_DOCUMENT}))?"
    rf"|what(?:['’]s| is| does)? (?:it|this|(?:this|the) {_DOCUMENT})(?: all)? (?:about|say|saying|for)"
    r"(?: in short)?",
    re.IGNORECASE,
)
_HAPPENED = regex(
    r"(?:so |and )?what(?:['’]s| is| has)? (?:actually |really )?(?:happen(?:s|ed|ing)|going on|went on)"
    r"(?: (?:here|there|exactly))?|(?:the )?(?:whole )?(?:story|plot)",
    re.IGNORECASE,
)
# What asks for several things.
_SEVERAL = regex(r"\b(?:and|or|also)\b|[,;&]", re.IGNORECASE)


class Basis(enum.Enum):
    """By what it is known that a sentence answers: its kind of document, mark, mere wording, or judge."""

    STATED = enum.auto()
    SEPARATE = enum.auto()
    MARKED = enum.auto()
    WORDED = enum.auto()


class Answer(NamedTuple):
    """What answers one of the things that a request asks.

    Attributes:
        words: The words that ask for it.
        clarity: How clearly each sentence states it, from 0 to 1.
        is_there: Whether each stands where it is told, 0 or 1.
        headed: How surely each stands under a heading that asks the same, from 0 to 1.
        basis: By what it is known; of what is marked all answers.
    """

    words: str
    clarity: FloatArray
    is_there: FloatArray
    headed: FloatArray
    basis: Basis = Basis.STATED


@dataclass(frozen=True, eq=False, kw_only=True)
class Asked:
    """The statements that a request asks for.

    Attributes:
        answers: What answers each of the things that it asks, one after the other; at least one.
        rest: What else it names; empty where it names nothing else.
        is_by_place: Whether the place tells more than the wording, as of a proposal with its sections.
    """

    answers: tuple[Answer, ...]
    rest: str
    is_by_place: bool

    @property
    def clarity(self) -> FloatArray:
        """How clearly each sentence states any of them."""
        clarity: FloatArray = np.maximum.reduce([answer.clarity for answer in self.answers])
        return clarity

    @property
    def is_there(self) -> FloatArray:
        """Whether each sentence stands where any of them is told."""
        is_there: FloatArray = np.maximum.reduce([answer.is_there for answer in self.answers])
        return is_there


def asks_for_the_whole(focus: str, candidates: Candidates, structure: Structure) -> bool:
    """Whether a request asks for a summary of all there is, as "main points" does.

    So does "what happened", but for a decision, which tells the facts of the case apart, and where that is a
    heading.
    """
    asked = focus.strip(" \t?.!:")
    if _OF_THE_WHOLE.fullmatch(asked) is not None:
        return True
    return (
        structure.document_kind is DocumentKind.OTHER
        and _HAPPENED.fullmatch(asked) is not None
        and not under_heading_of(focus, candidates).any()
    )


def names_aspect(focus: str) -> bool:
    """Whether a request names what documents of some kind tell, as "why" and "how did they do it" do."""
    lists = (OF_ANY, *ASPECTS.values())
    return any(aspect.asks.search(focus) is not None for aspects in lists for aspect in aspects)


def asked_statements(focus: str, candidates: Candidates, structure: Structure) -> Asked | None:
    """What a request asks of the kind of document.

    Of a document of no kind that states anything certain what papers state is asked, if nothing else is.

    Args:
        focus: The request, in English.
        candidates: The sentences.
        structure: What is known of them.

    Returns:
        ``None`` where it names no statement, or none is made.
    """
    is_other = structure.document_kind is DocumentKind.OTHER
    kind = DocumentKind.PAPER if is_other else structure.document_kind
    marks = list(marked(focus, candidates, structure))
    rest = _without(focus, [mark.asks for mark in marks])
    asked: list[Aspect] = []
    for aspects in _lists_of(structure):
        found = [aspect for aspect in aspects if aspect.asks.search(rest) is not None]
        rest = _without(rest, [aspect.asks for aspect in found])
        asked += found
    rest = OF_THE_DOCUMENT[kind].sub(" ", rest)
    if all(map(is_function_word, split_terms(rest))) or not question_terms(rest, "en"):
        rest = ""
    elif is_other:
        asked = []
    else:
        asked = [aspect for aspect in asked if aspect not in OF_ANY]
    asks_several = _SEVERAL.search(focus) is not None
    if marks and not asks_several:
        asked = []
    found_answers = [_answer_marked(mark, focus, candidates) for mark in marks]
    found_answers += _answers(asked, focus, candidates, structure, asks_several=asks_several)
    if not found_answers:
        return None
    made = Asked(answers=tuple(found_answers), rest=rest, is_by_place=kind is DocumentKind.PROPOSAL)
    if asks_several and not rest:
        return made
    headed = np.maximum.reduce([answer.headed for answer in found_answers])
    if not (marks or made.is_by_place):
        headed = np.maximum(headed, under_heading_of(focus, candidates))
    basis = found_answers[0].basis
    whole = Answer(focus, made.clarity, made.is_there, headed, basis)
    return replace(made, answers=(whole,))


def _without(text: str, patterns: Sequence[re.Pattern[str]]) -> str:
    """A text without what any of these patterns finds in it."""
    kept = list(text)
    for pattern in patterns:
        for found in pattern.finditer(text):
            kept[found.start() : found.end()] = " " * (found.end() - found.start())
    return "".join(kept)


def _lists_of(structure: Structure) -> tuple[Sequence[Aspect], ...]:
    """What may be asked of a document of a kind; each time of the words of a request that are left."""
    kind = structure.document_kind
    if structure.source_kind is SourceKind.CONVERSATION:
        # What people say to one another has the wording of anything anywhere.
        return ()
    if kind is DocumentKind.OTHER:
        return OF_ANY, ASPECTS[DocumentKind.PAPER]
    if kind in (DocumentKind.PAPER, DocumentKind.NOTES):
        return ASPECTS.get(kind, ()), OF_ANY
    return (ASPECTS[kind],)


def _answers(
    asked: Sequence[Aspect],
    focus: str,
    candidates: Candidates,
    structure: Structure,
    *,
    asks_several: bool,
) -> list[Answer]:
    """What answers each of these aspects, where anything does."""
    is_other = structure.document_kind is DocumentKind.OTHER
    kind = DocumentKind.PAPER if is_other else structure.document_kind
    if any(aspect.separate for aspect in asked):
        asked = [aspect for aspect in asked if aspect.separate]
    elif not asks_several and any(aspect.is_why for aspect in asked):
        asked = [aspect for aspect in asked if aspect.is_why]
    is_stated = is_other and any(aspect.statements for aspect in asked)
    statements = states(candidates, kind, structure.is_presentable) if is_stated else structure.statements
    answer = _answer_in_decision if kind is DocumentKind.DECISION else _answer_under_headings
    found = [answer(aspect, focus, candidates, structure, statements) for aspect in asked]
    if len(candidates) > _LONG:
        is_vague = [aspect.is_vague for aspect in asked]
        found = [each for each, vague in zip(found, is_vague, strict=True) if each.headed.any() or not vague]
    # What clearly states something else does not answer by its place, unless the place tells more.
    others = {*statements} - {statement for aspect in asked for statement in aspect.statements}
    if kind is DocumentKind.PROPOSAL or any(aspect.separate or aspect in OF_ANY for aspect in asked):
        others = set()
    for statement in others:
        for each in found:
            each.is_there[statements[statement] > each.clarity] = 0
    return [each for each in found if each.clarity.any() or each.is_there.any() or each.headed.any()]


def _answer_marked(mark: Marked, focus: str, candidates: Candidates) -> Answer:
    words = " ".join(found.group() for found in mark.asks.finditer(focus))
    is_it = np.maximum(mark.is_it, under_heading_of(words, candidates))
    return Answer(words, is_it, is_it, np.zeros(len(is_it)), basis=Basis.MARKED)


def _answer_under_headings(
    aspect: Aspect,
    focus: str,
    candidates: Candidates,
    structure: Structure,
    statements: Mapping[Statement, FloatArray],
) -> Answer:
    """What answers an aspect of a paper or a proposal, whose headings say where it is told."""
    is_proposal = structure.document_kind is DocumentKind.PROPOSAL
    signs = SIGNS[DocumentKind.PROPOSAL if is_proposal else DocumentKind.PAPER]
    headings = [section_path(section) for section in candidates.sections]
    patterns = [aspect.sections] if aspect.sections else [signs[each].sections for each in aspect.statements]
    there = {
        heading: any(pattern.search(heading) for pattern in patterns if pattern) for heading in set(headings)
    }
    clarity = _clarity(aspect, signs, candidates, statements)
    words = _words(aspect, focus)
    is_there = np.array([there[heading] for heading in headings], float)
    if is_proposal:
        # Their headings have no more to tell than where each thing stands.
        return Answer(words, clarity, is_there, np.zeros(len(is_there)))
    headed = under_heading_of(words, candidates)
    if aspect in OF_ANY:
        # Only papers and proposals have headings that say little of what stands under them.
        headed = np.maximum(headed, _OF_A_HEADING * is_there)
    asks = {heading: _asks_the_same(aspect, heading) for heading in set(headings)}
    headed = np.maximum(headed, [asks[heading] for heading in headings])
    return Answer(words, clarity, is_there, headed, Basis.WORDED if aspect in OF_ANY else Basis.STATED)


def _asks_the_same(aspect: Aspect, path: str) -> float:
    """How surely any of the headings above a sentence asks in other words for what an aspect is."""
    return _IN_OTHER_WORDS * any(
        aspect.asks.fullmatch(_KNOWN.sub("", heading)) is not None and not is_heading_of_form(heading)
        for heading in path.split(PATH_BREAK)
    )


def _answer_in_decision(
    aspect: Aspect,
    focus: str,
    candidates: Candidates,
    structure: Structure,
    statements: Mapping[Statement, FloatArray],
) -> Answer:
    """What answers an aspect of a decision: what the Court says of the case first, then of its reasons."""
    roles = [section.role for section in candidates.sections]
    words = _words(aspect, focus)
    if aspect.separate:
        # Where nobody dissents, who concurs in the judgment alone disagrees most.
        is_made = not {*aspect.separate}.isdisjoint(roles)
        theirs = aspect.separate if is_made else (SectionRole.DISSENT, SectionRole.CONCURRENCE)
        is_theirs = np.array([role in theirs for role in roles], float)
        basis = Basis.SEPARATE if is_made else Basis.STATED
        return Answer(words, structure.theses * is_theirs, is_theirs, np.zeros(len(roles)), basis)
    is_courts = np.array([role is SectionRole.OPINION for role in roles], bool)
    place = np.cumsum(is_courts) / max(1, int(is_courts.sum()))
    if Statement.REASON in aspect.statements:
        is_there = place > _CASE
    elif Statement.DISPOSITION in aspect.statements:
        is_there = place > _END
    else:
        is_there = place <= _CASE
    clarity = _clarity(aspect, SIGNS[DocumentKind.DECISION], candidates, statements)
    return Answer(words, clarity, np.asarray(is_there & is_courts, float), np.zeros(len(roles)))


def _words(aspect: Aspect, focus: str) -> str:
    return " ".join(found.group() for found in aspect.asks.finditer(focus))


def _clarity(
    aspect: Aspect,
    signs: Mapping[Statement, Sign],
    candidates: Candidates,
    statements: Mapping[Statement, FloatArray],
) -> FloatArray:
    """How clearly each sentence states what an aspect asks for."""
    clarity = np.zeros(len(candidates))
    for statement in aspect.statements:
        share = _OF_FIGURES if statement is Statement.FIGURES else 1.0
        np.maximum(clarity, share * statements.get(statement, np.zeros(1)), out=clarity)
    if aspect.wording is not None:
        found = [aspect.wording.search(sentence.text) is not None for sentence in candidates.sentences]
        np.maximum(clarity, found, out=clarity)
    if aspect.statements and not clarity.any():
        # Where no heading tells where it is stated, what an opening says in its wording states it.
        texts = [f" {each.text.lower()}" for each in candidates.sentences[: round(_CASE * len(candidates))]]
        for statement in aspect.statements:
            found = [signs[statement].wording.search(text) is not None for text in texts]
            clarity[: len(found)] = np.maximum(clarity[: len(found)], found)
    return clarity
