"""Summaries of release notes and changelogs: by kind of change or by release, what must be known first.

A release has a few changes that everybody should know of and many that few will notice. A summary quotes the
first, under the kind that the notes give them, and counts the others. A changelog is told by release.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.change_wording import is_in_general, is_minor, says_topic
from lsum_cli.methods.extract.changes import (
    BREAKING,
    DEPRECATED,
    FEATURES,
    FEWEST_WORDS,
    FIXES,
    HIGHLIGHTS,
    KINDS,
    OTHER,
    OVERVIEW,
    REMOVED,
    SECURITY,
    SMALLER,
    UPGRADE,
    Change,
    changes_of,
    drops_support,
    is_cut,
    is_of_a_kind,
    kind_of_heading,
    label_of,
    plain_change,
    release_of_sentences,
    tells_kinds,
    urgency,
    without_label,
)
from lsum_cli.methods.extract.collection import left_out
from lsum_cli.methods.extract.contents import names_its_text
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import names_release, shown_heading, titles_notes
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.running_text import write_text
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import is_function_word, split_terms, stem

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
_SHARE_OF_PATCHES = 0.4
# What takes more words is told where nothing shorter is.
_LONG = 40
# Two changes are one, told twice, if they share so much of the terms of the shorter.
_SAME, _LEAST_RARITY = 0.6, 0.1
# So many of a kind, where a release has changes of others.
_MOST_OF_A_KIND, _MOST_OF_FEATURES = 3, 5
# So many of a section whose heading names what they are about.
_MOST_OF_A_SECTION = 2
_MOST_IN_GENERAL = 2
_MOST_HIGHLIGHTS, _SHARE_OF_HIGHLIGHTS = 7, 0.6
# What makes a change worth telling beside what its sentence says: that it states the change, that much is
# said of it, that it is told first, and that something is supported no longer; and what makes it less so.
_CLARITY, _LENGTH, _LONG_SECTION, _TOLD_FIRST, _DROPPED = 0.8, 0.8, 120, 0.8, 1.2
_MINOR, _SHORT, _PER_WORD = 1.0, 20, 0.03
# So many headings of other changes are named, of those kinds first; none that a change told says.
_MOST_NAMED, _NAMED_ALREADY = 10, 0.75
_URGENCY = {SECURITY: 1.0, BREAKING: 0.6, REMOVED: 0.5, DEPRECATED: 0.3, FEATURES: 0.5}
# The name of a module alone says where something changed, and of what is gone or will be, what.
_MODULE = regex(r"[a-z_]\w*(?:\.\w+)*")
# What a guide through the notes has headings for.
_OF_A_GUIDE = regex(r"(?:step \d|usage|what|how|documentation|troubleshooting|supported)\b.*", re.IGNORECASE)
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
    return tells_kinds(candidates) or tells_releases(candidates) or titles_notes(candidates.titles[0])


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
    request = extractor.request
    named = sorted(NAMED_LENGTHS.values(), reverse=True)
    room = extractor.num_words if request.has_length else min(int(_FACTOR * extractor.num_words), _MOST_WORDS)
    if request.all_lengths:
        room = named[0]
    worth, rarity = _worth(extractor, changes), _rarity(extractor.candidates, changes)

    def choose(changes: Sequence[Change], words: int) -> list[Change]:
        if len(extractor.documents) > 1:
            return _preferred(extractor, changes, words)
        return _greatest(extractor.candidates, changes, words, worth, rarity)

    # A summary of a named length is part of the next longer one.
    chosen = list(changes)
    for words in [words for words in named if words >= room] if room in named else [room]:
        chosen = choose(chosen, words)
    if not chosen:
        # Of a summary too short for any, one.
        shown = [change for change in changes if change.speaks is not None] or changes
        chosen = [min(shown, key=lambda change: int(extractor.candidates.num_words[_speaker(change)]))]
    shorter: list[list[int]] = []
    if request.all_lengths:
        held = chosen
        for words in named[1:]:
            held = choose(held, words)
            shorter.insert(0, [_speaker(change) for change in held])
        shorter.insert(0, extractor.one_of(shorter[0]))
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
        lengths=extractor.lengths(sentences, shorter),
        other_sections=_named(extractor, changes, chosen),
        warnings=tuple(warnings),
    )


def _greatest(
    candidates: Candidates,
    changes: Sequence[Change],
    room: int,
    worth: Mapping[Change, float],
    rarity: Mapping[str, float],
) -> list[Change]:
    """The changes that say most, in so many words: the highlights, one at least of each kind that is needed.

    What few will notice is told where there is nothing else; nothing is told twice.
    """
    firsts = _best_of_sections(changes, worth)
    great = [
        change
        for change in firsts
        if change.kind not in (SMALLER, OTHER)
        and (change.kind != OVERVIEW or _tells_of_release(candidates.sentences[_speaker(change)].text))
    ]
    ordered = sorted(great or firsts, key=worth.__getitem__, reverse=True)
    held: list[Change] = []

    def take(waiting: Sequence[Change], most: int, words: int) -> int:
        """Take so many in so many words; returns the words that remain."""
        taken = 0
        for change in waiting:
            needed = _words_shown(candidates, change)
            if (
                taken == most
                or needed > words
                or change in held
                or _repeats(change, held, candidates, rarity)
            ):
                continue
            held.append(change)
            taken += 1
            words -= needed
        return words

    highlights = [change for change in ordered if change.kind == HIGHLIGHTS]
    room -= (most := int(_SHARE_OF_HIGHLIGHTS * room)) - take(highlights, _MOST_HIGHLIGHTS, most)
    for kind in _NEEDED:
        own = [change for change in ordered if change.kind == kind]
        short = [change for change in own if candidates.num_words[_speaker(change)] <= _LONG]
        room = take(short or own, 1, room)
    general = [change for change in ordered if change.kind == OVERVIEW]
    room = take(general, _MOST_IN_GENERAL, room)
    others = [change for change in ordered if change.kind not in (OVERVIEW, HIGHLIGHTS)]
    count: Counter[int] = Counter()
    few = []
    for change in others:
        count[change.kind] += 1
        if count[change.kind] <= (_MOST_OF_FEATURES if change.kind == FEATURES else _MOST_OF_A_KIND):
            few.append(change)
    room = take(few, len(few), room)
    # Beyond that what breaks and what is new says more than what will be gone one day.
    take(
        sorted(others, key=lambda change: change.kind not in (SECURITY, BREAKING, FEATURES)),
        len(others),
        room,
    )
    return sorted(held, key=lambda each: (each.kind, each.rows))


def _preferred(extractor: Extractor, changes: Sequence[Change], room: int) -> list[Change]:
    """Of a folder of notes the changes that readers would prefer, in so many words.

    One at least of each kind that is needed; readers chose from folders like these, see ``ranker.py``.
    """
    candidates, values = extractor.candidates, extractor.scores.values
    of_row = {_speaker(change): change for change in changes if change.speaks is not None}
    great = {row: change for row, change in of_row.items() if change.kind not in (SMALLER, OTHER)}
    of_row = great or of_row
    held: dict[int, Change] = {}
    for kind in _NEEDED:
        own = [row for row, change in of_row.items() if change.kind == kind]
        own = [row for row in own if candidates.num_words[row] <= room]
        if own:
            best = max(own, key=lambda row: (bool(candidates.num_words[row] <= _LONG), float(values[row])))
            held[best] = of_row[best]
            room -= int(candidates.num_words[best])
    others = [row for row in of_row if row not in held and candidates.num_words[row] <= room]
    for row in extractor.select(room, extractor.mask(others)) if others else []:
        held[row] = of_row[row]
    return sorted(held.values(), key=lambda each: (each.kind, each.rows))


def _tells_of_release(text: str) -> bool:
    return _OF_A_RELEASE.search(text) is not None and not is_in_general(text)


def _worth(extractor: Extractor, changes: Sequence[Change]) -> dict[Change, float]:
    """What each change is worth to a reader, as its sentence, its section and its heading show it."""
    candidates, values = extractor.candidates, extractor.scores.values
    told = _terms_told_first(candidates, changes)
    made = {}
    for change in changes:
        if change.speaks is None:
            continue
        text = candidates.sentences[change.speaks].text
        topic = change.topic or ""
        words = int(candidates.num_words[list(change.rows)].sum())
        own = _content(candidates, change)
        worth = float(values[change.speaks]) + _CLARITY * change.clarity
        if change.topic is not None:
            worth += _LENGTH * min(1.0, words / _LONG_SECTION)
        if change.kind not in (OVERVIEW, HIGHLIGHTS) and own:
            worth += _TOLD_FIRST * len(own & told) / len(own)
        worth += _DROPPED * drops_support(f"{topic} {text}")
        worth -= _MINOR * is_minor(f"{topic} {text}")
        worth -= _PER_WORD * max(0, int(candidates.num_words[change.speaks]) - _SHORT)
        made[change] = worth
    return made


def _terms_told_first(candidates: Candidates, changes: Sequence[Change]) -> set[str]:
    """The terms of what the notes say of the release in general, and of its highlights."""
    return {
        term
        for change in changes
        if change.kind in (OVERVIEW, HIGHLIGHTS)
        for row in change.rows
        for term in _terms_of(candidates.sentences[row].text)
    }


def _best_of_sections(changes: Sequence[Change], worth: Mapping[Change, float]) -> list[Change]:
    """The changes, of a section whose heading names what they are about only the one that is worth most."""
    kept: list[Change] = []
    topic: tuple[str | None, int] = (None, 0)
    for number, change in enumerate(changes):
        begins = number - change.place
        if change not in worth:
            continue
        if change.topic is None or topic != (change.topic, begins):
            kept.append(change)
        elif worth[change] > worth[kept[-1]]:
            kept[-1] = change
        topic = (change.topic, begins)
    return kept


def _words_shown(candidates: Candidates, change: Change) -> int:
    """How many words a change takes, with the heading before it."""
    row = _speaker(change)
    label = (
        change.topic if change.topic and not says_topic(candidates.sentences[row].text, change.topic) else ""
    )
    return int(candidates.num_words[row]) + len(label.split())


def _named(
    extractor: Extractor, changes: Sequence[Change], chosen: Sequence[Change], *, most: int = _MOST_NAMED
) -> tuple[str, ...]:
    """The headings of other changes that matter, in their order, as far as they say what changed."""
    request = extractor.request
    if len(extractor.documents) > 1 or not request.as_suits or request.show_chapters:
        return ()
    candidates = extractor.candidates
    told = {change.topic for change in chosen}
    said = [_content(candidates, change) for change in chosen]
    sections: dict[str, list[Change]] = {}
    for change in changes:
        if change.topic is not None and change.kind not in (OVERVIEW, HIGHLIGHTS, SMALLER, OTHER, FIXES):
            sections.setdefault(change.topic, []).append(change)
    weights: dict[str, float] = {}
    for topic, own in sections.items():
        terms = _terms_of(topic)
        if (
            topic in told
            or not names_its_text(topic)
            or _OF_A_GUIDE.fullmatch(topic)
            or (
                _MODULE.fullmatch(topic)
                and kind_of_heading(candidates, own[0].rows[0]) not in (BREAKING, REMOVED, DEPRECATED)
            )
            or any(len(terms & other) >= _NAMED_ALREADY * len(terms) for other in said)
        ):
            continue
        words = sum(int(candidates.num_words[row]) for change in own for row in change.rows)
        weights[topic] = _URGENCY.get(own[0].kind, 0.0) + min(1.0, words / _LONG_SECTION) - is_minor(topic)
    kept = set(sorted(weights, key=weights.__getitem__, reverse=True)[:most])
    return tuple(topic for topic in weights if topic in kept)


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
                heading=_plain_release(name),
                changes=tuple(sorted(notable, key=order.__getitem__)),
                count=len(own),
            )
        )
    return sorted(made, key=lambda release: _number_of(release.heading), reverse=True)


def _order(
    change: Change, candidates: Candidates, worth: Mapping[Change, float], *, has_lists: bool
) -> tuple[int, bool, float]:
    """What the changes of a release are ordered by; ``has_lists``: whether others stand in lists by kind."""
    row = _speaker(change)
    is_highlight = has_lists and change.topic is None and kind_of_heading(candidates, row) < 0
    place = urgency(
        change,
        candidates.sentences[row].text,
        is_cut=is_cut(candidates, change),
        is_highlight=is_highlight,
    )
    return place, bool(candidates.num_words[row] > _LONG), -worth[change]


def _by_release(extractor: Extractor, changes: Sequence[Change]) -> Extract | None:
    """What the newest releases of one changelog change, and which others it tells of."""
    candidates = extractor.candidates
    told = releases(candidates, changes, _worth(extractor, changes))
    rarity = _rarity(candidates, changes)
    room = extractor.num_words if extractor.request.has_length else min(extractor.num_words, _MOST_WORDS)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    quoted_of: set[str] = set()
    told_changes: list[Change] = []
    waiting = list(_to_be_told(told))
    # The release that others mend has most of the words.
    kept = int((1 - _SHARE_OF_PATCHES) * room) if waiting and not _is_patch(waiting[-1].heading) else 0
    for release in waiting:
        most = _MOST_CHANGES
        is_patch = _is_patch(release.heading)
        if is_patch and len(told) > 1 and release.count <= _MANY_CHANGES:
            most = _MOST_CHANGES_OF_A_PATCH
        spared = kept if is_patch else 0
        taken: list[Change] = []
        for change in release.changes:
            if len(taken) == most:
                break
            if _has_enough(change, taken, release):
                continue
            words = int(candidates.num_words[_speaker(change)])
            if words <= room - spared and not _repeats(change, taken, candidates, rarity):
                taken.append(change)
                room -= words
        if not taken:
            continue
        quoted = {
            _speaker(change): _quote(extractor, change, len(sentences) + at, is_labelled=True)
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
    of_told = [each for each in changes if each.release and _plain_release(each.release) in quoted_of]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        other_sections=_named(extractor, of_told, told_changes),
        warnings=tuple(warnings),
    )


def _has_enough(change: Change, taken: Sequence[Change], release: Release) -> bool:
    """Whether so many of a kind are told of a release that its other kinds come first."""
    if change.topic and sum(each.topic == change.topic for each in taken) >= _MOST_OF_A_SECTION:
        return True
    most = {HIGHLIGHTS: _MOST_HIGHLIGHTS, FEATURES: _MOST_OF_FEATURES, OTHER: 0, SMALLER: 0}.get(
        change.kind, _MOST_OF_A_KIND
    )
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


def _rarity(candidates: Candidates, changes: Sequence[Change]) -> dict[str, float]:
    """How much each term of the changes says: the fewer of them have it, the more."""
    count = Counter(term for change in changes for term in _content(candidates, change))
    return {term: max(_LEAST_RARITY, math.log(len(changes) / number)) for term, number in count.items()}


def _repeats(
    change: Change, taken: Sequence[Change], candidates: Candidates, rarity: Mapping[str, float]
) -> bool:
    """Whether a change says again what one of those taken says: highlights and lists may both tell it."""

    def weight(terms: frozenset[str]) -> float:
        return sum(map(rarity.__getitem__, terms))

    own = _content(candidates, change)
    return any(
        weight(own & other) >= _SAME * min(weight(own), weight(other))
        for other in (_content(candidates, each) for each in taken)
        if own and other
    )


def _content(candidates: Candidates, change: Change) -> frozenset[str]:
    return _terms_of(candidates.sentences[_speaker(change)].text)


@lru_cache(maxsize=1 << 14)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(stem(term) for term in split_terms(text) if not is_function_word(term))


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
        label = f"{label}, {change.topic}" if label else change.topic
    return replace(quoted, text=text, label=label)
