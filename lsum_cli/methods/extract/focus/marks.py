"""What meetings and releases mark and a request asks for: decisions and tasks, what breaks, what is new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.conversations.resolutions import Mark, read_minutes
from lsum_cli.methods.extract.kinds import DocumentKind, SourceKind
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import BoolArray


class Marked(NamedTuple):
    """What is marked as one of the things that a request asks for.

    Attributes:
        asks: The words that ask for it.
        is_it: Whether each sentence is.
    """

    asks: re.Pattern[str]
    is_it: BoolArray


def _asking(words: str) -> re.Pattern[str]:
    return regex(rf"\b(?:{words})\b", re.IGNORECASE)


# In the order in which a request is looked through.
_OF_A_MEETING = {
    Mark.ACTION: _asking(
        r"actions?(?: items?| points?)?|to-?dos?|tasks?|next steps?|follow-?ups?|assign(?:ed|ments?)"
        r"|(?:have|has|need|needs|am|are|is|want) (?:\w+ )?to do|(?:will |should )?(?:do|does|doing) what"
        r"|(?:do|done) by whom|responsib(?:le|ilit(?:y|ies))"
    ),
    Mark.OPEN: _asking(
        r"open(?: (?:questions?|points?|issues?|items?))?|unresolved|undecided|deferred|postponed|pending"
        r"|outstanding|not (?:yet )?(?:decided|settled|resolved|agreed)"
    ),
    Mark.DECISION: _asking(
        r"decisions?|decide[sd]?|agree(?:d|ments?)?|resol(?:ved|utions?)|settled|outcomes?|conclusions?"
        r"|concluded|vot(?:es?|ed)|approved|results?"
    ),
}
# What asks for decisions and names no subject.
_ANY_DECISION = regex(
    r"(?:(?:what|which|were|was|are|any|there|the|did|do|does|they|we|group|team|meeting|committee|people|everyone"
    r"|participants|has|have|had|been|final|finally|main|key|important|made|taken|reached|on|in|at|upon|of|this"
    r"|it|a|all|list|please) )*"
    r"(?:decisions?|decide[sd]?|agree[sd]?|agreements?|resolved|resolutions?|settled|vote[sd]?|approved)"
    r"(?: (?:on|upon|by|in|at|the|group|team|meeting|committee|this|here|made|taken|reached|were|was|are"
    r"|people|and|why))*",
    re.IGNORECASE,
)
_OF_A_RELEASE = {
    "Breaking": _asking(r"break(?:s|ing)?(?: changes?)?|broken|(?:backwards? )?(?:in)?compatib\w+"),
    "Security": _asking(r"security(?: fix(?:es)?| issues?)?|vulnerabilit(?:y|ies)|cves?"),
    "Known issue": _asking(r"known (?:issues?|problems?|bugs?|limitations?)"),
    "Deprecated": _asking(r"deprecat(?:e[sd]?|ions?)"),
    "Removed": _asking(r"remov(?:e[sd]?|als?)|dropped|gone"),
    "Upgrade": _asking(
        r"(?:upgrad|migrat|updat)(?:es?|ed|ing|ions?)(?: notes?)?|(?:have|has|need) to (?:do|change)"
        r"|must (?:i|we) (?:do|change)|requirements?"
    ),
    "New": _asking(r"(?:new|added)(?: features?)?|features?|additions?|improve(?:ments?|d)"),
    "Fix": _asking(r"(?:bug ?)?fix(?:es|ed)?|bugs?"),
}


def marked(request: str, candidates: Candidates, structure: Structure) -> Iterator[Marked]:
    """What a request asks for of what a meeting or a release marks, where anything is marked so.

    Args:
        request: What is asked, in English.
        candidates: The sentences.
        structure: What is known of them.
    """
    if structure.document_kind is DocumentKind.NOTES:
        yield from _of_a_release(request, candidates, structure)
    elif structure.document_kind is DocumentKind.OTHER or structure.source_kind is SourceKind.CONVERSATION:
        yield from _of_a_meeting(request, candidates, structure)


def asks_only_for_decisions(request: str) -> bool:
    """Whether a request asks for the decisions and names no subject."""
    return _ANY_DECISION.fullmatch(request.strip(" \t?.!:")) is not None


def _of_a_meeting(request: str, candidates: Candidates, structure: Structure) -> Iterator[Marked]:
    asked = {mark: asks for mark, asks in _OF_A_MEETING.items() if asks.search(request) is not None}
    if not asked:
        return
    found: dict[Mark, set[int]] = {mark: set() for mark in Mark}
    if structure.source_kind is SourceKind.CONVERSATION:
        from lsum_cli.methods.extract.conversations.commitments import commitments

        for row, mark in commitments(candidates, np.flatnonzero(structure.is_presentable).tolist()):
            found[mark].add(row)
    else:
        from lsum_cli.methods.extract.conversations.recognition import are_minutes

        if are_minutes(candidates, structure.document_kind):
            for item in read_minutes(candidates).items:
                # What stands before a task is none.
                found[item.mark].update(item.positions)
    for mark, asks in asked.items():
        if asks.search(request) is not None and found[mark]:
            is_it = np.zeros(len(candidates), bool)
            is_it[sorted(found[mark])] = True
            yield Marked(asks, is_it)
            # "Not decided" asks for no decision.
            request = asks.sub(" ", request)


def _of_a_release(request: str, candidates: Candidates, structure: Structure) -> Iterator[Marked]:
    asked = {label: asks for label, asks in _OF_A_RELEASE.items() if asks.search(request) is not None}
    if not asked:
        return
    from lsum_cli.methods.extract.listed_changes.change import plain_change
    from lsum_cli.methods.extract.listed_changes.changes import changes_of
    from lsum_cli.methods.extract.listed_changes.kinds import FIXES, KINDS, kind_by_verb, label_of

    changes = changes_of(candidates, structure.stands_alone)
    for label, asks in asked.items():
        is_it = np.zeros(len(candidates), bool)
        for change in changes:
            text = candidates.sentences[change.row].text
            heading = candidates.sections[change.row].heading or ""
            labels = [KINDS[change.kind][1], label_of(change.kind, text, heading)]
            if kind_by_verb(plain_change(text), change.kind) == FIXES:
                # "Fixed a crash …" is a fix under "Added" too.
                labels.append(KINDS[FIXES][1])
            if change.speaks is not None and label in labels:
                is_it[list(change.shown)] = True
        if asks.search(request) is not None and is_it.any():
            yield Marked(asks, is_it)
            # "Security fixes" asks for no other ones.
            request = asks.sub(" ", request)
