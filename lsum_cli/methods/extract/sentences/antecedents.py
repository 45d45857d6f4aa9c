"""The antecedents of sentences: those before it that each must be quoted with to be understood."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.sentences.anaphora import AnaphoraRules
from lsum_cli.methods.extract.sentences.presentability import (
    CLOSING_MARKS,
    SHORTEST,
    SHORTEST_AFTER_ANOTHER,
    STOPS,
    Presentability,
)
from lsum_cli.methods.extract.sentences.presentability import is_presentable as is_form_presentable
from lsum_cli.methods.extract.sentences.trimming import begin
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray, IntArray

# Sentences before one that may be taken with it as antecedents; one that needs more is not taken at all.
_MOST_ANTECEDENTS = 2
_LEAST_OF_AN_OPENING = 5  # words
_OF_ITSELF = regex(
    r"(?:This|These) (?!is\b|was\b|are\b|were\b|means\b|can\b|will\b)[a-z][\w-]+ "
    r"|Diese[rs]? [A-ZÄÖÜ]|(?:Cet|Cette|Ce) [a-z]"
)
# "Datatypes are advisory."; "Every field has a widget."; a name, or all things of a kind, and what they are.
_SAYS_OF_A_NAME = regex(
    r"(?:(?:Every|All|Each|Most) [a-z]+|(?!(?:It|Th|He|She|We|I|You|One|Both|Some|Others?|Another|There|Here"
    r"|So|But"
    r"|And|Or|If|In|On|At|To|As|No|Not|Yes|Now|Then|When|What|Note|See|Please|Only|Also|Such"
    r"|Same)\b)[A-Z][\w.-]+"
    r"(?: [\w.-]+){0,2}) (?:is|are|has|have|can|must|uses?|supports?|requires?|provides?|allows?|returns?)\b"
)
# What is said of the entry above it, without naming it: "Must be positive."; "Returns the number of …".
_NO_SUBJECT = regex(
    r"(?:Can|Must|May|Should|Will|Cannot) (?:also |only |not |optionally )?(?:be|take|have|accept|contain|use"
    r"|return|include|raise|specify)\b"
    r"|(?:Returns|Accepts|Takes|Yields|Declares|Specifies|Indicates|Determines|Controls|Sets|Enables|Disables"
    r"|Defines|Describes|Contains|Creates|Removes|Prints|Selects|Gives|Stores|Holds|Tells)"
    r" (?:an?|the|all|only|whether|either|one|that|how|which|what|if|True|False|None)\b"
    r"|(?:Is|Are|Was|Has|Does) [^?]*\.$"
    r"|Raises (?:an?|the|[A-Z]\w+(?:Error|Exception|Warning))\b|Defaults to\b|Inherits (?:from|the|all)\b"
    r"|(?:Equivalent|Identical|Similar) to [^,]+\.$|Same as [^,]+\.$|Like [^,]+, (?:but|except)\b"
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Antecedents:
    """The antecedents of the sentences of a source; one value per sentence.

    Attributes:
        connective: Length of the connective without which it needs no antecedent; 0 for none.
        refers_back: Whether a word within it refers back.
        before: The sentence before it in its section, past references between them; -1 if there is none.
        first: The first of the sentences that it is taken with: itself, or up to two before it; -1
            where its antecedent cannot be shown, and it is not taken.
        first_under_heading: The same for where its section begins, under the heading, which says what
            "This is a list of …" is about.
        first_by_opening: The same if only its opening counts, and no word within it that refers back.
    """

    connective: IntArray
    refers_back: BoolArray
    before: IntArray
    first: IntArray
    first_under_heading: IntArray
    first_by_opening: IntArray

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        presentability: Presentability,
        is_presentable: BoolArray,
        anaphora: AnaphoraRules | None,
        *,
        is_prose: bool,
        has_entries: bool,
        has_short_statements: bool,
        is_question: BoolArray | None,
    ) -> Antecedents:
        """Find the antecedents.

        Args:
            candidates: The sentences.
            presentability: What their form says.
            is_presentable: Which of them can be shown.
            anaphora: What makes one need an antecedent; without rules only short ones do.
            is_prose: Whether a sentence may be shown without its connective.
            has_entries: Whether a sentence without a subject is about the entry above it.
            has_short_statements: Whether a short statement of what it names stands alone, as in guides.
            is_question: Which ask what a court is asked: that introduces what it asks about.
        """
        before = _before(candidates, presentability.is_reference)
        opens_section = _opens_section(candidates, before)
        may_be_short = opens_section.copy()
        if has_short_statements:
            may_be_short |= _says_of_a_name(candidates)
        continues = _continues(candidates, presentability, may_be_short, anaphora)
        connective = (
            _connectives(candidates, presentability, continues, anaphora)
            if is_prose
            else np.zeros(len(candidates), np.int64)
        )
        continues &= connective == 0
        if has_entries:
            continues |= _has_no_subject(candidates, presentability) & (before >= 0)
        refers_back = presentability.refers_back.copy()
        if is_question is not None:
            refers_back &= ~is_question
        opening = _opening_of_itself(candidates, is_presentable)
        if opening is not None:
            continues[opening] = refers_back[opening] = False
        is_lead = refers_back & opens_section & _is_in_first_section(candidates)
        if is_lead.any() and candidates.is_of_events:
            # Nothing stands before the lead of news that a word within it could refer to.
            refers_back &= ~is_lead
        is_guide = has_entries and not candidates.is_of_events
        of_code = _says_of_code(candidates, presentability, before, anaphora, is_guide=is_guide)
        continues |= of_code
        needs = continues | refers_back
        # What is left out stands before them.
        shown_before = np.where(of_code, -1, before)
        needs_heading = _is_of_heading(candidates, before, needs & ~of_code, anaphora)
        return cls(
            connective=connective,
            refers_back=refers_back,
            before=before,
            first=_first(shown_before, is_presentable, needs),
            first_under_heading=_first(shown_before, is_presentable, needs & ~needs_heading),
            first_by_opening=_first(shown_before, is_presentable, continues),
        )


def _before(candidates: Candidates, is_reference: BoolArray) -> IntArray:
    """For each sentence the one before it in its section, past references; -1 where there is none."""
    indices = np.array([sentence.index for sentence in candidates.sentences], np.int64)
    follows = np.zeros(len(candidates), bool)
    follows[1:] = (np.diff(indices) == 1) & (np.diff(candidates.section) == 0)
    before = np.where(follows, np.arange(len(candidates)) - 1, -1)
    for position in np.flatnonzero(is_reference).tolist():
        if position + 1 < len(before) and before[position + 1] == position:
            before[position + 1] = before[position]
    return before


def _continues(
    candidates: Candidates,
    presentability: Presentability,
    may_be_short: BoolArray,
    anaphora: AnaphoraRules | None,
) -> BoolArray:
    """Whether each sentence continues from the one before, as short ones do but for those that may be so."""
    continues = presentability.continues.copy()
    is_short = (candidates.num_words >= _LEAST_OF_AN_OPENING) & (candidates.num_words < SHORTEST)
    for position in np.flatnonzero(continues & is_short & may_be_short).tolist():
        continues[position] = anaphora is not None and anaphora.needs_antecedent(
            candidates.sentences[position].text
        )
    return continues


def _says_of_a_name(candidates: Candidates) -> BoolArray:
    """Whether each sentence says something of what it names first: "Legato is indicated by slurs."."""
    return np.array([_SAYS_OF_A_NAME.match(each.text) is not None for each in candidates.sentences], bool)


def _opens_section(candidates: Candidates, before: IntArray) -> BoolArray:
    """Whether nothing but lines without a stop stands between a sentence and its heading: dates, bylines."""
    opens = before < 0
    for position in np.flatnonzero(before >= 0).tolist():
        previous = int(before[position])
        text = candidates.sentences[previous].text.rstrip(CLOSING_MARKS)
        opens[position] = opens[previous] and not text.endswith((*STOPS, "?", ":"))
    return opens


def _is_in_first_section(candidates: Candidates) -> BoolArray:
    """Whether each sentence is in the section with which its document begins."""
    starts = np.concatenate(([True], candidates.document[1:] != candidates.document[:-1]))
    first: BoolArray = candidates.section == np.maximum.accumulate(np.where(starts, candidates.section, 0))
    return first


def _has_no_subject(candidates: Candidates, presentability: Presentability) -> BoolArray:
    """Whether each sentence says something of an entry that stands before it, without naming it."""
    return np.array(
        [
            _NO_SUBJECT.match(sentence.text, offset) is not None
            for sentence, offset in zip(candidates.sentences, presentability.offset.tolist(), strict=True)
        ],
        bool,
    )


def _says_of_code(
    candidates: Candidates,
    presentability: Presentability,
    before: IntArray,
    anaphora: AnaphoraRules | None,
    *,
    is_guide: bool,
) -> BoolArray:
    """Whether each sentence says something of code that is left out, above it or, in a guide, below it."""
    found = np.zeros(len(candidates), bool)
    for position, sentence in enumerate(candidates.sentences):
        if anaphora is None or not (is_guide or sentence.follows_code):
            continue
        text = sentence.text[int(presentability.offset[position]) :]
        previous = candidates.sentences[before[position]].text if before[position] >= 0 else ""
        found[position] = (sentence.follows_code and anaphora.says_of_code(text, previous)) or (
            is_guide and anaphora.counts_code(text, previous)
        )
    return found


def _is_of_heading(
    candidates: Candidates, before: IntArray, needs: BoolArray, anaphora: AnaphoraRules | None
) -> BoolArray:
    """Whether a sentence that begins a section needs no antecedent but its heading."""
    found = np.zeros(len(candidates), bool)
    for position in np.flatnonzero(needs & (before < 0)).tolist():
        found[position] = anaphora is not None and anaphora.needs_only_heading(
            candidates.sentences[position].text, candidates.sections[position].heading or ""
        )
    return found


def _connectives(
    candidates: Candidates,
    presentability: Presentability,
    continues: BoolArray,
    anaphora: AnaphoraRules | None,
) -> IntArray:
    """The length of the connective without which each sentence needs no antecedent; 0 where it has none."""
    lengths = np.zeros(len(candidates), np.int64)
    if anaphora is None:
        return lengths
    for position in np.flatnonzero(continues & (candidates.num_words > SHORTEST)).tolist():
        text = candidates.sentences[position].text[int(presentability.offset[position]) :]
        before = candidates.sentences[position - 1].text if position else ""
        length = anaphora.connective_length(text, before)
        # "But free in the sense that …" is no sentence without it.
        if length and is_form_presentable(begin(text[length:])):
            lengths[position] = length
    return lengths


def _opening_of_itself(candidates: Candidates, is_presentable: BoolArray) -> int | None:
    """The first sentence of a document where it says what the document, or its subject, is.

    "This library reads …" refers to the title: there is nothing else before it.
    """
    shown = np.flatnonzero(is_presentable)
    if not len(shown) or len({*candidates.document.tolist()}) > 1:
        return None
    first = int(shown[0])
    before = (sentence.text.rstrip(CLOSING_MARKS) for sentence in candidates.sentences[:first])
    if any(text.endswith((*STOPS, "?")) and len(text.split()) >= SHORTEST_AFTER_ANOTHER for text in before):
        return None
    return first if _OF_ITSELF.match(candidates.sentences[first].text) else None


def _first(before: IntArray, is_presentable: BoolArray, needs: BoolArray) -> IntArray:
    """For each sentence the first that it must be taken with; -1 where that is not possible."""
    first = np.arange(len(before))
    for position in np.flatnonzero(needs).tolist():
        earliest, count = position, 0
        while needs[earliest] and count < _MOST_ANTECEDENTS:
            previous = int(before[earliest])
            if previous < 0 or not is_presentable[previous]:
                break
            earliest, count = previous, count + 1
        first[position] = -1 if needs[earliest] else earliest
    return first
