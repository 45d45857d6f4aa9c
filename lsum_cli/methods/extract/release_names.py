"""What names a release: headings and lines such as "[2.0.0] - 2024-06-01" and "What's new in Lathe 3.1?"."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from lsum_cli.documents import PATH_BREAK
from lsum_cli.methods.extract.candidates import Candidates
from lsum_cli.text.patterns import regex

LONGEST_RELEASE = 100  # characters
# What has sections with numbers, which name no release: "What is new in section 4.2".
_NO_PROGRAM = r"(?!(?:clause|section|paragraph|rule|article|chapter|part|table|figure|annex)\b)"
_NUMBER = (
    r"\[?[vV]?(?P<{0}>\d+(?:\.\d+){{1,3}}(?:\.[xX])?"
    r"(?:[-.+~_]?(?:rc|RC|alpha|beta|a|b|c|pre|dev|post|p)?\.?\d+|-?(?:alpha|beta|rc|dev|stable)"
    r"|[a-z](?!\w))?)\]?"
)
# "2026-0?-??" is not known yet.
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_TIME = r"\d\d?:\d\d(?::\d\d)?(?: ?(?:[-+]\d\d:?\d\d|Z|[A-Z]{3,4})\b)?(?: [A-Z][a-z]+/[A-Z]\w+)?"
_DATE = (
    r"[\[(]? ?(?:[Rr]elease[ds]?:? )?(?:on )?(?:\d\d[\d?]{2}[-/.][\d?]{1,2}[-/.][\d?X]{1,2}"
    r"|(?:19|20)\d{2}[01]\d[0-3]\d"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:\d\d){1,2}"
    r"|\d{1,2}-[A-Z][A-Za-z]{2,8}-\d{4}"
    rf"|\d{{1,2}} {_MONTH} \d\d|\d{{4}} {_MONTH} \d{{1,2}}"
    rf"|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? ){_MONTH} \d{{1,2}} {_TIME} \d{{4}}"
    r"|(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? )?(?:\d{1,2}(?:st|nd|rd|th)?,? )?[A-Z][a-z]{2,8}[.,]? "
    r"(?:\d{1,2}(?:st|nd|rd|th)?,? )?\d{4}"
    rf"|[Uu]nreleased|TBD|DEV)(?:[ T]{_TIME}(?: [a-z]\w*)?)? ?[\])]?"
)
# "version 1.34 - Kira Dahl, 2021-02-13"
_MAKER = r"[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,2}"
# "(TRIAL RELEASE)", "[C24/A4/R1]", ", by Kira Dahl", "- minor maintenance release".
_AFTER_DATE = (
    r"(?: [\[(][A-Za-z][\w/. -]{0,30}[\])])?"
    # "The Lathe team <team@example.org>"
    rf"(?:,? (?:by )?(?:{_MAKER} <[^<>]*>|[^<>@]{{1,40}} <[^<>@ ]+@[^<>@ ]+>)|,? by {_MAKER})?"
    r"(?: - (?:[a-z]+ ){0,3}releases?)?(?: -- [A-Za-z]+){0,3}(?: -- [\"“].*)?(?: [=#]+)?"
)
_OF_A_STATE = (
    r"(?: \((?:[Yy]anked|YANKED|stable|unstable|(?:\d[\d.]* )?(?:[Aa]lpha|[Bb]eta|RC|pre-release)(?: \d+)?"
    r"|(?:[Ss]ecurity|[Bb]ug ?fix|[Hh]ot ?fix|[Mm]aintenance)(?: (?:fix(?:es)?|release|update))?)\))?"
)
_NO_VERB = (
    r"(?!(?i:the|of|for|on|with|(?:add|allow|bump|deprecat|drop|fix|improv|need|remov|requir|support|test"
    r"|updat|upgrad|us)(?:p?ed|e[sd]?|s|p?ing)?)\b)"
)
_KIND_OF_CHANGES = r"(?:(?:Noteworthy|Notable|Major|Main|Important|Significant|User[- ]visible) )?"
_PROGRAM = r"(?: [A-Z][\w+-]*)"
# What stands before the number, whether or not a date follows.
_LEADS = (
    r"[Vv]ersion:?|[Rr]elease:?|VERSION|RELEASE",
    # "Changes in temperature 1.5" names none, nor does "Changes from 1.5 to 1.6".
    rf"{_KIND_OF_CHANGES}[Cc]hanges (?:in|for|since)(?: version| release"
    rf"| {_NO_PROGRAM}[a-z][\w+-]*(?= \d+\.\d+\.\d))?",
    r"Overview of [Cc]hanges in(?: [a-z][\w+-]*)?",
    r"(?:Overview of|Major|Significant) [Cc]hanges (?:from|between)(?: [A-Z][\w+-]*)? \d[\w.*]* (?:to|and)",
    rf"{_KIND_OF_CHANGES}[Cc]hanges (?:from|between)(?:(?:{_PROGRAM}| the)? versions? \d[\w.*]*"
    rf"|{_PROGRAM}? \d+\.\d+\.[\w.*]+| [A-Z][\w+-]* \d[\w.*]*) (?:to|and)(?:{_PROGRAM}? version)?",
    r"CHANGES (?:FROM|BETWEEN) \d[\w.]* (?:TO|AND)",
    rf"(?:[Ww]hat['’]s )?[Nn]ew (?:in|since)(?: {_NO_PROGRAM}[a-z][\w+-]*(?= \d+\.\d+\.\d))?",
    r"NEW (?:in|since)",
    rf"[Rr]elease [Nn]otes for(?:{_PROGRAM}| [a-z][\w+-]*(?= \d+\.\d+\.\d))?(?: version)?",
)
# Each has one number, "<number>".
_FORMS = (
    rf"(?:{'|'.join(_LEADS)}){_PROGRAM}? <number>"
    r"(?: (?:final|(?:alpha|beta|release candidate) \d+))?\??:?"
    rf"(?: \((?:since [\w.]+|(?:release )?tag:? [\w.-]+)\)|{_OF_A_STATE})"
    rf"(?:,? ?(?:--?|[–—:])? ?(?:{_MAKER}, )?{_DATE})?{_AFTER_DATE}",
    # "NEWS for the Lathe 3.8 release"
    r"(?:NEWS|News|[Cc]hanges) (?:in|for) (?:the )?(?:[A-Z][\w-]* )?<number> release",
    # "Version 0.78 to 0.79 (15-AUG-2001)"
    rf"[Vv]ersion \d[\w.]* to <number> {_DATE}",
    # "lathe-3.2.7 --> lathe-3.2.8"
    r"[a-z][\w-]*-\d[\w.]* -+> [a-z][\w-]*-<number>",
    # "2026-03-24, Version 20.20.2 'Iron' (LTS), @name"
    r"\d{4}[-.]\d\d[-.]\d\d,? [Vv]ersion <number>(?:[ ,].{0,60})?",
    # "May 5th 2020: version 3.1.7 released", "Apr 08, 2022: lathe 3.1.7 released"
    r"[A-Z][a-z]{2,8} (?:\d{1,2}(?:st|nd|rd|th)?,? )?\d{4}: (?:[Vv]ersion|[a-z][\w-]*(?= \S+ released)) "
    r"<number>(?: for [\w .]{1,30})?(?: released)?",
    # "2014-11-04 Lathe 1.2.4", "2022-12-22 - V5.3.0", "11 July 2011, v2.4", "2021/04/14: Version 6.9.7"
    rf"(?:\d{{4}}[-/.]\d\d[-/.]\d\d|\d{{1,2}} {_MONTH} \d{{4}})(?:[:,]| [-–—])? "
    r"(?:[Vv]ersion |(?<=\d )(?:[A-Z][\w-]* ){1,2}|(?=[vV]\d))<number>(?: [Rr]eleased?)?",
    # "Lathe 0.14.4"
    r"(?-i:[A-Z][\w-]*) [vV]?(?P<called>\d+\.\d+\.\d+(?:[-.+~]?(?:rc|alpha|beta|a|b|dev|post)?\d+)?)",
    # "Lathe 0.14.4 Release (2022/07/14)", "lathe-0.14.4 (20 June 2008)"
    rf"(?:= )?(?:(?:[^\W\d][\w-]* ){{0,3}}|[^\W\d][\w+]*-)<number>{_OF_A_STATE}"
    rf"(?:(?: [A-Z][a-z]+)? [Rr]elease)?[,.]? ?(?:--?|[–—:/])? ?{_DATE}{_AFTER_DATE}",
    # "3.1.2." alone is the number of a section.
    rf"(?:\[?[vV](?=\d)|\[(?=\d)|(?=\d+\.\d+\.\d)(?!.*\.$))<number>{_OF_A_STATE}",
    # "2018-01-24 v0.45"
    r"\d{4}-\d\d-\d\d,? [vV]?<number>",
    # "v9-0-0", as links to places write it.
    r"[vV](?P<hyphened>\d{1,4}(?:-\d{1,4}){2})",
    # "tidewatch (1:2.4.1+ds-2) unstable; urgency=high"
    r"[a-z\d][\w.+-]+ \((?:\d+:)?(?P<packaged>\d[\w.+~-]*)\) [\w -]+; urgency=\w+",
    r"\[?(?P<coming>[Uu]nreleased|UNRELEASED)\]?",
)
_RELEASE = regex(
    # "10.4. Version 4.6.0" is a numbered heading.
    r"(?:[*#=-]+ |(?:[A-Z]\.)?\d+(?:\.\d+)*\.? (?=[Vv]ersion |[Rr]elease ))?(?:"
    + "|".join(form.replace("<number>", _NUMBER.format(f"of_form_{at}")) for at, form in enumerate(_FORMS))
    + ")[.:]?"
)
# "Lathe 3.2", "Changes in lathe from 3.1 to 3.2:", "3.2 Featured release", "3.2" alone: what names a release
# only where others are named alike.
_LIKE_A_RELEASE = regex(
    # "Changes since 3.1" are part of what 3.2 changes, and "Drop Lathe 3.1" is a change.
    rf"(?P<before>(?:{_KIND_OF_CHANGES}[Cc]hanges (?:in|from|between|for) (?:the )?"
    r"|CHANGES WITH |NEWS (?:in|for) |[Nn]ew in )?"
    rf"(?:{_NO_PROGRAM}{_NO_VERB}(?!since\b)[\"“A-Za-z][\w+'’\"”/]*[ -]){{0,3}}?)"
    r"(?:(?:from |between )?[vV]?\d[\w.*]* (?:to|and) )?[vV]?"
    r"(?P<number>\d+(?:\.\d+){0,3})(?:\.[xX]|[a-z]\d*|[-.~]?(?:rc|alpha|beta|pre)\.?\d*)?"
    rf"(?: \([^()]{{1,40}}\)| (?:[A-Za-z][a-z]+ )?[Rr]elease|: {_MAKER}"
    r"|, the ['‘\"“].{1,30}['’\"”] release)?\.?:?",
)
# "Apache Lathe Version 3.1.0 Release Notes" above those of older releases; alone they are notes of one.
_TITLE_OF_NEWEST = regex(
    r"(?:[A-Z][\w.-]* ){1,4}(?:version )?(?P<number>\d+(?:\.\d+)+) release notes", re.IGNORECASE
)
_IS_NOTES_OF = regex(r"release notes for|(?:[A-Z][\w.-]* ){1,4}version \d", re.IGNORECASE)
_IS_VERSION = regex(r"\b(?:versions?|releases?)\b", re.IGNORECASE)
_SAYS_CHANGES = regex(r"\b(?:versions?|releases?|changes|news|new)\b", re.IGNORECASE)
# "This document details the changes between this version, lathe-3.2-release, and the previous version, …",
# "This is a terse description of the new features added to lathe-3.2 since the release of lathe-3.1."
_SAYS_RELEASE = regex(
    r"(?:[-=*_]{4,} )?This (?:document|file|is)\b.{0,60}\b(?:changes between this version,|features added to)"
    rf" (?P<name>[A-Za-z]\w*[- ]{_NUMBER.format('number')})(?:-\w+)?(?:,? since|, and the previous)\b.*"
)
_LONGEST_SENTENCE = 240  # characters
# So many lines, more of numbers alone; in so many pairs of them the second is older, and has text between.
_FEWEST_ALIKE, _FEWEST_BARE, _LEAST_OLDER = 3, 4, 0.8
# "Windows 10", "Ubuntu 22.04" and "Python 3.11" head what is told of each, unless the text is theirs.
_PLATFORM = regex(
    r"(?:(?:on|for) )?(?:windows(?: server)?|mac ?os(?: x)?|os x|ios|android|(?:enterprise )?linux|ubuntu"
    r"|debian|fedora|centos(?: linux| stream)?|(?:red hat|oracle) (?:enterprise )?linux|rhel|rocky linux"
    r"|almalinux|alpine|opensuse|sles|freebsd|openbsd|netbsd|solaris|python|pypy|php|ruby|perl|java|jdk|node(?:\.js)?"
    r"|postgresql|postgres|mysql|mariadb|gcc|clang) "
)
# What a name and a number may head is for so great a part a list where it tells of changes.
_LEAST_LISTED = 0.3
_RULE = regex(r" [-=~*_#.]{3,}$")
# Symbols such as arrows and emoji begin here, and what chooses how one is drawn and joins several.
_FIRST_SYMBOL, _JOINERS = "\u2190", "\u200d\ufe0f"
# As a sentence it says since when there is what stands above it: "New in version 3.2."
_SINCE_WHEN = regex(r"New in version \S+\.")
# What any of these has.
_MAY_NAME_RELEASE = regex(r"\d\.\d|[vV]\d+-\d|[Uu]nreleased|UNRELEASED|; urgency=")


@lru_cache(maxsize=1 << 13)
def names_release(text: str | None) -> str | None:
    """The number of the release that a heading or a line names; ``"unreleased"`` of the one to come."""
    if text and "This " in text and (said := _said_by(text)):
        return said["number"]
    text = _without_symbols(without_rule(text)) if text else ""
    if not text or len(text) >= LONGEST_RELEASE or _MAY_NAME_RELEASE.search(text) is None:
        return None
    found = _RELEASE.fullmatch(text)
    if found is None or _SINCE_WHEN.fullmatch(text) is not None:
        return None
    return next(value for value in found.groupdict().values() if value).lower()


def without_rule(text: str) -> str:
    """A line without the rule below it, which reading may have joined to it."""
    return _RULE.sub("", text.strip())


def _without_symbols(line: str) -> str:
    """A line without emoji and signs like them, which are ornaments of a heading; "20.5 °C" stays."""
    if line.isascii() or len(line) >= LONGEST_RELEASE:
        return line
    plain = "".join(
        sign
        for sign in line
        if sign not in _JOINERS and (sign < _FIRST_SYMBOL or unicodedata.category(sign) not in ("So", "Sk"))
    )
    return line if plain == line else " ".join(plain.split()).replace(" :", ":")


def release_said(text: str) -> str:
    """The name of a release that a sentence begins its notes with; what is no sentence as it is."""
    said = _said_by(text)
    return said["name"] if said else text


def _said_by(text: str) -> re.Match[str] | None:
    return _SAYS_RELEASE.fullmatch(text) if len(text) < _LONGEST_SENTENCE else None


def release_named_by(candidates: Candidates, text: str | None) -> str | None:
    """The number of the release that a heading or a line names, by its form or as others of its text do."""
    return names_release(text) or releases_named_alike(candidates).get(text or "")


@lru_cache(maxsize=1)
def releases_named_alike(candidates: Candidates) -> dict[str, str]:
    """The numbers of headings and lines that name a release as others do, the newest first.

    A line such as "Lathe 3.2" may be about anything; three, each with an older number and with text below it,
    are a changelog, where that is a list or the lines speak of versions, and they name no platform.
    """
    alike: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
    texts = list(_lines_of(candidates))
    title, _ = texts[0]
    for place, (text, _) in enumerate(texts):
        line = _without_symbols(without_rule(text))
        found = _LIKE_A_RELEASE.fullmatch(line) if len(line) < LONGEST_RELEASE else None
        if found is not None and _SINCE_WHEN.fullmatch(line) is None:
            alike[found["before"].lower()].append((place, text, found["number"]))
    named = {
        text: number
        for before, named_alike in alike.items()
        if len(named_alike) >= (_FEWEST_ALIKE if before else _FEWEST_BARE)
        and (_is_of_whole_numbers(before) or any("." in number for _, _, number in named_alike))
        and _grow_older(named_alike)
        and (_PLATFORM.fullmatch(before) is None or (named_alike[0][0] and title.lower().startswith(before)))
        and (
            _SAYS_CHANGES.search(before)
            or _are_listed([is_item for _, is_item in texts[named_alike[0][0] : named_alike[-1][0]]])
        )
        for _, text, number in named_alike
    }
    newest = _TITLE_OF_NEWEST.fullmatch(without_rule(title))
    if newest is not None and any(_IS_NOTES_OF.match(text) and names_release(text) for text, _ in texts[1:]):
        named[title] = newest["number"]
    return named


def _are_listed(paragraphs: Sequence[bool | None]) -> bool:
    """Whether enough paragraphs are items of lists, by what each is; ``None`` for a heading."""
    told = [is_item for is_item in paragraphs if is_item is not None]
    return sum(told) >= _LEAST_LISTED * len(told)


def _is_of_whole_numbers(before: str) -> bool:
    """Whether what stands before a number tells that it may be a release without a dot: "lathe 30"."""
    return _IS_VERSION.search(before) is not None or before.startswith("changes with ")


def _lines_of(candidates: Candidates) -> Iterator[tuple[str, bool | None]]:
    """The title, the headings and what begins the paragraphs, in their order, and which are items."""
    above: list[str] = [candidates.titles[0]]
    yield candidates.titles[0], None
    for position, sentence in enumerate(candidates.sentences):
        if not position or candidates.section[position] != candidates.section[position - 1]:
            section = candidates.sections[position]
            path = (section.path or section.heading or "").split(PATH_BREAK)
            yield from ((heading, None) for heading in path if heading not in above)
            above = path
        if candidates.opens_paragraph[position]:
            yield sentence.text, sentence.is_item


def _grow_older(lines: Sequence[tuple[int, str, str]]) -> bool:
    """Whether most lines have a lesser number than the one before, or its early one, and text below them."""
    numbers = [(place, tuple(int(part[:18]) for part in number.split("."))) for place, _, number in lines]
    older = sum(
        second <= first and later > place + 1 for (place, first), (later, second) in pairwise(numbers)
    )
    return older >= _LEAST_OLDER * (len(lines) - 1)
