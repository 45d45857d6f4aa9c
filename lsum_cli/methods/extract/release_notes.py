"""Summaries of release notes and changelogs: by kind of change or by release, what must be known first.

A release has a few changes that everybody should know of and many that few will notice. A summary quotes the
first, under the kind that the notes give them, and counts the others. A changelog is told by release.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.changes import (
    BREAKING,
    DEPRECATED,
    FEATURES,
    FEWEST_WORDS,
    KINDS,
    OTHER,
    OVERVIEW,
    REMOVED,
    SECURITY,
    SMALLER,
    UPGRADE,
    Change,
    changes_of,
    is_cut,
    is_of_a_kind,
    kind_of_heading,
    label_of,
    plain_change,
    release_of_sentences,
    says_topic,
    tells_kinds,
    urgency,
    without_label,
)
from lsum_cli.methods.extract.collection import left_out
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import names_release, shown_heading
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.running_text import write_text
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import FloatArray, is_function_word, split_terms, stem

# Release notes seldom have more to say to everybody.
_MOST_WORDS = 270
# What breaks, what is gone and what is new are told each for itself.
_FACTOR = 1.3
# The kinds of which a reader must know something, and more of what breaks.
_NEEDED = (SECURITY, BREAKING, FEATURES, REMOVED, DEPRECATED, UPGRADE, BREAKING)
_LEAST_RELEASES = 2
# Of several documents so many are to tell kinds of changes.
_MOST_OF_DOCUMENTS = 0.8
# So many changes are told of a release, and of so many releases; of further ones while there are fewer.
_MOST_CHANGES, _MOST_RELEASES, _ENOUGH_CHANGES = 8, 4, 5
# Of a release that only mends another so many; the newest ones go on to the one that they mend.
_MOST_CHANGES_OF_A_PATCH, _MANY_CHANGES, _MOST_PATCHES = 3, 12, 3
# What takes more words is told where nothing shorter is.
_LONG = 40
# Two changes are one, told twice, if they share so much of the terms of the shorter.
_SAME = 0.6
# So many of a kind, where a release has changes of others.
_MOST_OF_A_KIND, _MOST_OF_FEATURES = 3, 5
_MOST_IN_GENERAL = 2
_LISTED = 6
_LISTED_BEFORE = 4
# What is said of the release, not of the program in general.
_OF_A_RELEASE = regex(r"\b(?:releases?|versions?|series|upgrad\w+)\b|\d\.\d", re.IGNORECASE)
_EARLY = regex(r"(\d+(?:\.\d+)*)[-.~+]?(a|alpha|b|beta|c|rc|dev|pre)(?![a-z])(.*)", re.IGNORECASE)
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


def is_release_notes(candidates: Candidates) -> bool:
    """Whether release notes can be told by release or by kind of change: of several documents most can."""
    own = {
        int(candidates.document[row])
        for row, name in enumerate(release_of_sentences(candidates))
        if name is not None or is_of_a_kind(candidates, row)
    }
    documents = set(candidates.document.tolist())
    if len(documents) > 1 and len(own) < _MOST_OF_DOCUMENTS * len(documents):
        return False
    return tells_kinds(candidates) or tells_releases(candidates)


def write_release_notes(extractor: Extractor) -> Extract:
    """A summary of release notes: the greater changes of each kind, and how many there are.

    A changelog of several releases is told by release, the newest first.
    """
    changes = changes_of(extractor.candidates, extractor.structure.stands_alone)
    if tells_releases(extractor.candidates):
        made = _by_release(extractor, changes)
        if made is not None:
            return made
    # Where dates are all that stands below the headings there is no change to tell.
    return _by_kind(extractor, changes) if changes else write_text(extractor)


# ---- by kind


def _by_kind(extractor: Extractor, changes: Sequence[Change]) -> Extract:
    has_length = extractor.request.has_length
    room = extractor.num_words if has_length else min(int(_FACTOR * extractor.num_words), _MOST_WORDS)
    # A summary of a named length is part of the next longer one.
    longer = [words for words in NAMED_LENGTHS.values() if words > room]
    chosen = list(changes)
    for words in (*sorted(longer, reverse=True), room) if room in NAMED_LENGTHS.values() else (room,):
        chosen = _greatest(extractor, chosen, words)
    if not chosen:
        # Of a summary too short for any, one.
        shown = [change for change in changes if change.speaks is not None] or changes
        chosen = [min(shown, key=lambda change: int(extractor.candidates.num_words[_speaker(change)]))]
    counts = Counter(change.kind for change in changes)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    title = _release_named(extractor)
    if title is not None:
        entries.append(OutlineEntry(heading=title, level=1, document_id=None))
    for kind, count in sorted(counts.items()):
        own = [change for change in chosen if change.kind == kind]
        if not own:
            continue
        quoted = {
            _speaker(change): _quote(extractor, change, len(sentences) + at) for at, change in enumerate(own)
        }
        sentences |= quoted
        of_all = f" ({len(own)} of {count})" if count > len(own) else ""
        entries.append(
            OutlineEntry(
                heading=f"{KINDS[kind][0]}{of_all}",
                level=1 if title is None else 2,
                document_id=None,
                sentences=tuple(quoted.values()),
            )
        )
    untold = [kind for kind in sorted(counts) if all(change.kind != kind for change in chosen)]
    unquoted = [f"{KINDS[kind][0]} ({counts[kind]})" for kind in untold]
    warnings = [f"not in the summary: {', '.join(unquoted)}"] if unquoted else []
    if len(extractor.documents) > 1:
        only = f"only the greater changes, in up to {room} words"
        warnings += left_out(extractor, list(sentences), only)
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        warnings=tuple(warnings),
    )


def _greatest(extractor: Extractor, changes: Sequence[Change], room: int) -> list[Change]:
    """The changes that say most, in so many words: one at least of each kind that a reader must know of.

    What few will notice is told where there is nothing else.
    """
    candidates, values = extractor.candidates, extractor.scores.values
    of_row = {_speaker(change): change for change in changes if change.speaks is not None}
    firsts = _firsts(changes)
    of_row = {row: change for row, change in of_row.items() if change in firsts}
    great = {
        row: change
        for row, change in of_row.items()
        if change.kind not in (SMALLER, OTHER)
        and (change.kind != OVERVIEW or _OF_A_RELEASE.search(candidates.sentences[row].text))
    }
    of_row = great or of_row
    held: dict[int, Change] = {}
    for kind in _NEEDED:
        own = [row for row, change in of_row.items() if change.kind == kind and row not in held]
        own = [row for row in own if candidates.num_words[row] <= room]
        if own:
            best = max(own, key=lambda row: (bool(candidates.num_words[row] <= _LONG), float(values[row])))
            held[best] = of_row[best]
            room -= int(candidates.num_words[best])
    others = [row for row in of_row if row not in held and candidates.num_words[row] <= room]
    rows = extractor.select(room, extractor.mask(others)) if others else []
    # The release in general is told in a sentence or two.
    general = sorted((row for row in rows if of_row[row].kind == OVERVIEW), key=lambda row: -values[row])
    rows = [row for row in rows if row not in general[_MOST_IN_GENERAL:]]
    return sorted([*held.values(), *(of_row[row] for row in rows)], key=lambda each: (each.kind, each.rows))


def _firsts(changes: Sequence[Change]) -> set[Change]:
    """The changes without the further ones of a section whose heading names what they are about."""
    kept: set[Change] = set()
    topic: tuple[str | None, int] = (None, 0)
    for number, change in enumerate(changes):
        begins = number - change.place
        if change.speaks is None:
            continue
        if change.topic is None or topic != (change.topic, begins):
            kept.add(change)
        topic = (change.topic, begins)
    return kept


def _speaker(change: Change) -> int:
    return change.rows[0] if change.speaks is None else change.speaks


def _release_named(extractor: Extractor) -> str | None:
    """The title of notes of one release, which names it."""
    if len(extractor.documents) > 1:
        return None
    title = extractor.documents[0].title or ""
    # "3.1 release notes" has no place in a list.
    return next((each for each in (shown_heading(title), title) if re.search(r"\d", each)), None)


# ---- by release


def tells_releases(candidates: Candidates) -> bool:
    """Whether notes are a changelog of several releases, or of one that does not tell kinds of change."""
    if candidates.document[0] != candidates.document[-1]:
        return False
    names = set(release_of_sentences(candidates)) - {None}
    return len(names) >= _LEAST_RELEASES or (len(names) == 1 and not tells_kinds(candidates))


def releases(candidates: Candidates, changes: Sequence[Change], scores: FloatArray) -> list[Release]:
    """The releases that a changelog tells of, the newest first.

    Args:
        candidates: The sentences of the changelog.
        changes: Its changes.
        scores: What each sentence is worth.
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
        order = {change: _order(change, candidates, scores, has_lists=has_lists) for change in notable}
        made.append(
            Release(
                heading=_plain_release(name),
                changes=tuple(sorted(notable, key=order.__getitem__)),
                count=len(own),
            )
        )
    return sorted(made, key=lambda release: _number_of(release.heading), reverse=True)


