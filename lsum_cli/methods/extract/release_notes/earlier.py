"""What of a changelog's releases is not told: old additions that nobody looks for, and all but one repair."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import Change
from lsum_cli.methods.extract.listed_changes.kinds import (
    CHANGES,
    DEPRECATED,
    FEATURES,
    FIXES,
    HIGHLIGHTS,
    OVERVIEW,
    URGENCY_OF_LOSS,
    drops_support,
    kind_by_verb,
    must_be_known,
    platform_supported,
    urgency,
)
from lsum_cli.methods.extract.listed_changes.releases import Release, final_of, is_early, is_patch
from lsum_cli.methods.extract.listed_changes.wording import is_minor
from lsum_cli.methods.extract.release_notes.selection import cost_of_words

# What was wrong and what is supported must be known of so many releases; an older flaw is like any fix.
RECENT = 20
# A flaw with a number of its own is looked for longer.
RECENT_FLAWS = 60
# Of the newest releases so many have a heading of their own.
MOST_HEADED = 4
# What is older than so many releases that are told is past, and of past ones what lasts is told.
_NEWEST = 2 * MOST_HEADED
# Of an earlier one so many changes are told that take nothing from users.
_MOST_ADDITIONS = 2
# And so many at all, those first that users must know of.
_MOST_LINES = 4
# What is chiefly new is told of so many of the newest releases.
_MOST_NEW = 3
# What scores less few want to be told.
_LEAST_WANTED = 0.5


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
            best = max(own, key=fitted.__getitem__)
            yield from (change for change in own if is_between or change is not best)


def _is_repair(change: Change, text: str) -> bool:
    """Whether a change only mends what was wrong, and nobody needs to know it who upgrades."""
    if must_be_known(change.kind, text) or change.topic is not None:
        return False
    return FIXES in (change.kind, kind_by_verb(text, change.kind)) or is_minor(text)


def headlines_of(
    candidates: Candidates,
    releases: Sequence[Release],
    offered: Collection[Change],
    fitted: Mapping[Change, float],
) -> Iterator[Change]:
    """What is chiefly new in each of the newest releases that mend none.

    Args:
        candidates: The sentences of the changelog.
        releases: Its releases, the newest first.
        offered: The changes that can be quoted.
        fitted: How much users want to be told each change.
    """
    # Behind many that only mend, a release is an old one.
    told = [
        release
        for release in releases[:_NEWEST]
        if not is_patch(release.name) and any(change in offered for change in release.changes)
    ]
    for release in told[:_MOST_NEW]:
        own = [change for change in release.changes if change in offered and is_addition(candidates, change)]
        worth = {change: fitted[change] - cost_of_words(candidates, change) for change in own}
        best = max(own, key=worth.__getitem__, default=None)
        if best is not None and fitted[best] >= _LEAST_WANTED:
            yield best


def is_addition(candidates: Candidates, change: Change) -> bool:
    """Whether a change brings something, and does not only say what it runs on."""
    text = candidates.sentences[change.row].text
    if change.kind not in (FEATURES, HIGHLIGHTS, CHANGES) or _is_repair(change, text):
        return False
    return not drops_support(text) and platform_supported(text) is None


def filler_of(
    candidates: Candidates,
    releases: Sequence[Release],
    offered: Collection[Change],
    first: Sequence[Release],
    known: Collection[Change],
    sure: Collection[Change],
    fitted: Mapping[Change, float],
) -> Iterator[Change]:
    """What of earlier releases nobody looks for: small additions, repairs, what came to be supported.

    Args:
        candidates: The sentences of the changelog.
        releases: Its releases, the newest first.
        offered: The changes that can be quoted.
        first: The releases that are told in any case.
        known: The changes that whoever upgrades must know.
        sure: What is chiefly new in the newest releases.
        fitted: How much users want to be told each change.
    """
    told = [release for release in releases if any(change in offered for change in release.changes)]
    if len(told) <= MOST_HEADED:
        return
    first_past = len(told) - len(past_of(releases, offered))
    newer = 0
    for place, release in enumerate(told):
        own = [change for change in release.changes if change in offered]
        is_headed = newer < MOST_HEADED - 1 and place < RECENT and not is_patch(release.name)
        additions = [change for change in own if change.kind in (FEATURES, HIGHLIGHTS)] if is_headed else []
        # What is new in a newest release is told, however many mend it.
        headlines = {
            max(each, key=fitted.__getitem__)
            for each in (additions, own if _begins_series(release) else [])
            if each
        }
        headlines |= set(sure)
        # Of many small releases, too, only the newest are told whole.
        is_past = place >= first_past
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
                is_filler = is_small or not (
                    change in headlines or _is_lasting(change, text, is_recent=place < RECENT)
                )
            else:
                is_filler = (is_small and is_patch(release.name)) or (
                    is_repair and (is_mended or place >= MOST_HEADED)
                )
            if is_filler:
                yield change
        newer += not is_patch(release.name)


def past_of(releases: Sequence[Release], offered: Collection[Change]) -> list[Release]:
    """The releases with something to quote that many newer ones follow."""
    past = []
    newer = place = 0
    for release in releases:
        if any(change in offered for change in release.changes):
            if newer >= MOST_HEADED or place >= _NEWEST:
                past.append(release)
            newer += not is_patch(release.name)
            place += 1
    return past


def _begins_series(release: Release) -> bool:
    return not any(final_of(release.name)[1:]) and not is_early(release.name)


def _is_lasting(change: Change, text: str, *, is_recent: bool) -> bool:
    """Whether a change of an earlier release still counts: what it broke, removed or secured."""
    if change.kind in (FEATURES, OVERVIEW) or (platform_supported(text) and not drops_support(text)):
        return False
    if change.kind in (DEPRECATED, FIXES, HIGHLIGHTS) and not is_recent:
        return False
    return urgency(change.kind, text) <= URGENCY_OF_LOSS


def with_few_additions(
    candidates: Candidates,
    quoted: Sequence[tuple[Release, list[Change]]],
    score: Mapping[Change, float],
) -> list[tuple[Release, list[Change]]]:
    """Of each earlier release a few changes: what broke, was removed or is of security comes first."""
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
    return made
