"""Lists of commits and merged changes as release notes: which changes they are, and what most are about.

Tools write such a list for every release: hundreds of lines, of which merges, reports of what was wrong and
the commits of one change say the same. It is grouped by area: what many of them name, with how many do.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.methods.extract.listed_changes.change import FEWEST_WORDS, Change, is_shortened, plain_change
from lsum_cli.methods.extract.listed_changes.kinds import CHANGES
from lsum_cli.methods.extract.listed_changes.wording import is_minor, is_trifle
from lsum_cli.text.patterns import regex
from lsum_cli.text.terms import is_function_word

_LEAST_COMMITS, _SHARE_OF_COMMITS, _LEAST_REQUESTS = 20, 0.5, 10
_COMMIT = regex(r"(?:PR|ISSUE) (?:[\w.-]+/[\w.-]+)?#\d+: |(?=[a-f]*\d)[0-9a-f]{7,40} (?=\S)")
_REQUEST = regex(r"PR (?:[\w.-]+/[\w.-]+)?#\d+: ")
# What brings a change from elsewhere, takes it back, or is about the release, its tests and its style.
_HOUSEKEEPING = regex(
    r"(?:partially )?(?:merge|back-?port|cherry-?pick|revert|bring|bp)\b|.*#\d"
    r"|.*\b(?:pylint|lint|flake8|pep8|typos?|test_|unit\.|release ?notes?|man pages?|version numbers?"
    r"|known issues)",
    re.IGNORECASE,
)
_NAME = regex(r"[^\W\d_](?:[\w.+/-]*[\w+])?")
# The parts of names such as "docker_container" and "salt.utils.docker".
_JOINS = regex(r"[._/-]+")
# An area is named by so many changes; in so many of them as a name, and seldom as the first word, which is
# what was done.
_LEAST_IN_AREA, _SHARE_AS_NAME, _SHARE_AS_FIRST, _MOST_OF_ALL = 3, 0.3, 0.25, 0.4
# What the names of modules and functions are made of in every program.
_OF_ALL_NAMES = frozenset(
    (
        *(
            "py",
            "module",
            "modules",
            "util",
            "utils",
            "state",
            "states",
            "unit",
            "lib",
            "libs",
            "src",
            "init",
        ),
        *("core", "test", "tests", "get", "set", "list", "check", "name", "path", "file", "files", "value"),
        *("version", "true", "false", "none", "error", "data", "script", "config", "type", "key", "call"),
        *("present", "absent", "info", "run", "new", "update", "install", "remove", "add", "make", "change"),
    )
)
_SHORTEST_AREA = 3  # characters
_LONGEST = 30
_MOST_QUOTED = 8


def lists_commits(texts: Sequence[str]) -> bool:
    """Whether the lines of a section are commits, merged changes and what they refer to."""
    found = sum(_COMMIT.match(text) is not None for text in texts)
    return found >= _LEAST_COMMITS and found >= _SHARE_OF_COMMITS * len(texts)


def commits_of(candidates: Candidates, section: Sequence[int], release: str | None) -> Iterator[Change]:
    """The changes of a list of commits: what was merged, where that is listed, each once."""
    requests = [row for row in section if _REQUEST.match(candidates.sentences[row].text)]
    lines = [row for row in section if _COMMIT.match(candidates.sentences[row].text)]
    seen: set[str] = set()
    for place, row in enumerate(requests if len(requests) >= _LEAST_REQUESTS else lines):
        text = plain_change(candidates.sentences[row].text)
        if text in seen or _HOUSEKEEPING.match(text):
            continue
        seen.add(text)
        is_unfit = is_trifle(text) or is_minor(text) or is_shortened(text)
        speaks = len(text.split()) >= FEWEST_WORDS and not is_unfit
        yield Change(
            rows=(row,),
            speaks=row if speaks else None,
            kind=CHANGES,
            release=release,
            place=place,
            is_commit=True,
        )


def select_commits(
    candidates: Candidates, changes: Sequence[Change], score: Mapping[Change, float]
) -> list[Change]:
    """Of each area that many commits name the one of the highest score, and others of a high one.

    The topic of the first is the area and how many commits name it; the areas of most commits come first.
    """
    commits = [
        change
        for change in changes
        if change.is_commit and change.speaks is not None and candidates.num_words[change.row] <= _LONGEST
    ]
    made: list[Change] = []
    covered: set[int] = set()
    for name, own in _areas(candidates, commits):
        left = [change for change in own if change.row not in covered]
        # "docker" and "container" may be one area.
        if len(made) < _MOST_QUOTED and 2 * len(left) >= len(own):
            covered.update(change.row for change in own)
            made.append(replace(max(left, key=score.__getitem__), topic=f"{name} ({len(own)} changes)"))
    others = sorted(
        (each for each in commits if each.row not in covered), key=score.__getitem__, reverse=True
    )
    return [*made, *others[: _MOST_QUOTED - len(made)]]


def _areas(candidates: Candidates, commits: Sequence[Change]) -> list[tuple[str, list[Change]]]:
    """The areas that several commits name, as most of them write it, those of most commits first."""
    of_area: dict[str, list[Change]] = defaultdict(list)
    written: dict[str, Counter[str]] = defaultdict(Counter)
    as_name: Counter[str] = Counter()
    as_first: Counter[str] = Counter()
    program = {name.lower() for name in _NAME.findall(candidates.titles[0])} if commits else set()
    for change in commits:
        held: set[str] = set()
        for number, name in enumerate(_NAME.findall(plain_change(candidates.sentences[change.row].text))):
            parts = _JOINS.split(name)
            is_name = len(parts) > 1 or (number > 0 and name[0].isupper())
            is_name |= any(sign.isupper() or sign.isdigit() for sign in name[1:])
            for part in parts:
                area = part.lower()
                if len(area) < _SHORTEST_AREA or area in held or area in program or area in _OF_ALL_NAMES:
                    continue
                held.add(area)
                of_area[area].append(change)
                written[area][part] += 1
                as_name[area] += is_name
                as_first[area] += number == 0 and len(parts) == 1
    return [
        (written[area].most_common(1)[0][0], own)
        for area, own in sorted(of_area.items(), key=lambda each: -len(each[1]))
        if _LEAST_IN_AREA <= len(own) <= _MOST_OF_ALL * len(commits)
        and as_name[area] >= _SHARE_AS_NAME * len(own)
        and as_first[area] <= _SHARE_AS_FIRST * len(own)
        and not is_function_word(area)
    ]
