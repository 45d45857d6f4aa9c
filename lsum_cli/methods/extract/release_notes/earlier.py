"""What of a changelog's releases is told: the newest whole if it is small, of old ones what still counts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import Change
from lsum_cli.methods.extract.listed_changes.kinds import (
    DEPRECATED,
    FEATURES,
    FIXES,
    OVERVIEW,
    URGENCY_OF_ADDITIONS,
    URGENCY_OF_LOSS,
    drops_support,
    kind_by_verb,
    must_be_known,
    platform_ended,
    platform_supported,
    urgency,
)
from lsum_cli.methods.extract.listed_changes.releases import Release, final_of, is_early, is_patch
from lsum_cli.methods.extract.listed_changes.wording import is_minor
from lsum_cli.methods.extract.release_notes.quotes import words_shown
from lsum_cli.text.patterns import regex

# What was wrong and what is supported must be known of so many releases; an older flaw is like any fix.
RECENT = 20
# Of the newest releases so many have a heading of their own.
MOST_HEADED = 4
# What is older than so many releases that are told is past, and of past ones what lasts is told.
_NEWEST = 2 * MOST_HEADED
# Of an earlier one so many changes are told that take nothing from users.
_MOST_ADDITIONS = 2
# And so many at all, those first that users must know of; of all earlier ones so many.
_MOST_LINES, _MOST_OF_EARLIER = 4, 8
# What scores less few want to be told, and of an earlier one what is new and scores less.
_LEAST_WANTED, _LEAST_ADDED = 0.5, 0.7
# A newest release of so many changes at most is told whole, in this share of the words at most, and all that
# it repairs if that is so little.
_FEW, _SHARE_OF_NEWEST, _FEW_REPAIRS = 8, 0.5, 3
# What scores less is left out of it, and of the one that it mends.
_LEAST_OF_NEWEST, _LEAST_OF_MENDED = -1.0, 0.0
# "Dropped Py2 support"
_SHORT_PLATFORM = regex(r"\bpy(?:thon)?[ -]?[23](?:\.x)?\b", re.IGNORECASE)
_TYPES = regex(r"\btyp(?:ing|e[ds]?)\b|\bmypy\b", re.IGNORECASE)
# What programs that use this one must follow.
_RENAMES = regex(
    r"\b(?:(?:is|are|was|were|has been|have been|been) (?:now )?(?:moved|split|merged)|renamed?)\b",
    re.IGNORECASE,
)
# So many lines of earlier releases at least, or none where the newest have so many.
_LEAST_LINES, _ENOUGH_OF_NEWEST = 3, 4


def repairs_not_told(
    candidates: Candidates,
    releases: Sequence[Release],
    offered: Collection[Change],
    first: Sequence[Release],
    fitted: Mapping[Change, float],
) -> Iterator[Change]:
    """What the newest releases repair, if nothing else: all but one of each, the newest of a series alone."""
    for release in releases:
        own = [change for change in release.changes if change in offered]
        if not own:
            continue
        if not is_patch(release.name):
            return
        texts = [candidates.sentences[change.row].text for change in own]
        if all(_is_repair(change, text) for change, text in zip(own, texts, strict=True)):
            # The release that they mend has more to tell.
            is_between = len(first) > 1 and release not in first
            if release is first[0] and len(own) <= _FEW_REPAIRS:
                continue
            best = max(own, key=fitted.__getitem__)
            yield from (change for change in own if is_between or change is not best)


def _is_repair(change: Change, text: str) -> bool:
    """Whether a change only mends what was wrong, and nobody needs to know it who upgrades."""
    if must_be_known(change.kind, text) or change.topic is not None:
        return False
    return FIXES in (change.kind, kind_by_verb(text, change.kind)) or is_minor(text)


def filler_of(
    candidates: Candidates,
    releases: Sequence[Release],
    offered: Collection[Change],
    first: Sequence[Release],
    known: Collection[Change],
    fitted: Mapping[Change, float],
) -> Iterator[Change]:
    """What of earlier releases nobody looks for: small additions, repairs, what came to be supported.

    Args:
        candidates: The sentences of the changelog.
        releases: Its releases, the newest first.
        offered: The changes that can be quoted.
        first: The releases that are told in any case.
        known: The changes that whoever upgrades must know.
        fitted: How much users want to be told each change.
    """
    told = [release for release in releases if any(change in offered for change in release.changes)]
    if len(told) <= MOST_HEADED:
        return
    newer = 0
    for place, release in enumerate(told):
        own = [change for change in release.changes if change in offered]
        headline = max(own, key=fitted.__getitem__) if _begins_series(release) else None
        # Of many small releases, too, only the newest are told whole.
        is_past = newer >= MOST_HEADED or place >= _NEWEST
        # "0.3.5" may add something, too; what a program learnt long ago it has to have begun a series.
        is_of_feature_release = (
            (not is_patch(release.name) or final_of(release.name)[0] == 0)
            if place < RECENT
            else _begins_series(release)
        )
        is_mended = newer > 0 and is_patch(release.name)
        for change in own:
            text = candidates.sentences[change.row].text
            is_small = fitted[change] < _LEAST_WANTED
            is_repair = _is_repair(change, text)
            if change in known:
                is_filler = False
            elif release in first:
                # A small repair says enough of a newest release that has little else to tell.
                is_filler = is_small and is_repair
            elif is_past:
                is_filler = (
                    is_small
                    or _is_of_platforms(text)
                    or not (
                        change is headline
                        or (
                            is_of_feature_release
                            and fitted[change] >= _LEAST_ADDED
                            and urgency(change.kind, text) <= URGENCY_OF_ADDITIONS
                        )
                        or _is_lasting(change, text, is_recent=place < RECENT)
                    )
                )
            else:
                is_filler = (
                    (is_small and is_patch(release.name))
                    or (is_repair and (is_mended or place >= MOST_HEADED))
                    or _is_of_platforms(text)
                )
            if is_filler:
                yield change
        newer += not is_patch(release.name)


def _begins_series(release: Release) -> bool:
    return not any(final_of(release.name)[1:]) and not is_early(release.name)


def _is_of_platforms(text: str) -> bool:
    """Whether a change says on what a release runs: a newer one says that of its own."""
    if platform_ended(text) is not None or platform_supported(text) is not None:
        return True
    return drops_support(text) and _SHORT_PLATFORM.search(text) is not None


def _is_lasting(change: Change, text: str, *, is_recent: bool) -> bool:
    """Whether a change of an earlier release still counts: what it broke, removed or secured."""
    if change.kind in (FEATURES, OVERVIEW) or (platform_supported(text) and not drops_support(text)):
        return False
    if change.kind in (DEPRECATED, FIXES) and not is_recent:
        return False
    if change.kind != FIXES and _RENAMES.search(text) is not None:
        return True
    return urgency(change.kind, text) <= URGENCY_OF_LOSS


def with_few_additions(
    candidates: Candidates,
    quoted: Sequence[tuple[Release, list[Change]]],
    score: Mapping[Change, float],
) -> list[tuple[Release, list[Change]]]:
    """Of each earlier release a few changes: what broke, was removed or is of security comes first.

    Of all of them together those of the highest score, one of each release before another of the same.
    """
    made = []
    for release, own in quoted:
        others = [
            change
            for change in own
            if urgency(change.kind, candidates.sentences[change.row].text) > URGENCY_OF_LOSS
        ]
        kept = set(sorted(others, key=score.__getitem__, reverse=True)[:_MOST_ADDITIONS])
        own = [change for change in own if change not in others or change in kept]
        made.append((release, own[:_MOST_LINES]))
    ordered = sorted(
        ((place, change) for _, own in made for place, change in enumerate(own)),
        key=lambda each: (each[0] > 0, -score[each[1]]),
    )
    best = {change for _, change in ordered[:_MOST_OF_EARLIER]}
    left = ((release, [change for change in own if change in best]) for release, own in made)
    return [(release, own) for release, own in left if own]


def told_whole(
    candidates: Candidates,
    first: Sequence[Release],
    offered: Collection[Change],
    fitted: Mapping[Change, float],
    num_words: int,
) -> Iterator[list[Change]]:
    """The changes of a newest release that has few, each in a group: a reader wants to know all of them.

    What concerns its makers alone is left out, and of the one that it mends what few want to be told.
    """
    left = _SHARE_OF_NEWEST * num_words
    for release, least in zip(first, (_LEAST_OF_NEWEST, _LEAST_OF_MENDED), strict=False):
        own = [
            change
            for change in release.changes
            if change in offered
            and fitted[change] >= least
            and not _is_for_makers(candidates.sentences[change.row].text)
        ]
        left -= sum(words_shown(candidates, change) for change in own)
        if len(release.changes) > _FEW or left < 0:
            return
        yield from ([change] for change in own)


def _is_for_makers(text: str) -> bool:
    """Whether a change concerns those who make the program; types are of use to those who use it."""
    return is_minor(text) and _TYPES.search(text) is None and not drops_support(text)


def without_lone_pick(
    candidates: Candidates,
    releases: Sequence[Release],
    quoted: Sequence[tuple[Release, list[Change]]],
    headed: int,
) -> list[tuple[Release, list[Change]]]:
    """What is told, without one or two lines of many earlier releases: why these, a reader asks."""
    newest, earlier = list(quoted[:headed]), list(quoted[headed:])
    lines = sum(len(own) for _, own in earlier)
    is_enough = sum(len(own) for _, own in newest) >= _ENOUGH_OF_NEWEST
    is_picked = lines < _LEAST_LINES and len(releases) - headed > len(earlier)
    texts = [(change.kind, candidates.sentences[change.row].text) for _, own in earlier for change in own]
    is_urgent = any(urgency(*each) < URGENCY_OF_LOSS and not _is_of_platforms(each[1]) for each in texts)
    return newest if is_picked and is_enough and not is_urgent else [*newest, *earlier]
