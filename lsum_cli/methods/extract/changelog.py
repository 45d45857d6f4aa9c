"""Summaries of changelogs: the newest releases in detail, of earlier ones the change that matters most.

Of a release what breaks is told first. How many others there are is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.change import FEWEST_WORDS, Change
from lsum_cli.methods.extract.change_kinds import (
    CHANGES,
    FEATURES,
    HIGHLIGHTS,
    OTHER,
    OVERVIEW,
    SMALLER,
    URGENCY_OF_SMALLER,
    drops_support,
    kind_of_heading,
    urgency,
)
from lsum_cli.methods.extract.change_quotes import quote_change
from lsum_cli.methods.extract.change_wording import is_in_general, is_minor
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
from lsum_cli.methods.extract.changes import is_cut
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import names_release, shown_heading
from lsum_cli.methods.extract.releases import (
    final_of,
    is_early,
    is_patch,
    number_of_release,
    plain_release,
    release_of_sentences,
    series_of,
)
from lsum_cli.methods.extract.request import Extract
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex

# So many changes are told of a release, and of so many releases; of further ones while there are fewer.
_MOST_CHANGES, _MOST_RELEASES, _ENOUGH_CHANGES = 8, 4, 5
# Of a release that only mends another so many; the newest ones go on to the one that they mend.
_MOST_CHANGES_OF_A_PATCH, _MANY_CHANGES, _MOST_PATCHES = 3, 12, 3
_SHARE_OF_PATCHES = 0.4
# Of earlier releases so many are told, by one change each of so many words, in this share of the words; first
# one of each of so many series.
_MOST_EARLIER, _LONGEST_EARLIER, _SHARE_OF_EARLIER, _MOST_SERIES = 10, 30, 0.45, 4
_LEAST_WORDS_OF_EARLIER = 50
# From this urgency on what concerns the makers comes last.
_LEAST_THAT_WAITS = 3
# That support of something ends is told so often.
_MOST_DROPPED = 4
# A release with so few changes of its own is told with what was tried before it.
_LITTLE = 3
# What is told of them, by its urgency; that a release begins a series; and that it is new.
_TOLD_EARLIER = (3.0, 2.5, 2.0, 1.0)
_BEGINS_SERIES, _BEGINS_MINOR, _RECENT, _WORTH = 1.5, 0.7, 1.5, 0.2
_FACTOR = 1.3
_LONGEST_NAME = 45  # characters
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
        name: Its number and date, as the document writes them.
        early: The names of those that came before it, 3.1rc1 before 3.1, and are told with it.
        changes: Those that can be quoted, the ones that matter most to a user first.
        urgency: How urgent each of them is, 0 the most.
        count: How many changes it has.
    """

    name: str
    early: tuple[str, ...]
    changes: tuple[Change, ...]
    urgency: tuple[int, ...]
    count: int

    @property
    def heading(self) -> str:
        """Its name, and how many others are told with it."""
        number = len(self.early)
        return f"{self.name} with {number} early release{'s' if number > 1 else ''}" if number else self.name


def write_changelog(extractor: Extractor, changes: Sequence[Change]) -> Extract | None:
    """What the newest releases of one changelog change, and of earlier ones what matters most."""
    candidates = extractor.candidates
    worth = worth_of_changes(extractor, changes)
    rarity = rarity_of_terms(candidates, changes)
    told = releases(candidates, changes, worth)
    detailed = list(_to_be_told(told))
    earlier = [release for release in told if release not in detailed]
    room = extractor.num_words
    if not extractor.request.has_length:
        room = min(int(_FACTOR * room) if earlier else room, MOST_WORDS)
    is_long = room >= _LEAST_WORDS_OF_EARLIER or not extractor.request.has_length
    headlines = _headlines(candidates, earlier, worth) if is_long else []
    of_earlier = int(_SHARE_OF_EARLIER * room) if headlines else 0
    chosen = _in_detail(candidates, detailed, rarity, room - of_earlier, is_one=len(told) == 1)
    if not chosen:
        return None
    left = room - sum(int(candidates.num_words[change.row]) for _, own in chosen for change in own)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}

    def add(heading: str, quoted: dict[int, SummarySentence]) -> None:
        sentences.update(quoted)
        entries.append(
            OutlineEntry(heading=heading, level=1, document_id=None, sentences=tuple(quoted.values()))
        )

    for release, own in chosen:
        of_all = f" ({len(own)} of {release.count})" if release.count > len(own) else ""
        add(
            f"{release.heading}{of_all}",
            {
                change.row: quote_change(extractor, change, len(sentences) + at, is_labelled=True)
                for at, change in enumerate(own)
            },
        )
    lines = _of_earlier(candidates, earlier, headlines, rarity, left)
    if lines:
        add(
            _span(earlier, len(lines)),
            {
                change.row: _under(
                    release, quote_change(extractor, change, len(sentences) + at, is_labelled=True)
                )
                for at, (release, change) in enumerate(lines)
            },
        )
    quoted_of = [release.name for release, _ in (*chosen, *lines)]
    others = [release.heading for release in told if release.name not in quoted_of]
    warnings = [f"not in the summary: {_listed(others)}"] if others else []
    warnings += _elsewhere(candidates)
    names = {name for release, _ in chosen for name in (release.name, *release.early)}
    of_told = [each for each in changes if each.release and plain_release(each.release) in names]
    in_detail = [change for _, own in chosen for change in own]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        other_sections=headings_of_others(extractor, of_told, in_detail),
        warnings=tuple(warnings),
    )


