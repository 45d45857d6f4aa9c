"""Release notes by kind of change: what is new, what an upgrade needs, what is fixed.

A release has a few changes that everybody should know of and many that few will notice. A summary quotes the
first, under the kind that its notes give them, and counts the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import section_path
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.topics import left_out
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex

# The kinds of change in the order in which a reader wants them: heading, labels.
_KINDS: Sequence[tuple[str, str]] = (
    ("Overview", r"prelude|overview|highlights?|summary"),
    ("Security", r"security(?: issues?| fix(?:es)?| updates?| notes?)?|vulnerabilit(?:y|ies)|cves?"),
    (
        "New features",
        r"(?:new )?features?|added|additions?|new(?: in this release)?|enhancements?|improve(?:d"
        r"|ments?)|what['’]s new",
    ),
    (
        "Upgrade notes",
        r"upgrad(?:e|ing)(?: notes?| impact)?|breaking(?: changes?)?|changed|changes|api changes?"
        r"|critical(?: issues?)?|migration"
        r"|removed|removals?|backwards? incompatib\w+(?: changes)?|incompatible changes"
        r"|important(?: notes?)?",
    ),
    ("Deprecations", r"deprecat(?:ions?|ed)(?: notes?| features?)?"),
    ("Known issues", r"(?:known )?issues?|known (?:bugs|problems)|limitations"),
    ("Bug fixes", r"(?:bug ?)?fix(?:es|ed)?|bugs?(?: fixe[sd])?|resolved(?: issues)?|bug ?fixes"),
    ("Other changes", r"others?(?: notes?| changes?)?|misc(?:ellaneous)?|internal|documentation|docs"),
)
_LABELS = tuple(regex(rf"(?:{labels})", re.IGNORECASE) for _, labels in _KINDS)
_LABEL = regex(
    r"(?:[-*•] )?(?P<label>[A-Za-z]+(?: [a-z]+){0,2}) ?: ?(?=[\[A-Z“\"'`(_a-z0-9/-])", re.IGNORECASE
)
_LEAST_LABELLED = 0.5
_OTHER = len(_KINDS) - 1
# Release notes seldom have more to say to everybody.
_MOST_WORDS = 220


@dataclass(frozen=True, kw_only=True)
class ChangeGroup:
    """The changes of one kind.

    Attributes:
        heading: Its name.
        positions: Those of the quoted sentences.
        quoted: Of how many items they are.
        count: How many items there are.
    """

    heading: str
    positions: tuple[int, ...]
    quoted: int
    count: int


def tells_kinds(candidates: Candidates) -> bool:
    """Whether at least half of the paragraphs of release notes tell what kind of change they are of."""
    kinds = _kind_of_items(candidates)
    openings = np.flatnonzero(candidates.opens_paragraph).tolist()
    labelled = sum(kinds[number] >= 0 or _kind_of_heading(candidates, number) >= 0 for number in openings)
    return any(kind >= 0 for kind in kinds) and labelled >= _LEAST_LABELLED * len(openings)


def write_by_change(extractor: Extractor) -> Extract:
    """A summary of release notes: the greater changes of each kind, and how many there are."""
    if not extractor.request.has_length:
        extractor = replace(extractor, num_words=min(extractor.num_words, _MOST_WORDS))
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    groups = group_by_kind(extractor.select(extractor.num_words, None), extractor.candidates)
    unquoted = [f"{group.heading} ({group.count})" for group in groups if not group.positions]
    warnings = [f"not in the summary: {', '.join(unquoted)}"] if unquoted else []
    for group in groups:
        if not group.positions:
            continue
        quoted = {row: extractor.quote(row, len(sentences) + at) for at, row in enumerate(group.positions)}
        sentences |= quoted
        of_all = f" ({group.quoted} of {group.count})" if group.count > group.quoted else ""
        entries.append(
            OutlineEntry(
                heading=f"{group.heading}{of_all}",
                level=1,
                document_id=None,
                sentences=tuple(quoted.values()),
            )
        )
    if len(extractor.documents) > 1:
        only = f"only the greater changes, in up to {extractor.num_words} words"
        warnings += left_out(extractor, list(sentences), only)
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        warnings=tuple(warnings),
    )


def group_by_kind(chosen: Sequence[int], candidates: Candidates) -> list[ChangeGroup]:
    """The sentences chosen from release notes by kind of change, the kinds in the order a reader wants them.

    Args:
        chosen: Their positions, ascending.
        candidates: The sentences of the notes.

    Returns:
        A group for each kind there is, also if nothing of it was chosen.
    """
    kinds: list[int] = []
    items: list[int] = []
    for number, opening in enumerate(_kind_of_items(candidates)):
        starts = number == 0 or candidates.document[number] != candidates.document[number - 1]
        is_elsewhere = not starts and candidates.section[number] != candidates.section[number - 1]
        # A section whose headings name no kind tells nothing more of the one before it.
        if opening >= 0 or starts or (is_elsewhere and _kind_of_heading(candidates, number) < 0):
            kinds.append(opening if opening >= 0 else _OTHER)
            items.append(number)
        else:
            kinds.append(kinds[-1])
            items.append(items[-1])
    counts = Counter(kinds[number] for number in set(items))
    groups = []
    for kind in sorted(counts):
        positions = tuple(position for position in chosen if kinds[position] == kind)
        quoted = len({items[position] for position in positions})
        groups.append(
            ChangeGroup(heading=_KINDS[kind][0], positions=positions, quoted=quoted, count=counts[kind])
        )
    return groups


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
    """The kind that the heading of a sentence names, or the nearest heading above it."""
    headings = reversed(section_path(candidates.sections[number]).split(PATH_BREAK))
    return next((kind for heading in headings if (kind := _kind_of_label(heading)) >= 0), -1)


def _kind_of_label(label: str) -> int:
    return next((kind for kind, labels in enumerate(_LABELS) if labels.fullmatch(label.strip())), -1)