def _order(
    change: Change, candidates: Candidates, scores: FloatArray, *, has_lists: bool
) -> tuple[int, bool, float]:
    """What the changes of a release are ordered by; ``has_lists``: whether others stand in lists by kind."""
    row = _speaker(change)
    is_highlight = has_lists and kind_of_heading(candidates, row) < 0
    place = urgency(
        change,
        candidates.sentences[row].text,
        is_cut=is_cut(candidates, change),
        is_highlight=is_highlight,
    )
    return place, bool(candidates.num_words[row] > _LONG), -float(scores[row])


def _by_release(extractor: Extractor, changes: Sequence[Change]) -> Extract | None:
    """What the newest releases of one changelog change, and which others it tells of."""
    candidates = extractor.candidates
    told = releases(candidates, changes, extractor.scores.values)
    room = extractor.num_words if extractor.request.has_length else min(extractor.num_words, _MOST_WORDS)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    quoted_of: set[str] = set()
    for release in _to_be_told(told):
        most = _MOST_CHANGES
        if _is_patch(release.heading) and len(told) > 1 and release.count <= _MANY_CHANGES:
            most = _MOST_CHANGES_OF_A_PATCH
        taken: list[Change] = []
        for change in release.changes:
            if len(taken) == most:
                break
            if _has_enough(change, taken, release):
                continue
            if candidates.num_words[_speaker(change)] <= room and not _repeats(change, taken, candidates):
                taken.append(change)
                room -= int(candidates.num_words[_speaker(change)])
        if not taken:
            continue
        quoted = {
            _speaker(change): _quote(extractor, change, len(sentences) + at, is_labelled=True)
            for at, change in enumerate(taken)
        }
        sentences |= quoted
        quoted_of.add(release.heading)
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
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        warnings=tuple(warnings),
    )


