"""Summaries of changelogs: by release, the newest first, as many changes of each as users want to be told.

The changes of all releases are weighed together, those of later ones more. Releases of which several are
quoted have a heading; of earlier ones the few that matter most stand in a list.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import names_release, shown_heading
from lsum_cli.methods.extract.listed_changes.change import FEWEST_WORDS, Change
from lsum_cli.methods.extract.listed_changes.changes import is_cut
from lsum_cli.methods.extract.listed_changes.kinds import drops_support, kind_of_heading, urgency
from lsum_cli.methods.extract.listed_changes.releases import (
    Release,
    is_early,
    is_patch,
    number_of_release,
    release_of_sentences,
    releases_of,
    series_of,
)
from lsum_cli.methods.extract.release_notes.change_ranker import score_changes
from lsum_cli.methods.extract.release_notes.other_sections import headings_of_others
from lsum_cli.methods.extract.release_notes.quotes import quote_change
from lsum_cli.methods.extract.release_notes.selection import (
    rarity_of_terms,
    select_changes,
    suitable_words,
)
from lsum_cli.methods.extract.request import Extract
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex

# What the age of a release costs its changes, by the logarithm of how many are newer, and that it only mends
# another or comes before one; what it counts that it begins a series.
_PER_AGE, _OF_A_PATCH, _BEGINS_SERIES = 0.3, 0.2, 0.3
# That support of something ends is quoted so often, the newest first.
_MOST_DROPPED = 4
# Of the newest releases so many have a heading of their own.
_MOST_HEADED = 4
_LISTED = 6
_LISTED_BEFORE = 4
_LONGEST_NAME = 45  # characters
# What every changelog begins with.
_ABOUT_THE_FILE = regex(
    r"notable changes|keep a changelog|semantic versioning|calendar versioning|semver|calver"
    r"|documented (?:in|here)|versions follow|changelog|release notes|change log|add your (?:entry|change)"
    r"|\btowncrier\b|news ?fragments?|\bchanges since\b",
    re.IGNORECASE,
)


def write_changelog(extractor: Extractor, changes: Sequence[Change]) -> Extract | None:
    """What the releases of one changelog change, the newest first, as far as users want to be told."""
    candidates, request = extractor.candidates, extractor.request
    releases = releases_of(candidates, changes)
    offered = _offered(candidates, releases)
    first = list(_never_left_out(releases, offered))
    fitted = score_changes(extractor, changes)
    score = {
        # A release that others mend is as new as these.
        change: fitted[change] - _cost_of(release, 0 if release in first else age)
        for age, release in enumerate(releases)
        for change in release.changes
        if change in offered
    }
    selected = select_changes(
        candidates,
        [change for change in changes if change in offered],
        score,
        rarity_of_terms(candidates, changes),
        extractor.num_words if request.has_length else suitable_words(extractor.num_words),
        as_suits=request.as_suits,
        first=[release.changes for release in first],
    )
    if not selected:
        return None
    quoted = [
        (release, own)
        for release in releases
        if (own := _in_order(candidates, release, [each for each in release.changes if each in selected]))
    ]
    headed = _number_headed(quoted, {release.name for release in first})
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}

    def quote(change: Change) -> SummarySentence:
        return quote_change(extractor, change, len(sentences), is_labelled=True)

    def add(heading: str, own: dict[int, SummarySentence]) -> None:
        entries.append(
            OutlineEntry(heading=heading, level=1, document_id=None, sentences=tuple(own.values()))
        )

    for release, own in quoted[:headed]:
        count = len(release.changes)
        of_release = {}
        for change in own:
            of_release[change.row] = sentences[change.row] = quote(change)
        add(f"{release.heading}{f' ({len(own)} of {count})' if count > len(own) else ''}", of_release)
    lines = {}
    for release, own in quoted[headed:]:
        for change in own:
            lines[change.row] = sentences[change.row] = _under_release(release, quote(change))
    if lines:
        newest = {release.name for release, _ in quoted[:headed]}
        earlier = [release for release in releases if release.name not in newest]
        add(_span_of(earlier, len(quoted) - headed), lines)
    names = {release.name for release, _ in quoted}
    others = [release.heading for release in releases if release.name not in names]
    warnings = [f"not in the summary: {_listed(others)}"] if others else []
    warnings += _elsewhere(candidates)
    of_headed = [change for release, _ in quoted[:headed] for change in release.changes]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        other_sections=headings_of_others(extractor, of_headed, selected),
        warnings=tuple(warnings),
    )


def _offered(candidates: Candidates, releases: Sequence[Release]) -> set[Change]:
    """The changes that can be understood as they are quoted; not each support that ended long ago."""
    offered = set()
    dropped = 0
    for release in releases:
        for change in release.changes:
            if change.speaks is None:
                continue
            drops = drops_support(candidates.sentences[change.row].text)
            dropped += drops
            if dropped <= _MOST_DROPPED if drops else candidates.num_words[change.row] >= FEWEST_WORDS:
                offered.add(change)
    return offered


def _cost_of(release: Release, age: int) -> float:
    """What is taken off the scores of the changes of a release that so many are newer than."""
    mends = is_patch(release.name) or is_early(release.name)
    begins = not any(number_of_release(release.name)[1:])
    return _PER_AGE * math.log1p(age) + _OF_A_PATCH * mends - _BEGINS_SERIES * begins


def _never_left_out(releases: Sequence[Release], offered: set[Change]) -> Iterator[Release]:
    """The newest release that has something to quote, and the one of its series that it mends."""
    some = [release for release in releases if any(change in offered for change in release.changes)]
    if not some:
        return
    yield some[0]
    if is_patch(some[0].name):
        first = [
            release
            for release in some[1:]
            if series_of(release.name) == series_of(some[0].name)
            and not (is_patch(release.name) or is_early(release.name))
        ]
        yield from first[:1]


def _number_headed(quoted: Sequence[tuple[Release, Sequence[Change]]], always: set[str]) -> int:
    """How many of the releases quoted have a heading, the newest ones; the others are in a list."""
    if len(quoted) <= _MOST_HEADED:
        return len(quoted)
    newest = enumerate(quoted[:_MOST_HEADED], start=1)
    return max((at for at, (release, own) in newest if len(own) > 1 or release.name in always), default=1)


def _in_order(candidates: Candidates, release: Release, changes: Sequence[Change]) -> list[Change]:
    """The changes of a release in the order in which users must know of them."""
    has_lists = any(kind_of_heading(candidates, change.rows[0]) >= 0 for change in release.changes)

    def place(change: Change) -> tuple[int, int, tuple[int, ...]]:
        is_highlight = has_lists and change.topic is None and kind_of_heading(candidates, change.row) < 0
        text = candidates.sentences[change.row].text
        urgency_of_it = urgency(
            change.kind, text, is_cut=is_cut(candidates, change), is_highlight=is_highlight
        )
        return urgency_of_it, change.kind, change.rows

    return sorted(changes, key=place)


def _under_release(release: Release, quoted: SummarySentence) -> SummarySentence:
    """A sentence under the name of its release."""
    name = release.name
    if len(name) > _LONGEST_NAME:
        name = names_release(name) or name
    return replace(quoted, label=f"{name}, {quoted.label}" if quoted.label else name)


def _span_of(earlier: Sequence[Release], quoted: int) -> str:
    """What heads the lines on earlier releases: how many there are, and from which to which."""
    if len(earlier) == 1:
        return "Earlier"
    return f"Earlier: {quoted} of {len(earlier)} releases, {earlier[-1].name} to {earlier[0].name}"


def _elsewhere(candidates: Candidates) -> Iterator[str]:
    """What is to be said of the text before the first release and after the last one."""
    names = release_of_sentences(candidates)
    of_one = [row for row, name in enumerate(names) if name is not None]
    others = [
        row
        for row, name in enumerate(names)
        if name is None and _ABOUT_THE_FILE.search(candidates.sentences[row].text) is None
    ]
    for where, rows in (
        ("before the first release", [row for row in others if row < of_one[0]]),
        ("that are of no release", [row for row in others if row > of_one[0]]),
    ):
        words = int(sum(candidates.num_words[row] for row in rows))
        if not words:
            continue
        paths = ((candidates.sections[row].path or "").split(PATH_BREAK) for row in rows)
        tops = list(dict.fromkeys(shown_heading(path[0]) for path in paths if path[0]))
        named = [*tops[:_LISTED_BEFORE], *(["…"] if len(tops) > _LISTED_BEFORE else [])]
        listed = f": {'; '.join(named)}" if named else ""
        yield f"not in the summary: {words} words {where}{listed}"


def _listed(names: Sequence[str]) -> str:
    """The names of releases, those in the middle of many counted."""
    if len(names) <= _LISTED:
        return "; ".join(names)
    return f"{names[0]}; {names[1]}; … {names[-1]} ({len(names)} releases)"