def _in_detail(
    candidates: Candidates,
    detailed: Sequence[Release],
    rarity: Mapping[str, float],
    room: int,
    *,
    is_one: bool,
) -> list[tuple[Release, list[Change]]]:
    """What is told of releases in detail, in so many words; ``is_one``: whether there is no other."""
    # The release that others mend has most of the words.
    kept = int((1 - _SHARE_OF_PATCHES) * room) if detailed and not is_patch(detailed[-1].name) else 0
    made = []
    for release in detailed:
        most = _MOST_CHANGES
        mends = is_patch(release.name)
        if mends and not is_one and release.count <= _MANY_CHANGES:
            most = _MOST_CHANGES_OF_A_PATCH
        spared = kept if mends else 0
        taken: list[Change] = []
        for change, urgency_of_it in zip(release.changes, release.urgency, strict=True):
            if len(taken) == most:
                break
            if _has_enough(change, taken, release) or (taken and urgency_of_it >= URGENCY_OF_SMALLER):
                continue
            words = int(candidates.num_words[change.row])
            if words <= room - spared and not repeats(change, taken, candidates, rarity):
                taken.append(change)
                room -= words
        if taken:
            made.append((release, taken))
    return made


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
    early = _told_with(by_name)
    made = []
    for name, of_name in by_name.items():
        if any(name in names for names in early.values()):
            continue
        own = [*of_name, *(change for each in early.get(name, ()) for change in by_name[each])]
        # What is too short to be understood counts, and is not quoted.
        notable = [
            change
            for change in own
            if change.speaks is not None and _is_understood(candidates, change.speaks)
        ]
        has_lists = any(kind_of_heading(candidates, change.rows[0]) >= 0 for change in own)
        order = {change: _order(change, candidates, worth, has_lists=has_lists) for change in notable}
        notable.sort(key=order.__getitem__)
        made.append(
            Release(
                name=plain_release(name),
                early=tuple(map(plain_release, early.get(name, ()))),
                changes=tuple(notable),
                urgency=tuple(order[change][0] for change in notable),
                count=len(own),
            )
        )
    return sorted(made, key=lambda release: number_of_release(release.name), reverse=True)


def _is_understood(candidates: Candidates, row: int) -> bool:
    """Whether a sentence is long enough; "Drop Python 3.8." is."""
    return bool(candidates.num_words[row] >= FEWEST_WORDS) or drops_support(candidates.sentences[row].text)


def _told_with(by_name: Mapping[str, Sequence[Change]]) -> dict[str, list[str]]:
    """The releases that came before one which adds little to them: 3.1rc1 is told with 3.1."""
    finals = {
        final_of(plain_release(name)): name
        for name, own in by_name.items()
        if not is_early(plain_release(name)) and sum(each.speaks is not None for each in own) <= _LITTLE
    }
    found: dict[str, list[str]] = {}
    for name in by_name:
        final = finals.get(final_of(plain_release(name)))
        if final is not None and final != name and is_early(plain_release(name)):
            found.setdefault(final, []).append(name)
    return found


