"""Which changes are quoted: those that users most want to know, as many as there is room for.

The score of the ranker decides. What is beside it only breaks near ties: the first change of a kind that an
upgrade must know of counts more, a long one less; nothing is quoted twice.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import FEWEST_WORDS, Change, plain_change
from lsum_cli.methods.extract.listed_changes.kinds import (
    BREAKING,
    CLOSED,
    DEPRECATED,
    FEATURES,
    FIXES,
    HIGHLIGHTS,
    OTHER,
    OVERVIEW,
    REMOVED,
    SECURITY,
    SMALLER,
    UPGRADE,
    drops_support,
    kind_by_verb,
)
from lsum_cli.methods.extract.listed_changes.support import is_surpassed, is_told_in
from lsum_cli.methods.extract.listed_changes.wording import is_in_general, is_minor
from lsum_cli.methods.extract.release_notes.change_ranker import stems_of_change
from lsum_cli.methods.extract.release_notes.quotes import words_shown
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import content_stems

# Release notes have so much more to say than a text of their length, and seldom more than so many words.
_FACTOR, MOST_WORDS = 1.2, 280
# Of so many changes those that score less are not quoted, if no length was asked for, but so many always, and
# as many as take this share of the words, if they are no fixes of earlier releases.
_MUCH, _LEAST_SCORE, _FEWEST, _ENOUGH = 12, 0.5, 6, 0.5
# What is filler is quoted, one of a release, until this share of the words is taken.
_ENOUGH_WITH_FILLER = 0.35
# What each word costs, and what each better change costs: of its kind, beyond so many, and of its release, as
# far as so many.
_PER_WORD, _PER_CHANGE, _MANY = 0.03, 0.1, 4
_PER_CHANGE_OF_RELEASE, _MOST_COUNTED = 0.15, 2
# What the first change of each of these kinds counts beside its score, and what notes call a highlight, or
# whoever upgrades must know.
_FIRST_OF_KIND, _HIGHLIGHT = 0.6, 0.5
_KINDS_NEEDED = (SECURITY, BREAKING, UPGRADE, REMOVED, DEPRECATED, FEATURES)
# Two changes are one, stated twice, if they share so much of the terms of the shorter.
_SAME, _LEAST_RARITY = 0.6, 0.1
# Why something changed, and what there is instead.
_ASIDE = regex(r",? (?:in favou?r of|in line with|instead of|because|since|see|as (?:it|they))\b")
# What is said of the release, not of the program in general.
_OF_A_RELEASE = regex(r"\b(?:releases?|versions?|series|upgrad\w+)\b|\d\.\d", re.IGNORECASE)


def suitable_words(num_words: int) -> int:
    """The words of a summary of notes, where other texts of the same length have ``num_words``."""
    return min(int(_FACTOR * num_words), MOST_WORDS)


def select_changes(
    candidates: Candidates,
    changes: Sequence[Change],
    score: Mapping[Change, float],
    rarity: Mapping[str, float],
    num_words: int,
    *,
    as_suits: bool,
    first: Sequence[Sequence[Change]] = (),
    known: Collection[Change] = (),
    filler: Collection[Change] = (),
) -> list[Change]:
    """The changes that users most want to know, in at most so many words, the best first.

    Args:
        candidates: The sentences of the notes.
        changes: The changes to choose from.
        score: How much users want to know each of those that can be quoted.
        rarity: How much each term says; see :func:`rarity_of_terms`.
        num_words: The words that all of them may take.
        as_suits: Whether nothing need be quoted that few want to know.
        first: Groups of changes of each of which the best is quoted before any other.
        known: The changes that whoever upgrades must know.
        filler: The changes that are quoted only where the others take few of the words, if those suit.
    """
    if not as_suits:
        filler = ()
    best = _best_of_sections(changes, score)
    value = _with_variety(candidates, best, score, known)
    slight = {
        change for change in best if _is_slight(candidates, change, score[change], is_known=change in known)
    }
    ordered = sorted(
        best, key=lambda change: (change in slight, cost_of_words(candidates, change) - value[change])
    )
    selected: list[Change] = []
    left = num_words

    def take(change: Change) -> bool:
        nonlocal left
        if change in selected or any(is_retold(candidates, change, each) for each in selected):
            return False
        # What says all of another takes its place: "Adds Lathe 3.11, drops 3.6, …" that of "Adds Lathe 3.11".
        kept = [each for each in selected if not is_retold(candidates, each, change)]
        room = left + sum(words_shown(candidates, each) for each in selected if each not in kept)
        needed = words_shown(candidates, change)
        if needed > room or repeats(change, kept, candidates, rarity):
            return False
        selected[:] = [*kept, change]
        left = room - needed
        return True

    for group in first:
        members = set(group)
        any(take(replace(change, beside=None)) for change in ordered if change in members)
    if len(slight) < len(ordered):
        ordered = ordered[: -len(slight) or None]
    # Each security issue is quoted before the flaw of one.
    for change in (each for each in ordered if each.beside is not None and each in selected):
        more = words_shown(candidates, change) - words_shown(candidates, replace(change, beside=None))
        if more <= left:
            selected[selected.index(change)] = change
            left -= more
    wanted = set(ordered)
    if as_suits and len(ordered) >= _MUCH:
        # Variety may bring a change in, not keep one out.
        best_value = {change: max(value[change], score[change]) for change in ordered}
        least = min(_LEAST_SCORE, sorted(best_value.values(), reverse=True)[_FEWEST - 1])
        wanted = {change for change in ordered if best_value[change] >= least}
    wanted -= set(filler)
    filled: set[str | None] = set()
    for change in sorted(ordered, key=lambda change: (change not in wanted, change in filler)):
        is_filler = change in filler
        is_enough = left <= (1 - (_ENOUGH_WITH_FILLER if is_filler else _ENOUGH)) * num_words
        if left < FEWEST_WORDS:
            break
        if change not in wanted and (is_enough or (is_filler and change.release in filled)):
            continue
        text = candidates.sentences[change.row].text
        is_fix = FIXES in (change.kind, kind_by_verb(text, change.kind))
        is_fit = change in wanted or change.release == changes[0].release or not is_fix
        if is_fit and take(change) and is_filler:
            filled.add(change.release)
    return selected


def _is_slight(candidates: Candidates, change: Change, score: float, *, is_known: bool) -> bool:
    """Whether few will notice a change, or it is none: it is quoted where there is nothing else."""
    text = candidates.sentences[change.row].text
    if score < _LEAST_SCORE and is_minor(text) and not (is_known or drops_support(text)):
        return True
    if change.kind == OVERVIEW:
        return _OF_A_RELEASE.search(text) is None or is_in_general(text)
    return change.kind in (SMALLER, CLOSED, OTHER)


def _with_variety(
    candidates: Candidates,
    changes: Sequence[Change],
    score: Mapping[Change, float],
    known: Collection[Change],
) -> dict[Change, float]:
    """The scores of changes, of kinds and releases that others are of lower ones."""
    value = {
        change: score[change] + _HIGHLIGHT * (change.kind == HIGHLIGHTS or change in known)
        for change in changes
    }
    of_kind: Counter[int] = Counter()
    of_release: Counter[str | None] = Counter()
    is_one = len({change.release for change in changes}) == 1
    for change in sorted(changes, key=lambda change: -value[change] + cost_of_words(candidates, change)):
        if not of_kind[change.kind] and change.kind in _KINDS_NEEDED:
            value[change] += _FIRST_OF_KIND
        value[change] -= _PER_CHANGE * max(0, of_kind[change.kind] - _MANY + 1)
        if not is_one:
            value[change] -= _PER_CHANGE_OF_RELEASE * min(_MOST_COUNTED, of_release[change.release])
        of_kind[change.kind] += 1
        of_release[change.release] += 1
    return value


def cost_of_words(candidates: Candidates, change: Change) -> float:
    """What the words of a change cost."""
    return _PER_WORD * words_shown(candidates, change)


def _best_of_sections(changes: Sequence[Change], score: Mapping[Change, float]) -> list[Change]:
    """The changes, of a section whose heading names what they are about only the one of the highest score."""
    kept: list[Change] = []
    topic: tuple[str | None, int] = (None, 0)
    for number, change in enumerate(changes):
        begins = number - change.place
        if change not in score:
            continue
        if change.topic is None or topic != (change.topic, begins):
            kept.append(change)
        elif score[change] > score[kept[-1]]:
            kept[-1] = change
        topic = (change.topic, begins)
    return kept


def rarity_of_terms(candidates: Candidates, changes: Sequence[Change]) -> dict[str, float]:
    """How much each term of the changes says: the fewer of them have it, the more."""
    count = Counter(term for change in changes for term in stems_of_change(candidates, change))
    return {term: max(_LEAST_RARITY, math.log(len(changes) / number)) for term, number in count.items()}


def _stems_to_compare(candidates: Candidates, change: Change) -> frozenset[str]:
    """The stems of what a change says, without the reason for it and what there is instead."""
    stems = stems_of_change(candidates, change)
    text = plain_change(candidates.sentences[change.row].text)
    aside = _ASIDE.search(text)
    return (stems & content_stems(text[: aside.start()]) if aside else stems) or stems


def is_retold(candidates: Candidates, change: Change, other: Change) -> bool:
    """Whether a change only says which versions are supported, and another of its release says that too.

    Of versions that come one by one, or go, the last is enough.
    """
    texts = [candidates.sentences[each.row].text for each in (change, other)]
    return change.release == other.release and (is_told_in(*texts) or is_surpassed(*texts))


def repeats(
    change: Change, selected: Sequence[Change], candidates: Candidates, rarity: Mapping[str, float]
) -> bool:
    """Whether a change says again what one of those selected says: highlights and lists may both tell it."""

    def weight(terms: frozenset[str]) -> float:
        return sum(map(rarity.__getitem__, terms))

    def same(first: frozenset[str], second: frozenset[str]) -> bool:
        # "Drop Lathe 2.7" and "Drop Lathe 3.5" are two.
        numbers = [{term for term in terms if term[0].isdigit()} for terms in (first, second)]
        if all(numbers) and not numbers[0] & numbers[1]:
            return False
        return weight(first & second) >= _SAME * min(weight(first), weight(second))

    own = _stems_to_compare(candidates, change)
    # What an upgrade asks of users no line on the new feature tells.
    told = [each for each in selected if (change.kind, each.kind) != (UPGRADE, FEATURES)]
    others = (_stems_to_compare(candidates, each) for each in told)
    return any(same(own, other) for other in others if own and other)
