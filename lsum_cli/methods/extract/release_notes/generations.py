"""The generations of platforms that a changelog comes to support, and those of which it ends the support.

That Lathe 2 is no longer supported, or that Lathe 3 is now, is remembered longer than the same of Lathe 3.7.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import Change, plain_change, without_label
from lsum_cli.methods.extract.listed_changes.kinds import (
    CLOSED,
    OTHER,
    platform_ended,
    versions_ended,
)
from lsum_cli.methods.extract.listed_changes.releases import Release
from lsum_cli.text.patterns import regex

# "Remove Python 2 remnants" comes after its end.
_TIDIES_UP = regex(r"\b(?:remnants?|leftovers?|compat\w*|shims?|workarounds?|code|checks?)\b", re.IGNORECASE)
_LAST_OF_GENERATION = {("python", 2): 7}
# "Lathe 6", "Lathe6", and nothing of what comes after a point but 0.
_GENERATION = r"(?:[A-Z][\w+]*[A-Za-z]|python) ?\d{1,2}(?:\.0)?(?![\w.]*\w)"
_SEVERAL = rf"{_GENERATION}(?:(?:,? and |, | or | ?/ ?|(?: ?& ?)){_GENERATION})*"
# "Add support for Lathe6", "Lathe 6 support", "Now compatible with Lathe 6".
_BRINGS = regex(
    r"(?:[*•-]+ )?(?:(?i:add(?:s|ed|ing)?|introduc(?:e[sd]?|ing)|new|now|initial|full|official(?:ly)?"
    r"|preliminary|basic|experimental) ){0,3}"
    rf"(?:(?i:support(?:s|ed)?(?: for| of)?|compatib\w+ (?:with|for)) (?P<named>{_SEVERAL})"
    rf"|(?P<before>{_SEVERAL}) (?:support|compatibility)\b(?! (?:is|was|has|in|on|for|by)\b))"
)
_NAMED_GENERATION = regex(r"(?<![\w.+-])([A-Z][\w+]*[A-Za-z]|python) ?(\d{1,2})(?![\w]*[A-Za-z])")
# Nobody runs on what came before these any more.
_LONG_PRESENT = {("python", 3), ("pypy", 3)}
# Of so many platforms it is told.
_MOST_BEGUN = 3


def last_of_generations(candidates: Candidates, releases: Sequence[Release]) -> Iterator[Change]:
    """The newest change of each platform that ends the support of a generation before the present one."""
    newest: dict[str, int] = {}
    done: set[str] = set()
    for release in releases:
        for change in release.changes:
            text = candidates.sentences[change.row].text
            platform = platform_ended(text) if change.speaks is not None else None
            is_end = platform is not None and _TIDIES_UP.search(text) is None
            ended = versions_ended(text) if is_end else frozenset()
            if platform is None or not ended or platform in done:
                continue
            past = [each for each in ended if each[0] < newest.setdefault(platform, max(ended)[0])]
            if past:
                done.add(platform)
                if not _names_later(candidates, platform, max(past)):
                    yield change


def _names_later(candidates: Candidates, platform: str, version: tuple[int, ...]) -> bool:
    """Whether a later version of the same generation is known, or named: 2.7, where 2.6 ends."""
    if len(version) == 1:
        return False
    generation, minor = version
    if minor < _LAST_OF_GENERATION.get((platform, generation), 0):
        return True
    named = re.compile(rf"\b{re.escape(platform)} {generation}\.(\d{{1,4}})", re.IGNORECASE)
    return any(int(found[1]) > minor for each in candidates.sentences for found in named.finditer(each.text))


def first_of_generations(candidates: Candidates, releases: Sequence[Release]) -> Iterator[Change]:
    """The oldest change of each platform that says that its newest generation is supported.

    What has generations the changelog shows: it names an earlier one too.
    """
    named: dict[str, set[int]] = {}
    for sentence in candidates.sentences:
        for name, number in _NAMED_GENERATION.findall(sentence.text):
            named.setdefault(name.lower(), set()).add(int(number))
    begun: dict[str, tuple[int, Change]] = {}
    for release in reversed(releases):
        for change in release.changes:
            if change.speaks is None or change.kind in (CLOSED, OTHER):
                continue
            brings = generations_begun(candidates.sentences[change.row].text)
            for name, number in brings - _LONG_PRESENT:
                if min(named.get(name, {number})) < number > begun.get(name, (0, change))[0]:
                    begun[name] = (number, change)
    brought = {change for _, change in begun.values()}
    newest = (change for release in releases for change in release.changes if change in brought)
    yield from list(newest)[:_MOST_BEGUN]


def generations_begun(text: str) -> set[tuple[str, int]]:
    """The generations that a change says first of all are supported: ("lathe", 6) of "Support Lathe 6"."""
    found = _BRINGS.match(without_label(plain_change(text)))
    if found is None:
        return set()
    named = _NAMED_GENERATION.findall(found["named"] or found["before"])
    return {(name.lower(), int(number)) for name, number in named}
