"""Summaries of release notes: by kind of change, what must be known first.

A release has a few changes that everybody should know of and many that few will notice. A summary quotes the
first, under the kind that the notes give them, and counts the others. A changelog of several releases is told
by release.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.collection import left_out
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import shown_heading, titles_notes
from lsum_cli.methods.extract.release_notes.change import Change
from lsum_cli.methods.extract.release_notes.change_ranker import score_changes, worth_telling
from lsum_cli.methods.extract.release_notes.changelog import write_changelog
from lsum_cli.methods.extract.release_notes.changes import changes_of
from lsum_cli.methods.extract.release_notes.commits import told_of_commits
from lsum_cli.methods.extract.release_notes.kinds import (
    BREAKING,
    CLOSED,
    DEPRECATED,
    FEATURES,
    HIGHLIGHTS,
    KINDS,
    OTHER,
    OVERVIEW,
    REMOVED,
    SECURITY,
    SMALLER,
    UPGRADE,
    is_of_a_kind,
    tells_kinds,
)
from lsum_cli.methods.extract.release_notes.quotes import quote_changes, words_shown
from lsum_cli.methods.extract.release_notes.releases import release_of_sentences, tells_releases
from lsum_cli.methods.extract.release_notes.wording import is_in_general
from lsum_cli.methods.extract.release_notes.worth import (
    LONG_CHANGE,
    MOST_HIGHLIGHTS,
    MOST_OF_A_KIND,
    MOST_OF_FEATURES,
    MOST_WORDS,
    best_of_sections,
    headings_of_others,
    rarity_of_terms,
    repeats,
)
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.running_text import write_text
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, SummarySentence
from lsum_cli.text.patterns import regex

# What breaks, what is gone and what is new are told each for itself.
_FACTOR = 1.3
# The kinds of which a reader must know something, and more of what breaks.
_NEEDED = (SECURITY, BREAKING, FEATURES, REMOVED, DEPRECATED, UPGRADE, BREAKING)
# Of several documents so many are to tell kinds of changes.
_MOST_OF_DOCUMENTS = 0.8
_MOST_IN_GENERAL = 2
_SHARE_OF_HIGHLIGHTS = 0.6
# What is told of a security issue takes so many words more.
_WORDS_OF_AN_ISSUE = 25
# Of a list of commits so much is told at least, and nothing where so many changes are told otherwise.
_SHARE_OF_COMMITS, _MANY_TOLD = 0.4, 5
# What is said of the release, not of the program in general.
_OF_A_RELEASE = regex(r"\b(?:releases?|versions?|series|upgrad\w+)\b|\d\.\d", re.IGNORECASE)


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
        made = write_changelog(extractor, changes)
        if made is not None:
            return made
    # Where dates are all that stands below the headings there is no change to tell.
    return _by_kind(extractor, changes) if changes else write_text(extractor)


def _by_kind(extractor: Extractor, changes: Sequence[Change]) -> Extract:
    request = extractor.request
    named = sorted(NAMED_LENGTHS.values(), reverse=True)
    room = extractor.num_words if request.has_length else min(int(_FACTOR * extractor.num_words), MOST_WORDS)
    if request.all_lengths:
        room = named[0]
    if request.as_suits:
        room = min(room + _WORDS_OF_AN_ISSUE * sum(change.is_issue for change in changes), MOST_WORDS)
    worth, rarity = score_changes(extractor, changes), rarity_of_terms(extractor.candidates, changes)

    told_otherwise = sum(
        change.speaks is not None
        and not change.is_commit
        and change.kind not in (OVERVIEW, SECURITY, CLOSED, OTHER)
        for change in changes
    )
    # Notes that tell the changes themselves list the commits beside.
    commits = told_of_commits(extractor.candidates, changes, worth) if told_otherwise < _MANY_TOLD else []

    def choose(changes: Sequence[Change], words: int) -> list[Change]:
        if len(extractor.documents) > 1:
            return _preferred(extractor, changes, words)
        listed = [change for change in changes if change.is_commit]
        others = [change for change in changes if not change.is_commit]
        of_others = int((1 - _SHARE_OF_COMMITS) * words) if listed and others else words
        held = (
            _greatest(extractor.candidates, others, of_others, worth, rarity, as_suits=request.as_suits)
            if others
            else []
        )
        words -= sum(words_shown(extractor.candidates, change) for change in held)
        for change in listed:
            needed = words_shown(extractor.candidates, change)
            if needed <= words and not repeats(change, held, extractor.candidates, rarity):
                held.append(change)
                words -= needed
        return held

    # A summary of a named length is part of the next longer one.
    chosen = [change for change in changes if not change.is_commit] + commits
    for words in [words for words in named if words >= room] if room in named else [room]:
        chosen = choose(chosen, words)
    if not chosen:
        # Of a summary too short for any, one.
        shown = [change for change in changes if change.speaks is not None] or changes
        chosen = [min(shown, key=lambda change: int(extractor.candidates.num_words[change.row]))]
    shorter: list[list[int]] = []
    if request.all_lengths:
        held = chosen
        for words in named[1:]:
            held = choose(held, words)
            shorter.insert(0, [row for change in held for row in change.shown])
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
        quoted = quote_changes(extractor, own, len(sentences))
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
        other_sections=headings_of_others(extractor, changes, chosen),
        warnings=tuple(warnings),
    )


def _greatest(
    candidates: Candidates,
    changes: Sequence[Change],
    room: int,
    worth: Mapping[Change, float],
    rarity: Mapping[str, float],
    *,
    as_suits: bool,
) -> list[Change]:
    """The changes that say most, in so many words: the highlights, one at least of each kind that is needed.

    What few will notice is told where there is nothing else; nothing is told twice.
    """
    firsts = best_of_sections(changes, worth)
    great = [
        change
        for change in firsts
        if change.kind not in (SMALLER, CLOSED, OTHER)
        and (change.kind != OVERVIEW or _tells_of_release(candidates.sentences[change.row].text))
    ]
    ordered = sorted(great or firsts, key=worth.__getitem__, reverse=True)
    if as_suits:
        ordered = worth_telling(ordered, worth)
    held: list[Change] = []

    def take(waiting: Sequence[Change], most: int, words: int) -> int:
        """Take so many in so many words; returns the words that remain."""
        taken = 0
        for change in waiting:
            needed = words_shown(candidates, change)
            if taken == most or needed > words or change in held or repeats(change, held, candidates, rarity):
                continue
            held.append(change)
            taken += 1
            words -= needed
        return words

    highlights = [change for change in ordered if change.kind == HIGHLIGHTS]
    room -= (most := int(_SHARE_OF_HIGHLIGHTS * room)) - take(highlights, MOST_HIGHLIGHTS, most)
    # Each security issue is told before more is told of one.
    issues = [change for change in ordered if change.is_issue]
    if issues:
        room = take([change for change in ordered if change.kind == OVERVIEW], 1, room)
    room = take([replace(change, beside=None) for change in issues], len(issues), room)
    for change in issues:
        more = words_shown(candidates, change) - words_shown(candidates, replace(change, beside=None))
        if change in held and more <= room:
            held[held.index(change)] = change
            room -= more
    for kind in _NEEDED:
        own = [change for change in ordered if change.kind == kind]
        short = [change for change in own if candidates.num_words[change.row] <= LONG_CHANGE]
        room = take(short or own, 1, room)
    general = [change for change in ordered if change.kind == OVERVIEW]
    room = take(general, _MOST_IN_GENERAL, room)
    others = [change for change in ordered if change.kind not in (OVERVIEW, HIGHLIGHTS)]
    count: Counter[int] = Counter()
    few = []
    for change in others:
        count[change.kind] += 1
        if count[change.kind] <= (MOST_OF_FEATURES if change.kind == FEATURES else MOST_OF_A_KIND):
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
    of_row = {change.row: change for change in changes if change.speaks is not None}
    great = {row: change for row, change in of_row.items() if change.kind not in (SMALLER, CLOSED, OTHER)}
    of_row = great or of_row
    held: dict[int, Change] = {}
    for kind in _NEEDED:
        own = [row for row, change in of_row.items() if change.kind == kind]
        own = [row for row in own if candidates.num_words[row] <= room]
        if own:
            best = max(
                own, key=lambda row: (bool(candidates.num_words[row] <= LONG_CHANGE), float(values[row]))
            )
            held[best] = of_row[best]
            room -= int(candidates.num_words[best])
    others = [row for row in of_row if row not in held and candidates.num_words[row] <= room]
    for row in extractor.select(room, extractor.mask(others)) if others else []:
        held[row] = of_row[row]
    return sorted(held.values(), key=lambda each: (each.kind, each.rows))


def _tells_of_release(text: str) -> bool:
    return _OF_A_RELEASE.search(text) is not None and not is_in_general(text)


def _release_named(extractor: Extractor) -> str | None:
    """The title of notes of one release, which names it."""
    if len(extractor.documents) > 1:
        return None
    title = extractor.documents[0].title or ""
    # "3.1 release notes" has no place in a list.
    return next((each for each in (shown_heading(title), title) if re.search(r"\d", each)), None)
