"""Summaries of changelogs: the newest releases, what breaks first, and which others there are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.change_kinds import (
    FEATURES,
    HIGHLIGHTS,
    OTHER,
    SMALLER,
    kind_of_heading,
    urgency,
)
from lsum_cli.methods.extract.change_quotes import quote_change
from lsum_cli.methods.extract.change_worth import (
    LONG_CHANGE,
    MOST_HIGHLIGHTS,
    MOST_OF_A_KIND,
    MOST_OF_FEATURES,
    MOST_WORDS,
    headings_of_others,
    rarity_of_terms,
    repeats,
    worth_of_changes,
)
from lsum_cli.methods.extract.changes import FEWEST_WORDS, Change, is_cut
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import shown_heading
from lsum_cli.methods.extract.releases import (
    is_early,
    is_patch,
    number_of_release,
    plain_release,
    release_of_sentences,
)
from lsum_cli.methods.extract.request import Extract
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex

# So many changes are told of a release, and of so many releases; of further ones while there are fewer.
_MOST_CHANGES, _MOST_RELEASES, _ENOUGH_CHANGES = 8, 4, 5
# Of a release that only mends another so many; the newest ones go on to the one that they mend.
_MOST_CHANGES_OF_A_PATCH, _MANY_CHANGES, _MOST_PATCHES = 3, 12, 3
_SHARE_OF_PATCHES = 0.4
# So many of a section whose heading names what they are about.
_MOST_OF_A_SECTION = 2
_LISTED = 6
_LISTED_BEFORE = 4
# What every changelog begins with.
_ABOUT_THE_FILE = regex(
    r"notable changes|keep a changelog|semantic versioning|calendar versioning|semver|calver"
    r"|documented (?:in|here)|versions follow|changelog|release notes|change log|add your (?:entry|change)"
    r"|\btowncrier\b|news ?fragments?|\bchanges since\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Release:
    """One release of a changelog.

    Attributes:
        heading: Its number and date, as the document writes them.
        changes: Those that can be quoted, the ones that matter most to a user first.
        count: How many changes it has.
    """

    heading: str
    changes: tuple[Change, ...]
    count: int


def write_changelog(extractor: Extractor, changes: Sequence[Change]) -> Extract | None:
    """What the newest releases of one changelog change, and which others it tells of."""
    candidates = extractor.candidates
    told = releases(candidates, changes, worth_of_changes(extractor, changes))
    rarity = rarity_of_terms(candidates, changes)
    room = extractor.num_words if extractor.request.has_length else min(extractor.num_words, MOST_WORDS)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    quoted_of: set[str] = set()
    told_changes: list[Change] = []
    waiting = list(_to_be_told(told))
    # The release that others mend has most of the words.
    kept = int((1 - _SHARE_OF_PATCHES) * room) if waiting and not is_patch(waiting[-1].heading) else 0
    for release in waiting:
        most = _MOST_CHANGES
        mends = is_patch(release.heading)
        if mends and len(told) > 1 and release.count <= _MANY_CHANGES:
            most = _MOST_CHANGES_OF_A_PATCH
        spared = kept if mends else 0
        taken: list[Change] = []
        for change in release.changes:
            if len(taken) == most:
                break
            if _has_enough(change, taken, release):
                continue
            words = int(candidates.num_words[change.row])
            if words <= room - spared and not repeats(change, taken, candidates, rarity):
                taken.append(change)
                room -= words
        if not taken:
            continue
        quoted = {
            change.row: quote_change(extractor, change, len(sentences) + at, is_labelled=True)
            for at, change in enumerate(taken)
        }
        sentences |= quoted
        quoted_of.add(release.heading)
        told_changes += taken
        of_all = f" ({len(taken)} of {release.count})" if release.count > len(taken) else ""
        entries.append(
            OutlineEntry(
                heading=f"{release.heading}{of_all}",
                level=1,
                document_id=None,
                sentences=tuple(quoted.values()),
            )
        )
    if not sentences:
        return None
    others = [release.heading for release in told if release.heading not in quoted_of]
    warnings = [f"not in the summary: {_listed(others)}"] if others else []
    warnings += _elsewhere(candidates)
    of_told = [each for each in changes if each.release and plain_release(each.release) in quoted_of]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        other_sections=headings_of_others(extractor, of_told, told_changes),
        warnings=tuple(warnings),
    )


def releases(
    candidates: Candidates, changes: Sequence[Change], worth: Mapping[Change, float]
) -> list[Release]:
    """The releases that a changelog tells of, the newest first.

    Args:
        candidates: The sentences of the changelog.
        changes: Its changes.
        worth: What each change that can be quoted is worth.
    """
    by_name: dict[str, list[Change]] = {}
    for name in release_of_sentences(candidates):
        if name is not None:
            by_name.setdefault(name, [])
    for change in changes:
        if change.release is not None:
            by_name[change.release].append(change)
    made = []
    for name, own in by_name.items():
        # What is too short to be understood counts, and is not quoted.
        notable = [
            change
            for change in own
            if change.speaks is not None and candidates.num_words[change.speaks] >= FEWEST_WORDS
        ]
        has_lists = any(kind_of_heading(candidates, change.rows[0]) >= 0 for change in own)
        order = {change: _order(change, candidates, worth, has_lists=has_lists) for change in notable}
        made.append(
            Release(
                heading=plain_release(name),
                changes=tuple(sorted(notable, key=order.__getitem__)),
                count=len(own),
            )
        )
    return sorted(made, key=lambda release: number_of_release(release.heading), reverse=True)


def _order(
    change: Change, candidates: Candidates, worth: Mapping[Change, float], *, has_lists: bool
) -> tuple[int, bool, float]:
    """What the changes of a release are ordered by; ``has_lists``: whether others stand in lists by kind."""
    row = change.row
    is_highlight = has_lists and change.topic is None and kind_of_heading(candidates, row) < 0
    place = urgency(
        change.kind,
        candidates.sentences[row].text,
        is_cut=is_cut(candidates, change),
        is_highlight=is_highlight,
    )
    return place, bool(candidates.num_words[row] > LONG_CHANGE), -worth[change]


def _has_enough(change: Change, taken: Sequence[Change], release: Release) -> bool:
    """Whether so many of a kind are told of a release that its other kinds come first."""
    if change.topic and sum(each.topic == change.topic for each in taken) >= _MOST_OF_A_SECTION:
        return True
    most = {HIGHLIGHTS: MOST_HIGHLIGHTS, FEATURES: MOST_OF_FEATURES, OTHER: 0, SMALLER: 0}.get(
        change.kind, MOST_OF_A_KIND
    )
    return sum(each.kind == change.kind for each in taken) >= most and any(
        each.kind not in (change.kind, OTHER, SMALLER) for each in release.changes
    )


def _to_be_told(told: Sequence[Release]) -> Iterator[Release]:
    """The newest releases, while they have little to tell, and the one that they mend."""
    count = 0
    mended = next(
        (each for each in told if each.changes and not (is_patch(each.heading) or is_early(each.heading))),
        None,
    )
    for number, release in enumerate(told):
        if number >= _MOST_RELEASES or (number and count >= _ENOUGH_CHANGES) or number >= _MOST_PATCHES:
            break
        yield release
        count += min(len(release.changes), _MOST_CHANGES)
        if release is mended:
            mended = None
    if mended is not None:
        yield mended


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
