"""Release notes by kind of change: what is new, what an upgrade needs, what is fixed.

A release has a few changes that everybody should know of and many that few will notice. Its notes say which
is which by their labels, by the room that they give to each, and by what they call it; a summary lists the
first and counts the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import plain_heading
from lsum_cli.methods.extract.structure import Structure
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray

# The kinds of change in the order in which a reader wants them: heading, labels, share of the room.
_KINDS: Sequence[tuple[str, str, float]] = (
    ("Overview", r"prelude|overview|highlights?|summary", 0.4),
    ("Security", r"security(?: issues?| fix(?:es)?| updates?| notes?)?|vulnerabilit(?:y|ies)|cves?", 0.15),
    (
        "New features",
        r"(?:new )?features?|added|additions?|new(?: in this release)?|enhancements?|improve(?:d"
        r"|ments?)|what['’]s new",
        0.45,
    ),
    (
        "Upgrade notes",
        r"upgrad(?:e|ing)(?: notes?| impact)?|breaking(?: changes?)?|changed|changes|api changes?"
        r"|critical(?: issues?)?|migration"
        r"|removed|removals?|backwards? incompatib\w+(?: changes)?|incompatible changes"
        r"|important(?: notes?)?",
        0.25,
    ),
    ("Deprecations", r"deprecat(?:ions?|ed)(?: notes?| features?)?", 0.15),
    ("Known issues", r"(?:known )?issues?|known (?:bugs|problems)|limitations", 0.1),
    ("Bug fixes", r"(?:bug ?)?fix(?:es|ed)?|bugs?(?: fixe[sd])?|resolved(?: issues)?|bug ?fixes", 0.2),
    ("Other changes", r"others?(?: notes?| changes?)?|misc(?:ellaneous)?|internal|documentation|docs", 0.05),
)
_LABELS = tuple(regex(rf"(?:{labels})", re.IGNORECASE) for _, labels, _ in _KINDS)
_LABEL = regex(
    r"(?:[-*•] )?(?P<label>[A-Za-z]+(?: [a-z]+){0,2}) ?: ?(?=[\[A-Z“\"'`(_a-z0-9/-])", re.IGNORECASE
)
# A sentence that runs on into the next item for want of a stop.
_RUNS_ON = regex(
    r"(?<=[^\s.]) (?:Feature|Fix|Upgrade|Security|Deprecation|Other|Issue|Prelude|Critical"
    r"|Deprecated)s?: [A-Z\[]"
)
_MINOR = regex(
    r"\b(?:typos?|unit ?tests?|ci\b|gate|refactor\w*|log(?:ging)? level|docs?|documentation|minor"
    r"|cosmetic|warnings?|deprecationwarning"
    r"|pep ?8|lint\w*|error messages?|bump(?:s|ed)?)\b",
    re.IGNORECASE,
)
_MAJOR = regex(
    r"\b(?:now supports?|support(?:s)? (?:for|has been|was)|adds? (?:new |initial |full )?support"
    r"|introduc\w+|new (?:api|driver|feature|\w+ type|service|command)"
    r"|it is now possible|can now|allows?|cve-\d+|vulnerab\w+|no longer support\w*"
    r"|minimum (?:required )?version|requires?|default\w*|removed"
    r"|python [23]|microversion|blueprint|experimental)\b",
    re.IGNORECASE,
)
_TITLE_OF_A_FIX = regex(r"(?:bug|fix|lp|story|closes)\b", re.IGNORECASE)
_LEAST_LABELLED = 0.5
# Words of a sentence that says what changed: shorter says little, longer is detail.
_SHORT, _LONG = 10, 40


@dataclass(frozen=True, kw_only=True)
class Change:
    """An item of release notes: the position of its first sentence, its kind, and its weight."""

    position: int
    kind: int
    weight: float


@dataclass(frozen=True, kw_only=True)
class ChangeGroup:
    """The changes of one kind: heading, positions of the quoted sentences, number of all items."""

    heading: str
    positions: tuple[int, ...]
    count: int


def find_changes(candidates: Candidates, structure: Structure) -> list[Change]:
    """The items of release notes; none where fewer than half of the paragraphs tell their kind."""
    kinds = _kind_of_items(candidates)
    starts = [number for number, kind in enumerate(kinds) if kind >= 0]
    openings = np.flatnonzero(candidates.opens_paragraph).tolist()
    labelled = sum(kinds[number] >= 0 or _kind_of_heading(candidates, number) >= 0 for number in openings)
    if not starts or labelled < _LEAST_LABELLED * len(openings):
        return []
    bounds = [*starts[1:], len(candidates)]
    in_document = np.bincount(candidates.document[starts], minlength=int(candidates.document.max()) + 1)
    changes = []
    for start, end in zip(starts, bounds, strict=True):
        words = int(candidates.num_words[start:end].sum())
        text = candidates.sentences[start].text[int(structure.offset[start]) :]
        title = candidates.titles[start]
        length = int(candidates.num_words[start])
        weight = (
            np.log1p(min(words, 200))
            + 0.8 * (_MAJOR.search(text) is not None)
            - 1.0 * (_MINOR.search(text) is not None)
            - 0.6 * (_TITLE_OF_A_FIX.match(title) is not None)
            + 0.3 * min(3, int(in_document[candidates.document[start]]))
            - 0.08 * max(0, _SHORT - length)
            - 0.03 * max(0, length - _LONG)
        )
        is_quotable = structure.is_presentable[start] and structure.first[start] == start
        if not is_quotable or _RUNS_ON.search(text):
            weight = -np.inf
        changes.append(Change(position=start, kind=kinds[start], weight=float(weight)))
    return changes


def group_changes(
    changes: Sequence[Change], candidates: Candidates, scores: FloatArray, num_words: int
) -> list[ChangeGroup]:
    """The changes to quote in so many words, by kind, the kinds in the order a reader wants them."""
    standard = (scores - scores.mean()) / max(1e-9, float(scores.std()))
    present = sorted({change.kind for change in changes if np.isfinite(change.weight)})
    if len(present) > 1:
        # What has no better name than that few will miss.
        present = [kind for kind in present if _KINDS[kind][0] != "Other changes"]
    whole = sum(_KINDS[kind][2] for kind in present)
    chosen: dict[int, list[int]] = {kind: [] for kind in present}
    held = np.zeros(candidates.terms.num_terms, bool)
    room = num_words
    documents: set[int] = set()
    for turn in ("share", "rest"):
        for kind in present:
            limit = num_words * _KINDS[kind][2] / whole if turn == "share" else room
            ranked = sorted(
                (change for change in changes if change.kind == kind and np.isfinite(change.weight)),
                key=lambda change: -(change.weight + 0.5 * standard[change.position]),
            )
            for change in ranked:
                words = int(candidates.num_words[change.position])
                columns = candidates.terms.columns[candidates.terms.row(change.position)]
                repeats = len(columns) > 0 and held[columns].mean() > 0.5
                document = int(candidates.document[change.position])
                again = document in documents and len(set(candidates.document.tolist())) > 1
                if repeats or again or words > room or (chosen[kind] and words > limit):
                    continue
                if (
                    turn == "rest"
                    and _KINDS[kind][0] in ("Bug fixes", "Other changes")
                    and len(chosen[kind]) >= 2
                ):
                    continue
                chosen[kind].append(change.position)
                documents.add(document)
                held[columns] = True
                room -= words
                limit -= words
    counts = {kind: sum(change.kind == kind for change in changes) for kind in present}
    return [
        ChangeGroup(heading=_KINDS[kind][0], positions=tuple(sorted(positions)), count=counts[kind])
        for kind, positions in chosen.items()
        if positions
    ]


def _kind_of_items(candidates: Candidates) -> list[int]:
    """For each sentence that opens an item its kind, else -1."""
    kinds = []
    for number, sentence in enumerate(candidates.sentences):
        found = _LABEL.match(sentence.text)
        kind = _kind_of_label(found["label"]) if found else -1
        if kind < 0 and candidates.opens_paragraph[number]:
            kind = _kind_of_heading(candidates, number)
        kinds.append(kind)
    return kinds


def _kind_of_heading(candidates: Candidates, number: int) -> int:
    return _kind_of_label(plain_heading(candidates.sections[number].heading))


def _kind_of_label(label: str) -> int:
    return next((kind for kind, labels in enumerate(_LABELS) if labels.fullmatch(label.strip())), -1)
