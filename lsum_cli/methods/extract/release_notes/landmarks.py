"""The landmarks of a long history: what it brought that the program is known for, from all of its time.

Of many releases the newest are told whole. Of those before them readers look for what came to be supported
and the new parts, not for each option of one, nor for what was mended.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from statistics import median

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import FEWEST_WORDS, Change, plain_change
from lsum_cli.methods.extract.listed_changes.kinds import BREAKING, REMOVED, drops_support, kind_by_removal
from lsum_cli.methods.extract.listed_changes.releases import Release, final_of, is_patch
from lsum_cli.methods.extract.listed_changes.wording import is_minor
from lsum_cli.methods.extract.release_notes.change_ranker import fitted_weights, stems_of_change
from lsum_cli.methods.extract.release_notes.earlier import is_addition, past_of
from lsum_cli.methods.extract.release_notes.selection import cost_of_words
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import content_stems

# So many landmarks at most, and how much less each counts that is of the same release, or of the same time.
_MOST_LANDMARKS, _OF_THE_SAME = 10, 0.5
# What scores less is no landmark.
_LEAST = 0.6
# What a later release removes has names that so many changes speak of at most.
_MOST_OF_PART = 8
_INSTEAD = regex(r"(?:switch|chang|mov|migrat|us)\w* .*\binstead of (?P<gone>.+)", re.IGNORECASE)
# What its own line says is not all done yet is no landmark.
_UNFINISHED = regex(r"\b(?:contributions (?:are )?welcome|except)\b", re.IGNORECASE)
# What the score of the ranker counts beyond the usual one, as it was fitted to newer changes; that later
# releases speak of what is new, up to so much; that it begins a series, and that it only mends one.
_OF_SCORE, _PER_MENTION, _MOST_MENTIONS, _BEGINS_SERIES, _OF_A_PATCH = 0.7, 0.3, 3.0, 0.3, 0.4
# That it brings support or a part, and that it is of a detail or mends.
_OF_A_PART, _OF_A_DETAIL = 0.5, 0.5
_BRINGS = regex(
    r"(?:[*•-]+ )?supports?\b|.*\b(?:support(?:s|ed|ing)? (?:for|of)|\w+ support\b|now (?:\w+ )?supports?"
    r"|introduc\w+|re-?(?:wrote|written|write|designed|implemented|worked)|overhaul\w*|initial|available"
    r"|(?:new|add(?:s|ed)?)(?: [\w-]+){0,3} (?:apis?|back-?ends?|modules?|packages?|commands?"
    r"|interfaces?|frameworks?|(?:sub-?)?systems?|engines?|modes?|formats?|languages?|syntax|tools?|plugins?"
    r"|extensions?|protocols?|drivers?|servers?|clients?|shells?|parsers?|class(?:es)?|types?|features?"
    r"|formatters?|lexers?|styles?|readers?|writers?|implementation))\b",
    re.IGNORECASE,
)
# What a change is about stands at its beginning.
_BEGINNING = 45  # characters
_DETAIL = regex(
    r"\b(?:options?|param(?:eter)?s?|arg(?:ument)?s?|keywords?|kwargs?|attributes?|propert(?:y|ies)"
    r"|variables?|helpers?|messages?|warnings?|errors?|methods?|functions?|flags?|settings?|hints?|typing"
    r"|exceptions?|logging|logs?|repr|ability|setup\.py|pypi|classifiers?|wheels?|requirements)\b"
    r"|--\w|\$\w|\w\.\w+\(|__\w",
    re.IGNORECASE,
)
_MENDS = regex(
    r"\b(?:fix|crash|leak|bug|segfault|deadlock|incorrect|wrong|regression|no longer|avoid|prevent|ensure"
    r"|correct|compat|warn|handle|more|better|improv|faster|show|require|upgrad|updat|bump|deprecat)",
    re.IGNORECASE,
)


def landmarks_of(
    candidates: Candidates,
    releases: Sequence[Release],
    offered: Collection[Change],
    fitted: Mapping[Change, float],
) -> list[Change]:
    """What the earlier releases brought that readers know the program for, the greatest first.

    Args:
        candidates: The sentences of the changelog.
        releases: Its releases, the newest first.
        offered: The changes that can be quoted.
        fitted: How much users want to be told each change.
    """
    past = past_of(releases, offered)
    brought = {
        change: at
        for at, release in enumerate(past)
        for change in release.changes
        if change in offered and _may_be_landmark(candidates, change)
    }
    if not brought:
        return []
    mentions = _mentions_later(candidates, releases, brought)
    # Changelogs of terse lines score less throughout.
    usual = median(fitted[change] for change in brought)
    worth: dict[Change, float] = {}
    time: dict[Change, int] = {}
    for change, at in brought.items():
        name = past[at].name
        value = _OF_SCORE * (fitted[change] - usual) - cost_of_words(candidates, change)
        value += _BEGINS_SERIES * (not any(final_of(name)[1:])) - _OF_A_PATCH * is_patch(name)
        value += _PER_MENTION * mentions[change]
        # What the words tell is asked of few.
        if value + _OF_A_PART >= _LEAST:
            value += _by_wording(plain_change(candidates.sentences[change.row].text))
        if value >= _LEAST:
            worth[change] = value
            time[change] = at * _MOST_LANDMARKS // len(past)
    for change in _removed_later(candidates, releases, worth):
        del worth[change]
    taken: list[Change] = []
    of_same: Counter[int | str | None] = Counter()

    def now(change: Change) -> float:
        return worth[change] - _OF_THE_SAME * (of_same[time[change]] + of_same[change.release])

    while len(taken) < _MOST_LANDMARKS:
        best = max((change for change in worth if change not in taken), key=now, default=None)
        if best is None or now(best) < _LEAST:
            break
        taken.append(best)
        of_same.update((time[best], best.release))
    return taken


def _may_be_landmark(candidates: Candidates, change: Change) -> bool:
    """Whether a change brings something, or breaks something else than the support of versions."""
    text = candidates.sentences[change.row].text
    is_kind = is_addition(candidates, change) or (change.kind == BREAKING and not drops_support(text))
    if not is_kind or candidates.num_words[change.row] < FEWEST_WORDS:
        return False
    return not is_minor(text) and _UNFINISHED.search(text) is None


def _by_wording(text: str) -> float:
    """What it counts that a change brings support or a part of the program, or is of a detail, or mends."""
    is_detail = _DETAIL.search(text[:_BEGINNING]) is not None
    return (
        _OF_A_PART * (_BRINGS.match(text) is not None)
        - _OF_A_DETAIL * is_detail
        - _OF_A_DETAIL * (_MENDS.search(text) is not None)
    )


def _removed_later(
    candidates: Candidates, releases: Sequence[Release], brought: Collection[Change]
) -> list[Change]:
    """The changes that brought what a later release removes: what is rare of what that says is of them."""
    common = fitted_weights().words
    count = Counter(
        stem
        for release in releases
        for change in release.changes
        for stem in stems_of_change(candidates, change)
    )
    found: list[Change] = []
    removed: list[frozenset[str]] = []
    for release in releases:
        for change in release.changes:
            if change in brought:
                stems = stems_of_change(candidates, change)
                if any(each <= stems for each in removed):
                    found.append(change)
        for change in release.changes:
            text = plain_change(candidates.sentences[change.row].text)
            instead = _INSTEAD.match(text)
            if instead or kind_by_removal(text) == REMOVED or drops_support(text):
                # What is called as the program is, or its chief part, goes on.
                rare = frozenset(
                    stem
                    for stem in content_stems(instead["gone"] if instead else text)
                    if stem not in common and not stem[0].isdigit() and count[stem] <= _MOST_OF_PART
                )
                removed += [rare] if rare else []
    return found


def _mentions_later(
    candidates: Candidates, releases: Sequence[Release], brought: Collection[Change]
) -> dict[Change, float]:
    """How much later releases speak of what each change is the first to bring.

    Of each word, but those that many changelogs have, it is the logarithm of how many releases have it.
    """
    common = fitted_weights().words
    first: dict[str, int] = {}
    count: Counter[str] = Counter()
    stems = {
        change: {
            stem
            for stem in stems_of_change(candidates, change)
            if stem not in common and not stem[0].isdigit()
        }
        for release in releases
        for change in release.changes
    }
    for age, release in reversed(list(enumerate(releases))):
        # What is mended there was before.
        new = {stem for change in release.changes if change in brought for stem in stems[change]}
        count.update(set().union(*(stems[change] for change in release.changes)) & first.keys())
        for stem in new - first.keys():
            first[stem] = age
    made = {}
    for age, release in enumerate(releases):
        for change in release.changes:
            if change in brought:
                spoken = math.fsum(math.log1p(count[stem]) for stem in stems[change] if first[stem] == age)
                made[change] = min(_MOST_MENTIONS, spoken)
    return made
