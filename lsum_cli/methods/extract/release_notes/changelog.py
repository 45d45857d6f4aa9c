"""Summaries of changelogs: the newest releases in detail, of earlier ones the change that matters most.

Of a release what breaks is told first. How many others there are is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import shown_heading
from lsum_cli.methods.extract.release_notes.change import Change
from lsum_cli.methods.extract.release_notes.change_ranker import score_changes
from lsum_cli.methods.extract.release_notes.earlier_releases import (
    headlines_of,
    span_of,
    tell_earlier,
    under_release,
)
from lsum_cli.methods.extract.release_notes.kinds import (
    CLOSED,
    FEATURES,
    HIGHLIGHTS,
    OTHER,
    SMALLER,
    URGENCY_OF_SMALLER,
)
from lsum_cli.methods.extract.release_notes.quotes import quote_change
from lsum_cli.methods.extract.release_notes.releases import (
    is_early,
    is_patch,
    plain_release,
    release_of_sentences,
    series_of,
)
from lsum_cli.methods.extract.release_notes.told_releases import Release, releases
from lsum_cli.methods.extract.release_notes.worth import (
    MOST_HIGHLIGHTS,
    MOST_OF_A_KIND,
    MOST_OF_FEATURES,
    MOST_WORDS,
    headings_of_others,
    rarity_of_terms,
    repeats,
)
from lsum_cli.methods.extract.request import Extract
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex

# So many changes are told of a release, and of so many releases; of further ones while there are fewer.
_MOST_CHANGES, _MOST_RELEASES, _ENOUGH_CHANGES = 8, 4, 5
# Of a release that only mends another so many; the newest ones go on to the one that they mend.
_MOST_CHANGES_OF_A_PATCH, _MANY_CHANGES, _MOST_PATCHES = 3, 12, 3
_SHARE_OF_PATCHES = 0.4
# Earlier releases have so much of the words, none of a summary that is to be shorter than this.
_SHARE_OF_EARLIER, _LEAST_WORDS_OF_EARLIER = 0.45, 50
_FACTOR = 1.3
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


def write_changelog(extractor: Extractor, changes: Sequence[Change]) -> Extract | None:
    """What the newest releases of one changelog change, and of earlier ones what matters most."""
    candidates = extractor.candidates
    worth = score_changes(extractor, changes)
    rarity = rarity_of_terms(candidates, changes)
    told = releases(candidates, changes, worth, as_suits=extractor.request.as_suits)
    detailed = list(_to_be_told(told))
    earlier = [release for release in told if release not in detailed]
    room = extractor.num_words
    if not extractor.request.has_length:
        room = min(int(_FACTOR * room) if earlier else room, MOST_WORDS)
    is_long = room >= _LEAST_WORDS_OF_EARLIER or not extractor.request.has_length
    headlines = headlines_of(candidates, earlier, worth) if is_long else []
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
    lines = tell_earlier(candidates, earlier, headlines, rarity, left)
    if lines:
        add(
            span_of(earlier, len(lines)),
            {
                change.row: under_release(
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


def _has_enough(change: Change, taken: Sequence[Change], release: Release) -> bool:
    """Whether so many of a kind are told of a release that its other kinds come first."""
    if change.topic and sum(each.topic == change.topic for each in taken) >= _MOST_OF_A_SECTION:
        return True
    most = {HIGHLIGHTS: MOST_HIGHLIGHTS, FEATURES: MOST_OF_FEATURES, CLOSED: 0, OTHER: 0, SMALLER: 0}.get(
        change.kind, MOST_OF_A_KIND
    )
    return sum(each.kind == change.kind for each in taken) >= most and any(
        each.kind not in (change.kind, CLOSED, OTHER, SMALLER) for each in release.changes
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
