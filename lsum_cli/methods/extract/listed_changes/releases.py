"""The releases that a changelog tells of: which one each sentence is of, and which of them is newer."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.kinds import (
    headings_of,
    names_program,
    programs_of,
    releases_before_changes,
)
from lsum_cli.methods.extract.listed_changes.change import Change
from lsum_cli.methods.extract.listed_changes.kinds import kind_of_heading, tells_kinds
from lsum_cli.methods.extract.listed_changes.wording import is_of_another_program
from lsum_cli.methods.extract.release_names import (
    names_release,
    release_named_by,
    release_said,
    without_rule,
)
from lsum_cli.text.patterns import regex

_BARE_RELEASE = regex(r"(?:[^\W\d][\w-]* ){0,2}[vV]?\d+(?:\.\w+)+\.?")
# "2.1" alone, which another release can only have above it where their headings are not as high.
_NUMBER_ALONE = regex(r"[vV]?\d+(?:\.\d+)+(?:[-.+~]?(?:a|b|c|rc|alpha|beta|dev|pre|post)\.?\d*)?\.?")
_LEAST_RELEASES = 2
_CHANGELOG_OF = regex(
    r"(?:change ?log|release (?:notes|history))(?: -|:| of| for) (?P<name>[a-z][\w.-]*)", re.IGNORECASE
)
# "3.3a" comes after 3.3, "3.3a1" before it.
_EARLY = regex(r"(\d+(?:\.\d+)*)[-.~+]?(alpha|beta|rc|dev|pre|[abc](?=\.?\d))(?![a-z])(.*)", re.IGNORECASE)
# "lathe (1:3.2.1-0.2)", as its name is told.
_PACKAGED = regex(r"[a-z\d][\w.+-]+ \((?:\d+:)?(?P<number>\d[\w.+~-]*)\)")


def tells_releases(candidates: Candidates) -> bool:
    """Whether notes are a changelog of several releases, or of one that does not tell kinds of change."""
    if candidates.document[0] != candidates.document[-1]:
        return False
    names = set(release_of_sentences(candidates)) - {None}
    return len(names) >= _LEAST_RELEASES or (len(names) == 1 and not tells_kinds(candidates))


@lru_cache(maxsize=1)
def release_of_sentences(candidates: Candidates) -> tuple[str | None, ...]:
    """The name of the release that each sentence is of, as the document writes it.

    A section after the changelog, as high as the headings of its releases, is of none of them.
    """
    found: list[str | None] = []
    now: str | None = None
    level = level_of_releases = 0
    headed: str | None = None
    program: str | None = None
    programs = programs_of(headings_of(candidates))
    before = releases_before_changes(candidates)
    for position, sentence in enumerate(candidates.sentences):
        section = candidates.sections[position]
        if not position or candidates.document[position] != candidates.document[position - 1]:
            title = candidates.titles[position]
            now, level = (title, 0) if release_named_by(candidates, title) else (None, 0)
        opens_section = not position or candidates.section[position] != candidates.section[position - 1]
        if opens_section:
            path = (section.path or section.heading or "").split(PATH_BREAK)
            headed = next(
                (
                    each
                    for each in reversed(path)
                    if release_named_by(candidates, each) or names_program(each, programs)
                ),
                None,
            )
            above = path[: path.index(headed)] if headed is not None else ()
            if headed is not None:
                below = path[path.index(headed) + 1 :]
                headed = next((each for each in reversed(below) if _NUMBER_ALONE.fullmatch(each)), headed)
            of_program = _program_of(above)
            program = program or _program_of((candidates.titles[position],)) or of_program
            if of_program is not None and of_program != program:
                # The same file tells the releases of another program, too, with numbers of its own.
                headed = now = None
            elif headed is None and level_of_releases and section.heading:
                # "0.8" and "Lathe 0.8" are headings of releases where those of others are as high.
                place = len(path) - 1 - (section.level - level_of_releases)
                if 0 <= place < len(path) and _BARE_RELEASE.fullmatch(path[place]):
                    headed = path[place]
            if headed is not None:
                level_of_releases = section.level - (len(path) - 1 - path.index(headed))
        if headed is not None:
            now, level = headed, level_of_releases
        elif (
            candidates.opens_paragraph[position]
            and release_named_by(candidates, sentence.text)
            and not is_of_another_program(sentence.text, candidates.titles[position])
        ):
            now, level = sentence.text, section.level
        elif position in before:
            now, level = before[position], section.level
        elif (
            now is not None
            and section.heading
            and 0 < section.level <= level
            and opens_section
            and kind_of_heading(candidates, position) < 0
        ):
            now = None
        found.append(now)
    return tuple(found)


def _program_of(headings: Sequence[str]) -> str | None:
    """The program that a heading of releases is of: "Changelog - lathe-tools"."""
    found = next((named for each in headings if (named := _CHANGELOG_OF.fullmatch(each))), None)
    return found["name"].lower() if found else None


def plain_release(name: str) -> str:
    """The name of a release without what marks it as a heading."""
    plain = without_rule(release_said(name)).strip("*#= ").replace("[", "").replace("]", "").rstrip(".:")
    # "3.2 2023-02-11 11:49:19Z"
    plain = re.sub(r"(?<=\d{4}-\d\d-\d\d) \d\d:\d\d.*$", "", plain)
    # "lathe (3.2-1) unstable; urgency=low"
    plain = re.sub(r" [\w -]+; urgency=\w+$", "", plain)
    # "3.2 -- 2025-11-28 -- PyPI -- diff" ends with links.
    plain = re.sub(r"(?<=\d)(?: -- [A-Za-z]+)+$", "", plain)
    # "What's New in Lathe 3.2?", but not "3.2 - 2026-0?-??".
    plain = re.sub(r"(?<!-)(?<!-[\d?])\?$", "", plain)
    # "Version: 4.6.0"
    plain = re.sub(r"^([Vv]ersion|[Rr]elease):", r"\1", plain)
    # "10.4. Version 4.6.0", but not "3.2 release"
    return re.sub(r"^(?:[A-Z]\.)?\d+(?:\.\d+)*\.? (?=(?:[Vv]ersion|[Rr]elease) [vV]?\d)", "", plain)


def number_of_release(heading: str) -> tuple[int, ...]:
    """What releases are ordered by; the one to come is the newest, and 3.1b2 older than 3.1."""
    named = _number_in(heading)
    if not named[:1].isdigit():
        return (sys.maxsize,)
    early = _EARLY.match(named)
    if early is None:
        given = list(map(int, re.findall(r"\d{1,18}", named)))
        return (*given, *[0] * (4 - len(given)))
    final, sign, rest = early.groups()
    numbers = [int(number[:18]) for number in final.split(".")]
    numbers += [0] * (3 - len(numbers))
    return (*numbers, -1, ord(sign[0]), *map(int, re.findall(r"\d{1,18}", rest)))


def _number_in(heading: str) -> str:
    """The number that a release is named by; nothing where it has none."""
    named = names_release(heading)
    if named is not None:
        return named
    packaged = _PACKAGED.fullmatch(heading)
    if packaged is not None:
        return packaged["number"]
    # "Changes from 3.1 to 3.2", where others are named alike.
    numbers = re.findall(r"\d+(?:\.\w+)+", heading)[-1:] or re.findall(r"\d[\w.]*", heading)
    return next(iter(numbers), "")


def is_patch(heading: str) -> bool:
    """Whether a release, 3.1.2, mends another, 3.1."""
    numbers = number_of_release(heading)
    return len(numbers) > 2 and numbers[2] > 0


def series_of(heading: str) -> tuple[int, ...]:
    """The first two numbers of a release, which it shares with those that mend it."""
    return number_of_release(heading)[:2]


def final_of(heading: str) -> tuple[int, ...]:
    """The numbers of a release, of an early one those of the release that it is named after."""
    numbers = number_of_release(heading)
    return tuple(numbers[: numbers.index(-1)] if -1 in numbers else numbers[:3])


def is_early(heading: str) -> bool:
    """Whether a release comes before the one that it is named after: 3.1b2, 3.1.0-rc.1."""
    return _EARLY.match(_number_in(heading)) is not None


@dataclass(frozen=True, kw_only=True)
class Release:
    """One release of a changelog.

    Attributes:
        name: Its number and date, as the document writes them.
        early: The names of those that came before it, 3.1rc1 before 3.1, and are counted with it.
        changes: Its changes, in the order of the document.
    """

    name: str
    early: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def heading(self) -> str:
        """Its name, and how many others are counted with it."""
        number = len(self.early)
        return f"{self.name} with {number} early release{'s' if number > 1 else ''}" if number else self.name


def releases_of(candidates: Candidates, changes: Sequence[Change]) -> list[Release]:
    """The releases of a changelog with their changes, the newest first."""
    by_name: dict[str, list[Change]] = {}
    for name in release_of_sentences(candidates):
        if name is not None:
            by_name.setdefault(name, [])
    for change in changes:
        if change.release is not None:
            by_name[change.release].append(change)
    early = _early_of(by_name)
    counted = {name for names in early.values() for name in names}
    made = [
        Release(
            name=plain_release(name),
            early=tuple(map(plain_release, early.get(name, ()))),
            changes=(*own, *(change for each in early.get(name, ()) for change in by_name[each])),
        )
        for name, own in by_name.items()
        if name not in counted
    ]
    return sorted(made, key=lambda release: number_of_release(release.name), reverse=True)


def _early_of(by_name: Iterable[str]) -> dict[str, list[str]]:
    """What was tried before each release: 3.1rc1 is told with 3.1."""
    finals = {final_of(plain_release(name)): name for name in by_name if not is_early(plain_release(name))}
    found: dict[str, list[str]] = {}
    for name in by_name:
        final = finals.get(final_of(plain_release(name)))
        if final is not None and final != name and is_early(plain_release(name)):
            found.setdefault(final, []).append(name)
    return found