def _order(
    change: Change, candidates: Candidates, worth: Mapping[Change, float], *, has_lists: bool
) -> tuple[int, bool, float]:
    """What the changes of a release are ordered by; ``has_lists``: whether others stand in lists by kind."""
    row = change.row
    is_highlight = has_lists and change.topic is None and kind_of_heading(candidates, row) < 0
    text = candidates.sentences[row].text
    place = urgency(
        change.kind,
        text,
        is_cut=is_cut(candidates, change),
        is_highlight=is_highlight,
    )
    # What users lose they must know however small it is.
    waits = place >= _LEAST_THAT_WAITS or (place and change.kind == CHANGES)
    if (waits and is_minor(text)) or (change.kind == OVERVIEW and is_in_general(text)):
        place = max(place, URGENCY_OF_SMALLER)
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
        (
            each
            for each in told
            if each.changes
            and not (is_patch(each.name) or is_early(each.name))
            and series_of(each.name) == series_of(told[0].name)
        ),
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


def _of_earlier(
    candidates: Candidates,
    earlier: Sequence[Release],
    headlines: Sequence[tuple[float, int, Change]],
    rarity: Mapping[str, float],
    room: int,
) -> list[tuple[Release, Change]]:
    """Of releases that are not told in detail the change that matters most, in so many words.

    Of each series the first one comes first.
    """
    versions = [number_of_release(release.name) for release in earlier]
    # Where all are of one series each counts for itself.
    length = 2 if len({version[:2] for version in versions}) >= _MOST_SERIES else 3
    series: dict[tuple[int, ...], tuple[float, int, Change]] = {}
    for each in headlines:
        series.setdefault(versions[each[1]][:1], each)
    first = [series[name] for name in sorted(series, reverse=True)[:_MOST_SERIES]]
    held: list[tuple[int, Change]] = []
    lines: set[tuple[int, ...]] = set()
    dropped = 0
    for _, number, change in [*first, *(each for each in headlines if each not in first)]:
        words = int(candidates.num_words[change.row])
        line = versions[number][:length]
        drops = drops_support(candidates.sentences[change.row].text)
        if (
            len(held) == _MOST_EARLIER
            or words > room
            or line in lines
            or (drops and dropped == _MOST_DROPPED)
            or repeats(change, [each for _, each in held], candidates, rarity)
        ):
            continue
        held.append((number, change))
        lines.add(line)
        dropped += drops
        room -= words
    return [(earlier[number], change) for number, change in sorted(held, key=lambda each: each[0])]


def _headlines(
    candidates: Candidates, earlier: Sequence[Release], worth: Mapping[Change, float]
) -> list[tuple[float, int, Change]]:
    """The change of each release that matters most, with its value and the place of the release, best first.

    What breaks comes first, then what begins a series, then what is recent.
    """
    found = []
    for number, release in enumerate(earlier):
        headline = _headline(candidates, release)
        if headline is None:
            continue
        change, urgency_of_it = headline
        version = number_of_release(release.name)
        value = (
            _TOLD_EARLIER[urgency_of_it]
            + _RECENT * (1 - number / len(earlier))
            + _WORTH * worth[change]
            + (_BEGINS_MINOR if not any(version[2:]) else 0.0)
            + (_BEGINS_SERIES if not any(version[1:]) else 0.0)
        )
        found.append((value, number, change))
    return sorted(found, key=lambda each: (-each[0], each[1]))


def _headline(candidates: Candidates, release: Release) -> tuple[Change, int] | None:
    """The change of a release that matters most, with its urgency, if one matters and is short."""
    if is_early(release.name):
        return None
    return next(
        (
            (change, urgency_of_it)
            for change, urgency_of_it in zip(release.changes, release.urgency, strict=True)
            if urgency_of_it < len(_TOLD_EARLIER)
            and candidates.num_words[change.row] <= _LONGEST_EARLIER
            and not is_in_general(candidates.sentences[change.row].text)
        ),
        None,
    )


def _under(release: Release, quoted: SummarySentence) -> SummarySentence:
    """A sentence under the name of its release."""
    name = release.name
    if len(name) > _LONGEST_NAME:
        name = names_release(name) or name
    return replace(quoted, label=f"{name}, {quoted.label}" if quoted.label else name)


def _span(earlier: Sequence[Release], told: int) -> str:
    """What heads the lines on earlier releases: how many there are, and from which to which."""
    if len(earlier) == 1:
        return "Earlier"
    return f"Earlier: {told} of {len(earlier)} releases, {earlier[-1].name} to {earlier[0].name}"


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
