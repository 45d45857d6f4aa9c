"""Summaries of changelogs: by release, the newest first, as many changes of each as users want to be told.

The changes of all releases are weighed together, those of later ones more. Releases of which several are
quoted have a heading; of earlier ones the few that matter most stand in a list.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import shown_heading
from lsum_cli.methods.extract.listed_changes.change import Change, says_enough
from lsum_cli.methods.extract.listed_changes.changes import is_cut, names_only_a_flaw
from lsum_cli.methods.extract.listed_changes.kinds import (
    CLOSED,
    FIXES,
    HIGHLIGHTS,
    OVERVIEW,
    SECURITY,
    URGENCY_OF_LOSS,
    drops_support,
    ends_the_same,
    is_of_security_in_general,
    kind_of_heading,
    must_be_known,
    numbers_flaw,
    platform_ended,
    platform_supported,
    urgency,
)
from lsum_cli.methods.extract.listed_changes.leads import tells_of_release
from lsum_cli.methods.extract.listed_changes.releases import (
    Release,
    final_of,
    is_early,
    is_patch,
    release_of_sentences,
    releases_of,
    series_of,
)
from lsum_cli.methods.extract.listed_changes.support import ends_within, is_surpassed
from lsum_cli.methods.extract.listed_changes.wording import is_minor, is_small_change
from lsum_cli.methods.extract.release_names import names_release, release_named_by
from lsum_cli.methods.extract.release_notes.change_ranker import score_changes
from lsum_cli.methods.extract.release_notes.earlier import (
    MOST_HEADED,
    RECENT,
    RECENT_FLAWS,
    filler_of,
    headlines_of,
    repairs_not_told,
    with_few_additions,
)
from lsum_cli.methods.extract.release_notes.generations import first_of_generations, last_of_generations
from lsum_cli.methods.extract.release_notes.landmarks import landmarks_of
from lsum_cli.methods.extract.release_notes.opening import ABOUT_THE_FILE, opening_of
from lsum_cli.methods.extract.release_notes.other_sections import headings_of_others
from lsum_cli.methods.extract.release_notes.past_support import past_support
from lsum_cli.methods.extract.release_notes.quotes import quote_change, words_shown
from lsum_cli.methods.extract.release_notes.selection import (
    MOST_WORDS,
    rarity_of_terms,
    select_changes,
    suitable_words,
)
from lsum_cli.methods.extract.request import Extract
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex

# What the age of a release costs its changes, by the logarithm of how many are newer, and fixes once more;
# that it only mends another; what it counts that it begins a series.
_PER_AGE, _OF_A_PATCH, _BEGINS_SERIES = 0.3, 0.2, 0.3
# What counts that a change is what the notes say of the release as a whole.
_OF_RELEASE = 0.8
# Flaws of the newest releases take up to this share of the words before anything else: of so many that mend
# none, and of those that mend these.
_OF_FLAWS, _MOST_WITH_FLAWS = 0.35, 3
# In so many of the newest the number of a flaw is told that nothing is said of.
_MOST_WITH_NUMBERS = 8
# What is chiefly new takes up to this share of the words.
_OF_SURE = 0.5
# What the history is known for takes up to this share.
_OF_LANDMARKS = 0.3
# That support of versions of something ends is quoted so often, the newest first, with that of all else.
_MOST_DROPPED = 4
# Of a changelog with a long history so many changes are told of the newest release (and of the one that it
# mends), and of each other one.
_MOST_OF_FIRST, _MOST_OF_OTHERS = 8, 5
_LISTED = 6
_LISTED_BEFORE = 4
_LONGEST_NAME = 45  # characters
# "Changes between 3.1 and 3.2", "What's new in Lathe 3.2" head a list.
_IS_HEADLINE = regex(
    r"(?:(?:noteworthy|notable|major|main|important|significant|user[- ]visible) )?"
    r"changes (?:in|from|between)\b"
    r"|(?:what['’]s )?new (?:in|since)\b|overview of changes\b|release notes for\b",
    re.IGNORECASE,
)
_NUMBER = regex(r"\d+(?:\.\w+)+")


def write_changelog(extractor: Extractor, changes: Sequence[Change]) -> Extract | None:
    """What the releases of one changelog change, the newest first, as far as users want to be told."""
    candidates, request = extractor.candidates, extractor.request
    changes = _with_newest_told(candidates, _with_numbers_of_flaws(candidates, changes))
    releases = releases_of(candidates, changes)
    fitted = score_changes(extractor, changes)
    of_whole = _of_whole_releases(candidates, releases, fitted)
    valued = _with_more(fitted, of_whole)
    last = set(last_of_generations(candidates, releases))
    begun = set(first_of_generations(candidates, releases))
    offered = _offered(candidates, releases, fitted, last, begun)
    first = list(_never_left_out(releases, offered))
    if request.as_suits:
        offered -= set(repairs_not_told(candidates, releases, offered, first, fitted))
    known = begun & offered | set(_known(candidates, releases, offered, last))
    words = extractor.num_words if request.has_length else suitable_words(extractor.num_words)
    flaws = _flaws_of_newest(candidates, releases, offered, fitted)
    flaws = _within(candidates, flaws, int(_OF_FLAWS * words))
    if request.as_suits:
        more = sum(words_shown(candidates, flaw) for flaw in flaws)
        words = max(words, min(words + more, MOST_WORDS))
    headlines = headlines_of(candidates, releases, offered, valued)
    sure = _within(candidates, headlines, int(_OF_SURE * words))
    landmarks = landmarks_of(candidates, releases, offered, valued) if request.as_suits else []
    sure += _within(candidates, landmarks, int(_OF_LANDMARKS * words))
    score = {
        # A release that others mend is as new as these, what it fixes is not.
        change: fitted[change] - _cost_of(release, change.kind, newer, is_first=release in first)
        for newer, release in enumerate(releases)
        for change in release.changes
        if change in offered
    }
    rarity = rarity_of_terms(candidates, changes)
    filler = set(filler_of(candidates, releases, offered, first, known, sure, valued))

    def select(score: Mapping[Change, float], *groups: Sequence[Change]) -> list[Change]:
        return select_changes(
            candidates,
            [change for change in changes if change in offered],
            score,
            rarity,
            words,
            as_suits=request.as_suits,
            first=[*(release.changes for release in first), *([flaw] for flaw in flaws), *groups],
            known=known,
            filler=filler,
        )

    selected = select(score)
    if of_whole or not set(sure) <= set(selected):
        # What is chiefly new, what releases are about and the history do not take the room of what breaks.
        newest = {release.name for release in first}
        rows = {
            change.rows
            for change in selected
            if _is_urgent(candidates, change, is_first=change.release in newest)
        }
        kept = [change for change in changes if change.rows in rows]
        selected = select(_with_more(score, of_whole), *([change] for change in (*kept, *sure)))
    if not selected:
        return None
    if landmarks:
        selected = _with_landmarks(candidates, selected, landmarks, first, words)
    chosen = set(selected)
    quoted = [
        (release, own)
        for release in releases
        if (own := _in_order(candidates, release, [each for each in release.changes if each in chosen]))
    ]
    headed = _number_headed(quoted, {release.name for release in first})
    if request.as_suits:
        quoted[headed:] = with_few_additions(candidates, quoted[headed:], score)
    title = extractor.documents[0].title or ""
    opening = opening_of(extractor, words) if request.as_suits else []
    sentences: dict[int, SummarySentence] = extractor.quote_all(opening)
    entries = []
    if opening:
        # A title that is a release is that of the first.
        heading = "Opening" if not title or release_named_by(candidates, title) else title
        entries = [
            OutlineEntry(heading=heading, level=1, document_id=None, sentences=tuple(sentences.values()))
        ]
    level = len(entries) + 1

    def quote(change: Change) -> SummarySentence:
        return quote_change(extractor, change, len(sentences), is_labelled=True)

    def add(heading: str, own: dict[int, SummarySentence]) -> None:
        entries.append(
            OutlineEntry(heading=heading, level=level, document_id=None, sentences=tuple(own.values()))
        )

    for release, own in quoted[:headed]:
        count = len(release.changes)
        of_release = {}
        for change in own:
            of_release[change.row] = sentences[change.row] = quote(change)
        of_all = f" ({len(own)} of its {count} changes)" if count > len(own) else ""
        add(f"{release.heading}{of_all}", of_release)
    lines = {}
    for release, own in quoted[headed:]:
        for number, change in enumerate(own):
            line = _under_release(release, quote(change), is_named=number > 0)
            lines[change.row] = sentences[change.row] = line
    if lines:
        newest = {release.name for release, _ in quoted[:headed]}
        earlier = [release for release in releases if release.name not in newest]
        add(_span_of(earlier), lines)
    names = {release.name for release, _ in quoted}
    others = [release.heading for release in releases if release.name not in names]
    warnings = [f"not in the summary: {_listed(others)}"] if others else []
    warnings += _elsewhere(candidates, opening)
    of_headed = [change for release, _ in quoted[:headed] for change in release.changes]
    return Extract(
        sentences=tuple(sentences.values()),
        outline=tuple(entries),
        lengths=extractor.lengths(sentences),
        other_sections=headings_of_others(extractor, of_headed, selected),
        warnings=tuple(warnings),
    )


def _within(candidates: Candidates, changes: Iterable[Change], words: int) -> list[Change]:
    """The first of the changes that take so many words."""
    kept = []
    for change in changes:
        words -= words_shown(candidates, change)
        if words < 0:
            break
        kept.append(change)
    return kept


def _with_landmarks(
    candidates: Candidates,
    selected: Sequence[Change],
    landmarks: Sequence[Change],
    first: Sequence[Release],
    words: int,
) -> list[Change]:
    """Of a long history fewer changes of each release, and landmarks in their place."""
    of_first = {change.rows for release in first for change in release.changes}
    of_release: Counter[str | None] = Counter()
    kept = []
    for change in selected:
        of_release[change.release] += 1
        most = _MOST_OF_FIRST if change.rows in of_first else _MOST_OF_OTHERS
        if of_release[change.release] <= most:
            kept.append(change)
    told = {change.rows for change in kept}
    others = [change for change in landmarks if change.rows not in told]
    return kept + _within(candidates, others, words - sum(words_shown(candidates, each) for each in kept))


def _of_whole_releases(
    candidates: Candidates, releases: Sequence[Release], fitted: Collection[Change]
) -> set[Change]:
    """The changes that are what the notes say of a release as a whole; one that mends another says what."""
    return {
        change
        for release in releases
        if not is_patch(release.name)
        for change in release.changes
        if change in fitted and tells_of_release(candidates.sentences[change.row].text, change.release)
    }


def _with_more(score: Mapping[Change, float], of_whole: Collection[Change]) -> dict[Change, float]:
    """The scores, those of what is said of releases as a whole higher."""
    return {change: value + _OF_RELEASE * (change in of_whole) for change, value in score.items()}


def _is_urgent(candidates: Candidates, change: Change, *, is_first: bool) -> bool:
    """Whether a change breaks something, ends support or is of security; of the first releases, any loss."""
    if change.kind in (OVERVIEW, HIGHLIGHTS):
        return False
    text = candidates.sentences[change.row].text
    most = URGENCY_OF_LOSS if is_first else URGENCY_OF_LOSS - 1
    return platform_ended(text) is not None or urgency(change.kind, text) <= most


def _with_newest_told(candidates: Candidates, changes: Sequence[Change]) -> list[Change]:
    """The changes; of a newest release that has nothing but trifles the first can be quoted."""
    newest = next((release for release in releases_of(candidates, changes) if release.changes), None)
    if newest is None or any(change.speaks is not None for change in newest.changes):
        return list(changes)
    texts = {change: candidates.sentences[change.rows[0]].text for change in newest.changes}
    trifle = next((change for change, text in texts.items() if is_small_change(text)), None)
    return [replace(each, speaks=each.rows[0]) if each is trifle else each for each in changes]


def _with_numbers_of_flaws(candidates: Candidates, changes: Sequence[Change]) -> list[Change]:
    """The changes; "Fix CVE-2024-1234" can be quoted of a newest release that says no more of flaws."""
    bare: set[Change] = set()
    for release in releases_of(candidates, changes)[:_MOST_WITH_NUMBERS]:
        if not any(each.speaks is not None and each.kind == SECURITY for each in release.changes):
            texts = {each: candidates.sentences[each.rows[0]].text for each in release.changes}
            bare |= {each for each, text in texts.items() if each.speaks is None and names_only_a_flaw(text)}
    return [replace(each, speaks=each.rows[0], kind=SECURITY) if each in bare else each for each in changes]


def _offered(
    candidates: Candidates,
    releases: Sequence[Release],
    fitted: Mapping[Change, float],
    last: Collection[Change],
    begun: Collection[Change],
) -> set[Change]:
    """The changes that can be understood as they are quoted; not each support that ended long ago."""
    offered: set[Change] = set()
    num_versions = num_dropped = 0
    past = set(past_support(candidates, releases)).difference(last, begun)

    def better(change: Change) -> tuple[bool, float]:
        return change.kind != CLOSED, fitted[change]

    for release in releases:
        ended: dict[str, Change] = {}
        # What an issue asks for is not yet done.
        told = (each for each in release.changes if each.speaks is not None and each.kind != CLOSED)
        ends = [text for each in told if drops_support(text := candidates.sentences[each.row].text)]
        for change in release.changes:
            if change.speaks is None or change in past or _is_told_otherwise(candidates, change, release):
                continue
            text = candidates.sentences[change.row].text
            if drops_support(text) and any(ends_within(text, each) for each in ends if each != text):
                continue
            if platform_ended(text) is not None:
                # "Drop Lathe 3.7" and "Require Lathe 3.8" of one release are one.
                if any(is_surpassed(text, each) for each in ended):
                    continue
                same = next((each for each in ended if is_surpassed(each, text)), None)
                if same is not None:
                    # "Drop Lathe 3.7" says little beside "Drop Lathe 3.8".
                    offered.remove(ended.pop(same))
                    num_versions -= 1
                same = next((each for each in ended if ends_the_same(text, each)), None)
                if same is not None and better(change) > better(ended[same]):
                    offered.remove(ended.pop(same))
                elif same is not None or (num_versions >= _MOST_DROPPED and change not in last):
                    continue
                else:
                    num_versions += 1
                ended[text] = change
                offered.add(change)
            elif drops_support(text):
                num_dropped += 1
                if num_versions + num_dropped <= _MOST_DROPPED:
                    offered.add(change)
            elif says_enough(text):
                offered.add(change)
    return offered


def _flaws_of_newest(
    candidates: Candidates,
    releases: Sequence[Release],
    offered: Collection[Change],
    fitted: Mapping[Change, float],
) -> list[Change]:
    """What the newest releases say of security, those flaws first that have a number of their own."""
    newer = 0
    flaws: dict[Change, tuple[bool, float]] = {}
    for release in releases:
        if newer == _MOST_WITH_FLAWS:
            break
        for change in release.changes:
            if change in offered and change.kind == SECURITY:
                texts = [candidates.sentences[row].text for row in change.rows]
                if not is_minor(candidates.sentences[change.row].text):
                    flaws[change] = any(map(numbers_flaw, texts)), fitted[change]
        newer += not is_patch(release.name)
    return sorted(flaws, key=flaws.__getitem__, reverse=True)


def _known(
    candidates: Candidates, releases: Sequence[Release], offered: set[Change], last: Collection[Change]
) -> Iterator[Change]:
    """The changes that whoever upgrades must know, and not what a newer one makes past.

    That support of something ends or comes is known from the newest release that tells so; flaws and support
    are not of old releases.
    """
    told: dict[tuple[str, bool], str] = {}
    for newer, release in enumerate(releases):
        for change in release.changes:
            text = candidates.sentences[change.row].text
            if change not in offered or not must_be_known(change.kind, text):
                continue
            ended = platform_ended(text)
            platform = ended or platform_supported(text)
            if platform and told.setdefault((platform, ended is not None), release.name) != release.name:
                if change in last:
                    yield change
                continue
            is_recent = newer < (RECENT_FLAWS if numbers_flaw(text) else RECENT)
            if is_recent or (change.kind != SECURITY and (ended or platform is None)):
                yield change


def _is_told_otherwise(candidates: Candidates, change: Change, release: Release) -> bool:
    """Whether a change only says that a release is one of security, and another says what was wrong."""
    return is_of_security_in_general(candidates.sentences[change.row].text) and any(
        each.kind == SECURITY
        and each.speaks is not None
        and not is_of_security_in_general(candidates.sentences[each.row].text)
        for each in release.changes
    )


def _cost_of(release: Release, kind: int, newer: int, *, is_first: bool) -> float:
    """What is taken off the score of a change of this kind in a release that so many are newer than."""
    begins = not any(final_of(release.name)[1:])
    is_past = kind == FIXES or (kind == SECURITY and newer >= RECENT_FLAWS)
    of_age = _PER_AGE * math.log1p(newer) * ((not is_first) + is_past)
    return of_age + _OF_A_PATCH * is_patch(release.name) - _BEGINS_SERIES * begins


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
    if len(quoted) <= MOST_HEADED:
        return len(quoted)
    newest = enumerate(quoted[:MOST_HEADED], start=1)
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


def _under_release(release: Release, quoted: SummarySentence, *, is_named: bool) -> SummarySentence:
    """A sentence under the name of its release, after a line that has all of that under its number."""
    name = release.name
    numbered = _NUMBER.search(name)
    if numbered and quoted.text.removeprefix("v").startswith(f"{numbered[0]} "):
        # "20.0 drops the old gates" names it.
        return quoted
    if is_named or len(name) > _LONGEST_NAME or _IS_HEADLINE.match(name):
        number = names_release(name) or (_NUMBER.findall(name) or [name])[-1]
        written = re.search(rf"[vV]?{re.escape(number)}", name)
        name = written[0] if written else number
    return replace(quoted, label=f"{name}, {quoted.label}" if quoted.label else name)


def _span_of(earlier: Sequence[Release]) -> str:
    """What heads the lines on earlier releases: how many there are."""
    return "Earlier" if len(earlier) == 1 else f"From the {len(earlier)} earlier releases"


def _elsewhere(candidates: Candidates, opening: Sequence[int]) -> Iterator[str]:
    """What is to be said of the text before the first release, but its opening, and after the last one."""
    names = release_of_sentences(candidates)
    of_one = [row for row, name in enumerate(names) if name is not None]
    others = [
        row
        for row, name in enumerate(names)
        if name is None
        and row not in opening
        and ABOUT_THE_FILE.search(candidates.sentences[row].text) is None
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
