"""Earlier releases of a changelog, each told by the one change that matters most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import names_release
from lsum_cli.methods.extract.release_notes.change import Change
from lsum_cli.methods.extract.release_notes.kinds import (
    drops_support,
)
from lsum_cli.methods.extract.release_notes.releases import (
    is_early,
    number_of_release,
)
from lsum_cli.methods.extract.release_notes.told_releases import Release
from lsum_cli.methods.extract.release_notes.wording import is_in_general
from lsum_cli.methods.extract.release_notes.worth import (
    repeats,
)
from lsum_cli.summaries import SummarySentence

# So many are told, by one change each of so many words; first one of each of so many series.
_MOST_EARLIER, _LONGEST_EARLIER, _MOST_SERIES = 10, 30, 4
# That support of something ends is told so often.
_MOST_DROPPED = 4
# What is told of them, by its urgency; that a release begins a series; and that it is new.
_TOLD_EARLIER = (3.0, 2.5, 2.0, 1.0)
_BEGINS_SERIES, _BEGINS_MINOR, _RECENT, _WORTH = 1.5, 0.7, 1.5, 0.2
_LONGEST_NAME = 45  # characters


def tell_earlier(
    candidates: Candidates,
    earlier: Sequence[Release],
    headlines: Sequence[tuple[float, int, Change]],
    rarity: Mapping[str, float],
    room: int,
) -> list[tuple[Release, Change]]:
    """Of releases that are not told in detail the change that matters most, in so many words.

    Of each series the first one comes first.
    """
    versions = [number_of_release(release.name) for release in earlier]
    # Where all are of one series each counts for itself.
    length = 2 if len({version[:2] for version in versions}) >= _MOST_SERIES else 3
    series: dict[tuple[int, ...], tuple[float, int, Change]] = {}
    for each in headlines:
        series.setdefault(versions[each[1]][:1], each)
    first = [series[name] for name in sorted(series, reverse=True)[:_MOST_SERIES]]
    held: list[tuple[int, Change]] = []
    lines: set[tuple[int, ...]] = set()
    dropped = 0
    for _, number, change in [*first, *(each for each in headlines if each not in first)]:
        words = int(candidates.num_words[change.row])
        line = versions[number][:length]
        drops = drops_support(candidates.sentences[change.row].text)
        if (
            len(held) == _MOST_EARLIER
            or words > room
            or line in lines
            or (drops and dropped == _MOST_DROPPED)
            or repeats(change, [each for _, each in held], candidates, rarity)
        ):
            continue
        held.append((number, change))
        lines.add(line)
        dropped += drops
        room -= words
    return [(earlier[number], change) for number, change in sorted(held, key=lambda each: each[0])]


def headlines_of(
    candidates: Candidates, earlier: Sequence[Release], worth: Mapping[Change, float]
) -> list[tuple[float, int, Change]]:
    """The change of each release that matters most, with its value and the place of the release, best first.

    What breaks comes first, then what begins a series, then what is recent.
    """
    found = []
    for number, release in enumerate(earlier):
        headline = _headline(candidates, release)
        if headline is None:
            continue
        change, urgency_of_it = headline
        version = number_of_release(release.name)
        value = (
            _TOLD_EARLIER[urgency_of_it]
            + _RECENT * (1 - number / len(earlier))
            + _WORTH * worth[change]
            + (_BEGINS_MINOR if not any(version[2:]) else 0.0)
            + (_BEGINS_SERIES if not any(version[1:]) else 0.0)
        )
        found.append((value, number, change))
    return sorted(found, key=lambda each: (-each[0], each[1]))


def _headline(candidates: Candidates, release: Release) -> tuple[Change, int] | None:
    """The change of a release that matters most, with its urgency, if one matters and is short."""
    if is_early(release.name):
        return None
    return next(
        (
            (change, urgency_of_it)
            for change, urgency_of_it in zip(release.changes, release.urgency, strict=True)
            if urgency_of_it < len(_TOLD_EARLIER)
            and candidates.num_words[change.row] <= _LONGEST_EARLIER
            and not is_in_general(candidates.sentences[change.row].text)
        ),
        None,
    )


def under_release(release: Release, quoted: SummarySentence) -> SummarySentence:
    """A sentence under the name of its release."""
    name = release.name
    if len(name) > _LONGEST_NAME:
        name = names_release(name) or name
    return replace(quoted, label=f"{name}, {quoted.label}" if quoted.label else name)


def span_of(earlier: Sequence[Release], told: int) -> str:
    """What heads the lines on earlier releases: how many there are, and from which to which."""
    if len(earlier) == 1:
        return "Earlier"
    return f"Earlier: {told} of {len(earlier)} releases, {earlier[-1].name} to {earlier[0].name}"
