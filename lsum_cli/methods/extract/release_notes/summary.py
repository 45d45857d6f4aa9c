"""Summaries of release notes: by kind of change, what must be known first.

A release has a few changes that everybody should know of and many that few will notice. A summary quotes the
first, under the kind that the notes give them, and counts the others. A changelog of several releases goes
by release.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.collection import left_out
from lsum_cli.methods.extract.extractor import Extractor
from lsum_cli.methods.extract.kinds import shown_heading, titles_notes
from lsum_cli.methods.extract.listed_changes.change import Change
from lsum_cli.methods.extract.listed_changes.changes import changes_of
from lsum_cli.methods.extract.listed_changes.commits import select_commits
from lsum_cli.methods.extract.listed_changes.kinds import (
    BREAKING,
    CLOSED,
    DEPRECATED,
    FEATURES,
    KINDS,
    OTHER,
    OVERVIEW,
    REMOVED,
    SECURITY,
    SMALLER,
    UPGRADE,
    is_of_a_kind,
    must_be_known,
    tells_kinds,
)
from lsum_cli.methods.extract.listed_changes.releases import release_of_sentences, tells_releases
from lsum_cli.methods.extract.release_notes.change_ranker import score_changes
from lsum_cli.methods.extract.release_notes.changelog import write_changelog
from lsum_cli.methods.extract.release_notes.other_sections import headings_of_others
from lsum_cli.methods.extract.release_notes.quotes import quote_changes, words_shown
from lsum_cli.methods.extract.release_notes.selection import (
    MOST_WORDS,
    rarity_of_terms,
    repeats,
    select_changes,
    suitable_words,
)
from lsum_cli.methods.extract.request import Extract
from lsum_cli.methods.extract.running_text import write_text
from lsum_cli.methods.length import NAMED_LENGTHS
from lsum_cli.summaries import OutlineEntry, SummarySentence

# The kinds of which a reader must know something, and more of what breaks.
_NEEDED = (SECURITY, BREAKING, FEATURES, REMOVED, DEPRECATED, UPGRADE, BREAKING)
# Of a kind what takes more words is quoted where nothing shorter is.
_LONG_CHANGE = 40
# Of several documents so many are to tell kinds of changes.
_MOST_OF_DOCUMENTS = 0.8
# What is said of a security issue takes so many words more.
_WORDS_OF_AN_ISSUE = 25
# Of the words a list of commits has this share, and none where so many changes are stated otherwise.
_SHARE_OF_COMMITS, _MANY_STATED = 0.4, 5


def is_release_notes(candidates: Candidates) -> bool:
    """Whether release notes go by release or by kind of change: of several documents most do."""
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

    A changelog of several releases goes by release, the newest first.
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
    room = extractor.num_words if request.has_length else suitable_words(extractor.num_words)
    if request.all_lengths:
        room = named[0]
    if request.as_suits:
        room = min(room + _WORDS_OF_AN_ISSUE * sum(change.is_issue for change in changes), MOST_WORDS)
    score, rarity = score_changes(extractor, changes), rarity_of_terms(extractor.candidates, changes)

    known = {
        change
        for change in changes
        if change.speaks is not None
        and must_be_known(change.kind, extractor.candidates.sentences[change.row].text)
    }
    stated_otherwise = sum(
        change.speaks is not None
        and not change.is_commit
        and change.kind not in (OVERVIEW, SECURITY, CLOSED, OTHER)
        for change in changes
    )
    # Notes that state the changes themselves list the commits beside.
    commits = select_commits(extractor.candidates, changes, score) if stated_otherwise < _MANY_STATED else []

    def choose(changes: Sequence[Change], words: int) -> list[Change]:
        if len(extractor.documents) > 1:
            return _preferred(extractor, changes, words)
        listed = [change for change in changes if change.is_commit]
        others = [change for change in changes if not change.is_commit]
        of_others = int((1 - _SHARE_OF_COMMITS) * words) if listed and others else words
        issues = sorted(
            (each for each in others if each.is_issue and each in score), key=score.__getitem__, reverse=True
        )
        # What notes of security issues say of the release stands before these.
        overview = [change for change in others if change.kind == OVERVIEW] if issues else []
        selected = select_changes(
            extractor.candidates,
            others,
            score,
            rarity,
            of_others,
            as_suits=request.as_suits,
            first=[overview, *([issue] for issue in issues)],
            known=known,
        )
        words -= sum(words_shown(extractor.candidates, change) for change in selected)
        for change in listed:
            needed = words_shown(extractor.candidates, change)
            if needed <= words and not repeats(change, selected, extractor.candidates, rarity):
                selected.append(change)
                words -= needed
        return selected

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
        part = chosen
        for words in named[1:]:
            part = choose(part, words)
            shorter.insert(0, [row for change in part for row in change.shown])
        shorter.insert(0, extractor.one_of(shorter[0]))
    counts = Counter(change.kind for change in changes)
    entries: list[OutlineEntry] = []
    sentences: dict[int, SummarySentence] = {}
    title = _release_named(extractor)
    if title is not None:
        entries.append(OutlineEntry(heading=title, level=1, document_id=None))
    for kind, count in sorted(counts.items()):
        own = sorted(
            (change for change in chosen if change.kind == kind),
            key=lambda change: (change.is_commit, () if change.is_commit else change.rows),
        )
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
    others = [kind for kind in sorted(counts) if all(change.kind != kind for change in chosen)]
    unquoted = [f"{KINDS[kind][0]} ({counts[kind]})" for kind in others]
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


def _preferred(extractor: Extractor, changes: Sequence[Change], room: int) -> list[Change]:
    """Of a folder of notes the changes that readers would prefer, in so many words.

    One at least of each kind that is needed; readers chose from folders like these, see ``ranker.py``.
    """
    candidates, values = extractor.candidates, extractor.scores.values
    of_row = {change.row: change for change in changes if change.speaks is not None}
    great = {row: change for row, change in of_row.items() if change.kind not in (SMALLER, CLOSED, OTHER)}
    of_row = great or of_row
    selected: dict[int, Change] = {}
    for kind in _NEEDED:
        own = [row for row, change in of_row.items() if change.kind == kind]
        own = [row for row in own if candidates.num_words[row] <= room]
        if own:
            best = max(
                own, key=lambda row: (bool(candidates.num_words[row] <= _LONG_CHANGE), float(values[row]))
            )
            selected[best] = of_row[best]
            room -= int(candidates.num_words[best])
    others = [row for row in of_row if row not in selected and candidates.num_words[row] <= room]
    for row in extractor.select(room, extractor.mask(others)) if others else []:
        selected[row] = of_row[row]
    return sorted(selected.values(), key=lambda each: (each.kind, each.rows))


def _release_named(extractor: Extractor) -> str | None:
    """The title of notes of one release, which names it."""
    if len(extractor.documents) > 1:
        return None
    title = extractor.documents[0].title or ""
    # "3.1 release notes" has no place in a list.
    return next((each for each in (shown_heading(title), title) if re.search(r"\d", each)), None)