def _has_enough(change: Change, taken: Sequence[Change], release: Release) -> bool:
    """Whether so many of a kind are told of a release that its other kinds come first."""
    most = {FEATURES: _MOST_OF_FEATURES, OTHER: 0, SMALLER: 0}.get(change.kind, _MOST_OF_A_KIND)
    return sum(each.kind == change.kind for each in taken) >= most and any(
        each.kind not in (change.kind, OTHER, SMALLER) for each in release.changes
    )


def _to_be_told(told: Sequence[Release]) -> Iterator[Release]:
    """The newest releases, while they have little to tell, and the one that they mend."""
    count = 0
    mended = next(
        (each for each in told if each.changes and not (_is_patch(each.heading) or _is_early(each.heading))),
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


def _repeats(change: Change, taken: Sequence[Change], candidates: Candidates) -> bool:
    """Whether a change says again what one of those taken says: highlights and lists may both tell it."""
    own = _content(candidates, change)
    return any(
        len(own & other) >= _SAME * min(len(own), len(other))
        for other in (_content(candidates, each) for each in taken)
        if own and other
    )


def _content(candidates: Candidates, change: Change) -> set[str]:
    terms = map(stem, split_terms(candidates.sentences[_speaker(change)].text))
    return {term for term in terms if not is_function_word(term)}


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


def _is_patch(heading: str) -> bool:
    """Whether a release, 3.1.2, mends another, 3.1."""
    numbers = _number_of(heading)
    return len(numbers) > 2 and numbers[2] > 0


def _listed(names: Sequence[str]) -> str:
    """The names of releases, those in the middle of many counted."""
    if len(names) <= _LISTED:
        return "; ".join(names)
    return f"{names[0]}; {names[1]}; … {names[-1]} ({len(names)} releases)"


def _plain_release(name: str) -> str:
    plain = name.strip().strip("*#= ").replace("[", "").replace("]", "").rstrip(".:?")
    # "10.4. Version 4.6.0"
    return re.sub(r"^\d+(?:\.\d+)*\.? (?=[Vv]ersion|[Rr]elease)", "", plain)


def _number_of(heading: str) -> tuple[int, ...]:
    """What releases are ordered by; the one to come is the newest, and 3.1b2 older than 3.1."""
    named = names_release(heading) or (re.findall(r"\d[\w.]*", heading) or [""])[0]
    if not named[:1].isdigit():
        return (sys.maxsize,)
    early = _EARLY.match(named)
    if early is None:
        given = list(map(int, re.findall(r"\d+", named)))
        return (*given, *[0] * (4 - len(given)))
    final, sign, rest = early.groups()
    numbers = [int(number) for number in final.split(".")]
    numbers += [0] * (3 - len(numbers))
    return (*numbers, -1, ord(sign[0]), *map(int, re.findall(r"\d+", rest)))


def _is_early(heading: str) -> bool:
    """Whether a release comes before the one that it is named after: 3.1b2, 3.1.0-rc.1."""
    return _EARLY.match(names_release(heading) or "") is not None


# ---- what is quoted


def _quote(extractor: Extractor, change: Change, index: int, *, is_labelled: bool = False) -> SummarySentence:
    """A change as it is shown: labelled by its kind where nothing else tells it, and by its heading."""
    row = _speaker(change)
    candidates = extractor.candidates
    quoted = extractor.quote(row, index)
    text = plain_change(quoted.text)
    source = candidates.sentences[row].text
    label = label_of(change, source, is_cut=is_cut(candidates, change)) if is_labelled else None
    if label is not None:
        text = without_label(text)
    if change.topic is not None and not says_topic(text, change.topic):
        label = change.topic if label is None else f"{label}, {change.topic}"
    return replace(quoted, text=text, label=label)
