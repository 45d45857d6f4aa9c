"""The releases of a changelog as they are told: the newest first, of each what matters most first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.release_notes.change import FEWEST_WORDS, Change
from lsum_cli.methods.extract.release_notes.change_ranker import worth_telling
from lsum_cli.methods.extract.release_notes.changes import is_cut
from lsum_cli.methods.extract.release_notes.kinds import (
    CHANGES,
    OVERVIEW,
    URGENCY_OF_SMALLER,
    drops_support,
    kind_of_heading,
    urgency,
)
from lsum_cli.methods.extract.release_notes.releases import (
    final_of,
    is_early,
    number_of_release,
    plain_release,
    release_of_sentences,
)
from lsum_cli.methods.extract.release_notes.wording import is_in_general, is_minor
from lsum_cli.methods.extract.release_notes.worth import (
    LONG_CHANGE,
)

# From this urgency on what concerns the makers comes last.
_LEAST_THAT_WAITS = 3
# What each step of urgency counts beside the score of a change.
_PER_URGENCY = 0.4
# A release with so few changes of its own is told with what was tried before it.
_LITTLE = 3


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


def releases(
    candidates: Candidates, changes: Sequence[Change], score: Mapping[Change, float], *, as_suits: bool
) -> list[Release]:
    """The releases that a changelog tells of, the newest first.

    Args:
        candidates: The sentences of the changelog.
        changes: Its changes.
        score: How much users want to be told each change that can be quoted.
        as_suits: Whether nothing need be quoted that few want to be told.
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
        if as_suits:
            notable = worth_telling(notable, score)
        has_lists = any(kind_of_heading(candidates, change.rows[0]) >= 0 for change in own)
        urgency_of = {change: _urgency(change, candidates, has_lists=has_lists) for change in notable}
        notable.sort(
            key=lambda change: (
                urgency_of[change] >= URGENCY_OF_SMALLER,
                _PER_URGENCY * urgency_of[change]
                + (candidates.num_words[change.row] > LONG_CHANGE)
                - score[change],
            )
        )
        made.append(
            Release(
                name=plain_release(name),
                early=tuple(map(plain_release, early.get(name, ()))),
                changes=tuple(notable),
                urgency=tuple(urgency_of[change] for change in notable),
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


def _urgency(change: Change, candidates: Candidates, *, has_lists: bool) -> int:
    """How urgent a change is, 0 the most; ``has_lists``: whether others stand in lists by kind."""
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
    waits = not drops_support(text) and (place >= _LEAST_THAT_WAITS or (place and change.kind == CHANGES))
    if (waits and is_minor(text)) or (change.kind == OVERVIEW and is_in_general(text)):
        place = max(place, URGENCY_OF_SMALLER)
    return place
