"""What a changelog says of the support of versions that its newer releases make past.

Where Lathe 3.8 is no longer supported, nobody need be told any more that the support of Lathe 3.7 ended, that
Lathe 3.6 is needed, or that Lathe 3.5 came to be supported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import Change, plain_change
from lsum_cli.methods.extract.listed_changes.kinds import CLOSED, drops_support
from lsum_cli.methods.extract.listed_changes.releases import Release
from lsum_cli.methods.extract.listed_changes.support import (
    Bounds,
    bounds_of,
    is_of_ended,
    newest_of,
    only_comes,
)


def past_support(candidates: Candidates, releases: Sequence[Release]) -> Iterator[Change]:
    """The changes that only say of versions what newer releases of the changelog make past."""
    told = [
        [
            (change, plain_change(candidates.sentences[change.row].text))
            for change in release.changes
            if change.speaks is not None and change.kind != CLOSED
        ]
        for release in releases
    ]
    ended = _highest(bounds_of(text) for own in told for _, text in own if drops_support(text))
    newer: Bounds = {}
    comes: Bounds = {}
    for own in told:
        ends = [text for _, text in own if drops_support(text)]
        for change, text in own:
            # "Support Lathe 3.14" says little after "Support Lathe 3.15".
            is_older = bool(comes) and only_comes(text) and is_of_ended(text, comes)
            if is_older or is_of_ended(text, ended, newer if text in ends else None):
                yield change
        newer = _highest([newer, *map(bounds_of, ends)])
        comes = _highest([comes, *(newest_of(text) for _, text in own if only_comes(text))])


def _highest(bounds: Iterable[Bounds]) -> Bounds:
    """The highest of the bounds of each program."""
    highest: dict[str, tuple[float, ...]] = {}
    for each in bounds:
        for name, bound in each.items():
            highest[name] = max(bound, highest.get(name, ()))
    return highest
