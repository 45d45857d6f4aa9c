"""Headings of plain text: numbered, underlined, in capitals, and the chapters of books."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lsum_cli.reading.plain_lines import (
    LIST_MARK,
    MIN_TURNS,
    RULE,
    TURN,
    LineGroup,
    count_turns,
    underlines,
)
from lsum_cli.reading.plain_titles import (
    find_titles,
    in_title_case,
    is_broken_line,
    is_clause,
    is_common,
    may_be_title,
)
from lsum_cli.text.patterns import regex

_ROMAN = r"[IVXLC]{1,8}|[ivxlc]{1,8}"
_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last))"
)
_NUMBER = rf"(?:\d{{1,3}}|{_ROMAN}|{_NUMBER_WORD})"
_PARTS = "volume|book|part|livre|partie|buch|teil|band|libro|parte|tome|tomo|книга|часть|том"
_CHAPTERS = (
    "chapter|act|letter|canto|stave|chapitre|kapitel|capítulo|capitolo|acte|akt|acto|atto|lettre|brief|carta"
    "|lettera|chant|gesang|глава|письмо|действие"
)
_TITLE_AFTER = r"(?:\s*[.:—–-]+\s*(?P<title>\S.*)|\.?|\s{1,3}(?P<capitals>[A-Z][A-Z'’,\- ]+))?"
_PART = regex(rf"(?:{_PARTS})\s+{_NUMBER}{_TITLE_AFTER}", re.I)
_CHAPTER = regex(rf"(?:the\s+)?(?:{_CHAPTERS})\s+{_NUMBER}(?:{_TITLE_AFTER}|\s+(?P<plain>\S.*))", re.I)
# "Erstes Kapitel", "THE FIRST BOOK", "Глава первая": an ordinal before or after, whatever the language.
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last"
    r"|(?:erst|zweit|dritt|viert|fünft|sechst|siebt|siebent|acht|neunt|zehnt|elft|zwölft|letzt)e[rs]?"
    r"|premi(?:er|ère)|(?:deux|trois|quatr|cinqu|six|sept|huit|neuv|dix)ième|seconde?|derni(?:er|ère)"
    r"|prim[oa]|primer[oa]?|segund[oa]|second[oa]|tercer[oa]?|terz[oa]|cuart[oa]|quart[oa]|quint[oa]|sext[oa]"
    r"|перв(?:ая|ое|ый)|втор(?:ая|ое|ой)|третья|третье|третий|четв[её]рт(?:ая|ое|ый)|пят(?:ая|ое|ый)"
    r"|шест(?:ая|ое|ой)|седьм(?:ая|ое|ой)|восьм(?:ая|ое|ой)|девят(?:ая|ое|ый)|десят(?:ая|ое|ый))"
)
_ORDINAL_PART = regex(
    rf"(?:(?:the|la|le|das|der)\s+)?(?:{_ORDINAL}\s+(?:{_PARTS})|(?:{_PARTS})\s+{_ORDINAL}){_TITLE_AFTER}",
    re.I,
)
_ORDINAL_CHAPTER = regex(
    rf"(?:(?:the|la|le|das|der)\s+)?(?:{_ORDINAL}\s+(?:{_CHAPTERS}|day|night|tag|nacht|jour|giornata)"
    rf"|(?:{_CHAPTERS})\s+{_ORDINAL}){_TITLE_AFTER}",
    re.I,
)
_SCENE = regex(rf"scene\s+{_NUMBER}{_TITLE_AFTER}", re.I)
_NAMED_CHAPTER = regex(
    r"(?:the\s+)?(?:preface|foreword|prologue|introduction|epilogue|afterword|conclusion|postscript"
    r"|dedication|acknowledge?ments|appendix(?:\s+[A-Z\d]{1,3})?|characters|dramatis personae"
    r"|persons of the play|abstract|references|bibliography|glossary|index|notes|vorwort|prolog|epilog"
    r"|einleitung|préface|prólogo|epílogo)[.:]?",
    re.I,
)
_NUMBERED = regex(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})(?P<mark>[.)]?)\s+(?P<title>[^\W\d_a-z].*|[a-z][\w-]*[A-Z].*)"
)
# A clause of a contract: "2. Grant of Licence. Subject to the terms …", or its name alone, with a full stop.
_CLAUSE = regex(
    r"(?P<heading>(?P<number>\d{1,2})\.\s+(?P<title>[A-Z][^.:;?!]{2,60}))\.(?:\s+(?P<text>[A-Z\"“(].*))?"
)
_ROMAN_TITLED = regex(r"(?P<number>[IVXL]{1,7})[.)]\s+(?P<title>[^\W\d_a-z].*)")
# "一、概述", "（一）水质", "第二章 措施".
_IDEOGRAPHIC = regex(
    r"(?:第[一二三四五六七八九十百\d]{1,4}[章節节編编部回](?:[\s\u3000]+\S.{0,30})?|[一二三四五六七八九十]{1,3}、\S.{0,30}"
    r"|(?P<below>[（(][一二三四五六七八九十]{1,3}[)）]\S.{0,30}))(?<![。！？；，：、])"
)
# "* Changes in release 3.2" and "** Bug fixes" of an outline, as GNU writes its news.
_STARRED = regex(r"(?P<stars>\*{1,4}) (?P<title>\S.*)")
_DATE = regex(r"\w{3,10}\.?,? \d{4}\b.*")
# Not I, V and X, which are numbers.
_LETTERED = regex(r"[A-HJ-UWYZ][.)]\s+[^\W\d_a-z].*")
_BARE = regex(rf"(?P<roman>{_ROMAN})\.?|(?P<digits>\d{{1,2}})\.?")
_CAPITALS = regex(r"[^a-zß-öø-ÿ]*[A-ZÀ-ÖØ-Þ]{2}[^a-zß-öø-ÿ]*")
_PLACEHOLDER = regex(r"<[A-Za-z_][\w -]*>|[\w>]\(\s+\S|\$[{(]")
_ASKED = regex(r"\S+(?:\s+\S+)?\?|N\.?/?A\.?|TBD|TODO")
_MIN_REPEATED = 3
CONTENTS_HEADING = regex(
    r"(?:table of )?contents[.:]?|index of chapters|inhalt|table des matières|índice|indice", re.I
)
_SENTENCE_END = regex(r"(?<!\betc)[.,;:!?][\"'”’)\]]*$")
_DOTTED = regex(r"(?:\.\s?){3,}\s*\d*$|\s{2,}\d{1,4}$")
_MAX_HEADING_WORDS = 12
_MOST_DIGITS = 9
_MAX_HEADING_CHARACTERS = 110
_MAX_NUMBERED_CHARACTERS = 200
_MIN_SECTION_WORDS = 8
_MIN_SPACED_BLANKS = 2
_MIN_NUMBERED = 3
_MIN_CLAUSES = 4
_LONGEST_SMALL = 3  # letters of a word that a title may begin in lower case
_MIN_STARRED = 2
# So many lines of a table of contents begin an entry at least.
_MOST_ENTRIES = 0.4
_ENTRY = regex(r"\d{1,2}(?:\.\d{1,2})*\.?\s+\S")
_MOST_NAMED = 0.66
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class HeadingKind(enum.Enum):
    """The form of a heading; of two adjacent headings, the one with the larger value is subordinate."""

    PART = 1
    CHAPTER = 2
    NAMED = 3
    SCENE = 4
    BARE_NUMBER = 5
    NUMBERED = 6
    ROMAN_TITLED = 7
    LETTERED = 8
    UNDERLINED = 9
    CAPITALS = 10
    TITLED = 11
    STARRED = 12


_UNNUMBERED_KINDS = (HeadingKind.CAPITALS, HeadingKind.UNDERLINED, HeadingKind.NAMED)
_CHAPTER_KINDS = (HeadingKind.CHAPTER, HeadingKind.SCENE, HeadingKind.BARE_NUMBER)
_LIST_KINDS = (HeadingKind.NUMBERED, HeadingKind.ROMAN_TITLED, HeadingKind.LETTERED)


@dataclass(frozen=True, kw_only=True, slots=True)
class TypedHeading:
    """A heading found among the groups of lines of a text.

    Attributes:
        group: Index of the group that is the heading.
        kind: Its form.
        text: Its words.
        level: Depth among headings of its kind.
        last_group: Index of the last group that belongs to it, where its title is on another line.
    """

    group: int
    kind: HeadingKind
    text: str
    level: int
    last_group: int


def find_headings(groups: Sequence[LineGroup]) -> dict[int, TypedHeading]:
    """The headings of a text, by the index of their (first) group."""
    times = Counter(group.text for group in groups if len(group.lines) == 1 and _is_short(group.lines[0]))
    names = {text for text, count in times.items() if count >= _MIN_REPEATED and _CAPITALS.fullmatch(text)}
    candidates = [
        found for index, group in enumerate(groups) if (found := _recognise(index, group, groups, names))
    ]
    speakers = _speakers(groups)
    if starred := _starred(groups):
        candidates = starred
    if speakers:
        candidates = [found for found in candidates if found.text.partition(":")[0].strip() not in speakers]
    candidates = _name_chapters(_keep_sequences(candidates, groups), groups)
    candidates = _keep_filled(_level_by_rules(candidates, groups), groups)
    candidates = _keep_capitals_that_stand_out(candidates, groups)
    taken = {heading.group: heading.last_group for heading in candidates}
    divided = sum(1 for heading in candidates if heading.kind in _CHAPTER_KINDS) > 1
    titles = [
        _heading(index, HeadingKind.TITLED, groups[index].text)
        for index in find_titles(groups, taken, divided=divided)
        if groups[index].text.partition(":")[0].strip() not in speakers
    ]
    candidates = _without_lists(candidates, titles, groups)
    candidates = sorted((*candidates, *titles), key=lambda heading: heading.group)
    return {heading.group: heading for heading in _settle_levels(candidates)}


def with_numbered_apart(groups: Sequence[LineGroup]) -> list[LineGroup]:
    """The groups, with numbered headings apart from the text that stands directly below them.

    ``1. Purpose`` above ``This project …`` is a heading where several such lines are numbered in sequence,
    and each ends before its line is full.
    """
    numbers, above = [], set()
    for index, group in enumerate(groups):
        first = LineGroup(lines=group.lines[:1], blank_before=group.blank_before)
        heading = _numbered(index, first)
        if heading is None or heading.level > 1:
            continue
        if len(group.lines) > 1:
            if not _ends_early(group.lines):
                continue
            above.add(index)
        numbers.append(_value(heading.text))
    if len(above) < 2 or len(numbers) < _MIN_NUMBERED or numbers != [*range(1, len(numbers) + 1)]:
        return list(groups)
    apart = []
    for index, group in enumerate(groups):
        if index in above:
            apart.append(LineGroup(lines=group.lines[:1], blank_before=group.blank_before))
            apart.append(LineGroup(lines=group.lines[1:], blank_before=0))
        else:
            apart.append(group)
    return apart


def with_clauses_apart(groups: Sequence[LineGroup]) -> list[LineGroup]:
    """The groups, with the names of the clauses of a contract apart from what they say in the same line.

    Clauses are numbered from 1, and each is named as a title is, and found to be a heading when it is apart.
    """
    found = {
        index: clause
        for index, group in enumerate(groups)
        if (clause := _CLAUSE.fullmatch(group.lines[0].strip()))
        and all(word[0].isupper() or len(word) <= _LONGEST_SMALL for word in clause["title"].split())
    }
    numbers = [int(clause["number"]) for clause in found.values()]
    if len(numbers) < _MIN_CLAUSES or numbers != [*range(1, len(numbers) + 1)]:
        return list(groups)
    apart: list[LineGroup] = []
    named: list[int] = []
    for index, group in enumerate(groups):
        clause = found.get(index)
        if clause is None:
            apart.append(group)
            continue
        named.append(len(apart))
        apart.append(LineGroup(lines=(clause["heading"],), blank_before=group.blank_before))
        lines = (*([clause["text"]] if clause["text"] else []), *group.lines[1:])
        if lines:
            apart.append(LineGroup(lines=lines, blank_before=0))
    # A name that is no heading there would stand alone, without its stop.
    return apart if find_headings(apart).keys() >= set(named) else list(groups)


def _ends_early(lines: Sequence[str]) -> bool:
    """Whether the first line ends although more would fit, and what begins below it is no list."""
    below = lines[1].strip()
    width = max(map(len, lines))
    fits = len(lines[0]) + 1 + len(below.split(maxsplit=1)[0]) <= width
    return fits and not below[0].islower() and LIST_MARK.match(below) is None


def take_title(headings: dict[int, TypedHeading], groups: Sequence[LineGroup]) -> str | None:
    """Remove the heading that is the title of the whole text, and return its words.

    It stands first: underlined as no other heading is, or a line alone like those that are headings.
    """
    first = headings.get(0)
    if first is None or is_common(first.text):
        return None
    if first.kind is HeadingKind.UNDERLINED:
        if len(headings) == 1 or any(
            heading.level <= first.level for heading in headings.values() if heading.group
        ):
            return None
        for index in list(headings):
            headings[index] = replace(headings[index], level=max(1, headings[index].level - 1))
    elif first.kind is not HeadingKind.TITLED or groups[0].blank_before or first.text.endswith("?"):
        return None
    return headings.pop(0).text


def _without_lists(
    candidates: Sequence[TypedHeading], titles: Sequence[TypedHeading], groups: Sequence[LineGroup]
) -> list[TypedHeading]:
    """Without numbered lines that are lists: among headings without numbers, counted anew or but a part."""
    numbered = [found for found in candidates if found.kind is HeadingKind.NUMBERED]
    others = [found for found in candidates if found.kind in _UNNUMBERED_KINDS]
    if not numbered or len(others) + len(titles) < _MIN_NUMBERED:
        return list(candidates)
    if any(found.level > 1 for found in numbered):
        return list(candidates)
    starts = sum(1 for found in numbered if _value(found.text) == 1)
    first, last = numbered[0].group, numbered[-1].group
    inside = sum(group.num_words for group in groups[first : last + 1])
    if starts <= 1 and 2 * inside > sum(group.num_words for group in groups):
        return list(candidates)
    return [found for found in candidates if found.kind is not HeadingKind.NUMBERED]


def _level_by_rules(found: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Underlined headings with the level of their rule: the first that is used is the highest."""
    rules: dict[tuple[str, int], int] = {}
    levelled = []
    for heading in found:
        if heading.kind is HeadingKind.UNDERLINED:
            lines = groups[heading.group].lines
            level = rules.setdefault((lines[-1].strip()[0], len(lines)), len(rules) + 1)
            levelled.append(replace(heading, level=level))
        else:
            levelled.append(heading)
    return levelled


def find_contents(groups: Sequence[LineGroup], headings: dict[int, TypedHeading]) -> range:
    """The groups of the table of contents; an empty range where there is none."""
    for index, group in enumerate(groups[: max(40, len(groups) // 10)]):
        if not CONTENTS_HEADING.fullmatch(group.lines[0].strip()):
            continue
        end = index + 1
        if len(group.lines) == 1 and not (end < len(groups) and _is_listing(groups[end])):
            continue
        while end < len(groups) and end not in headings and _is_listing(groups[end]):
            end += 1
        return range(index, end)
    return range(0)


def _starred(groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """The headings of an outline: lines alone with one star, two and more; of a list there are none."""
    found = []
    for index, group in enumerate(groups):
        starred = _STARRED.fullmatch(group.lines[0]) if len(group.lines) == 1 else None
        if starred and _is_short(starred["title"]) and not _SENTENCE_END.search(starred["title"]):
            heading = _heading(index, HeadingKind.STARRED, starred["title"])
            found.append(replace(heading, level=len(starred["stars"])))
    below = sum(heading.level > 1 for heading in found)
    return found if below >= _MIN_STARRED and below < len(found) else []


def _speakers(groups: Sequence[LineGroup]) -> set[str]:
    """Who speaks in a conversation: most paragraphs open with a name that others open with too."""
    firsts = [group.lines[0].strip() for group in groups]
    speakers = {name for name, count in count_turns(firsts).items() if count >= MIN_TURNS}
    turns = sum(1 for first in firsts if (found := TURN.match(first)) and found["name"] in speakers)
    return speakers if 2 * turns > len(groups) else set()


def _is_listing(group: LineGroup) -> bool:
    """Whether a group looks like entries of a table of contents: short lines, none a sentence.

    Numbered entries may be questions, and go on in the next line.
    """
    entries = [line.strip() for line in group.lines]
    numbered = [bool(_ENTRY.match(entry)) for entry in entries]
    if numbered[0] and sum(numbered) >= max(_MIN_NUMBERED, _MOST_ENTRIES * len(entries)):
        return True
    return all(
        len(entry.split()) <= _MAX_HEADING_WORDS
        and (bool(_DOTTED.search(entry)) or not _SENTENCE_END.search(entry.rstrip(".")))
        for entry in entries
    )


def _recognise(
    index: int, group: LineGroup, groups: Sequence[LineGroup], names: set[str]
) -> TypedHeading | None:
    line = group.lines[0].strip()
    if len(group.lines) in (2, 3) and underlines(group.lines[-1], group.lines[-2]):
        title = group.lines[-2].strip()
        is_overlined = len(group.lines) == 3
        if _is_short(title) and (not is_overlined or RULE.fullmatch(line)):
            return _heading(index, HeadingKind.UNDERLINED, title)
        return None
    if numbered := _numbered(index, group):
        return numbered
    if len(group.lines) == 1 and (ideographic := _IDEOGRAPHIC.fullmatch(line)):
        heading = _heading(index, HeadingKind.NUMBERED, line)
        return replace(heading, level=2) if ideographic["below"] else heading
    if not _is_short(group.text) or len(group.lines) > 3 or _DOTTED.search(line):
        return None
    # "URI_ENCODE( <root> )" and "Authorization: Bearer <token>" are no titles.
    if _PLACEHOLDER.search(line):
        return None
    for kind, pattern in (
        (HeadingKind.PART, _PART),
        (HeadingKind.PART, _ORDINAL_PART),
        (HeadingKind.CHAPTER, _CHAPTER),
        (HeadingKind.CHAPTER, _ORDINAL_CHAPTER),
        (HeadingKind.SCENE, _SCENE),
    ):
        # Joined by a dash, the patterns find the title on the second line.
        if pattern.fullmatch(" — ".join(part.strip() for part in group.lines)) and _reads_as_title(line):
            return _with_title(_heading(index, kind, group.text), groups, names)
    if len(group.lines) == 2 and _BARE.fullmatch(line) and _is_chapter_title(group.lines[1].strip()):
        return _heading(index, HeadingKind.BARE_NUMBER, group.text)
    if len(group.lines) > 1:
        return None
    if _NAMED_CHAPTER.fullmatch(line) and line[0].isupper():
        return _heading(index, HeadingKind.NAMED, line)
    if _BARE.fullmatch(line):
        return _heading(index, HeadingKind.BARE_NUMBER, line)
    if _SENTENCE_END.search(line.rstrip("?")):
        return None
    if _LETTERED.fullmatch(line):
        return _heading(index, HeadingKind.LETTERED, line)
    if _ROMAN_TITLED.fullmatch(line):
        return _heading(index, HeadingKind.ROMAN_TITLED, line)
    if _CAPITALS.fullmatch(line) and not _ASKED.fullmatch(line) and (line not in names or is_common(line)):
        return _heading(index, HeadingKind.CAPITALS, line)
    return None


def _numbered(index: int, group: LineGroup) -> TypedHeading | None:
    """A heading such as "2.1 Participants"; one of a subsection may be long and take several lines."""
    text = group.text
    numbered = _NUMBERED.fullmatch(text) if len(text) <= _MAX_NUMBERED_CHARACTERS else None
    if numbered is None or _DOTTED.search(text) or _SENTENCE_END.search(text.rstrip("?")):
        return None
    depth = numbered["number"].count(".")
    if len(group.lines) > 1 and not is_broken_line(group.lines):
        return None
    title = numbered["title"]
    if not depth and (not _is_short(text) or _DATE.fullmatch(title) or is_clause(title)):
        return None
    return replace(_heading(index, HeadingKind.NUMBERED, text), level=depth + 1)


def _heading(group: int, kind: HeadingKind, text: str) -> TypedHeading:
    return TypedHeading(group=group, kind=kind, text=text, level=1, last_group=group)


def _is_short(text: str) -> bool:
    return len(text) <= _MAX_HEADING_CHARACTERS and len(text.split()) <= _MAX_HEADING_WORDS + 4


def _reads_as_title(line: str) -> bool:
    """Whether a line that begins like a chapter heading is one, not a sentence about a chapter."""
    return line[0].isupper() and not (
        line.endswith((",", ";")) or re.search(r"\b(?:was|is|were|are|had|has)\b", line)
    )


def _with_title(heading: TypedHeading, groups: Sequence[LineGroup], names: set[str]) -> TypedHeading:
    """A chapter heading extended by a title on the lines below it."""
    following = heading.group + 1
    if len(heading.text.split()) > 3 or following + 1 >= len(groups):
        return heading
    group = groups[following]
    title = group.text
    is_title = (
        len(group.lines) <= 2
        and group.blank_before <= _MIN_SPACED_BLANKS
        and (_CAPITALS.fullmatch(title) or in_title_case(title))
        and title not in names
        and _is_chapter_title(title)
    )
    if not is_title:
        return heading
    return replace(heading, text=f"{heading.text} {title}", last_group=following)


def _is_chapter_title(title: str) -> bool:
    """Whether a line below the number of a chapter may be its title."""
    return (
        len(title.split()) <= _MAX_HEADING_WORDS
        and not title[0].islower()
        and not _SENTENCE_END.search(title.rstrip("?!").removesuffix("."))
        and not _BARE.fullmatch(title)
        and not any(pattern.fullmatch(title) for pattern in (_PART, _CHAPTER, _SCENE, _NAMED_CHAPTER))
    )


def _name_chapters(candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Bare numbers with the titles on the lines below them, where most have one."""
    bare = [candidate for candidate in candidates if candidate.kind is HeadingKind.BARE_NUMBER]
    starts = {candidate.group for candidate in candidates}
    named = {
        candidate.group: replace(
            candidate,
            text=f"{candidate.text} {groups[candidate.group + 1].text}",
            last_group=candidate.group + 1,
        )
        for candidate in bare
        if len(groups[candidate.group].lines) == 1 and _has_title_below(candidate.group, starts, groups)
    }
    if len(named) < _MOST_NAMED * len(bare):
        return list(candidates)
    return [
        named.get(candidate.group, candidate)
        for candidate in candidates
        if candidate.group - 1 not in named or candidate.kind is HeadingKind.BARE_NUMBER
    ]


def _has_title_below(group: int, starts: set[int], groups: Sequence[LineGroup]) -> bool:
    if group + 2 >= len(groups) or group + 2 in starts - {group}:
        return False
    below = groups[group + 1]
    form = may_be_title(below) or (len(below.lines) == 1 and bool(_CAPITALS.fullmatch(below.text)))
    return form and below.blank_before <= _MIN_SPACED_BLANKS and _is_chapter_title(below.text)


def _keep_sequences(candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Keep bare numbers and titled Roman numerals only where they form a sequence that begins with 1."""
    kept = {id(candidate) for candidate in candidates}
    for kind in (HeadingKind.BARE_NUMBER, HeadingKind.ROMAN_TITLED, HeadingKind.LETTERED):
        numbers = [candidate for candidate in candidates if candidate.kind is kind]
        in_order: set[int] = set()
        expected = 1
        run: list[TypedHeading] = []
        for candidate in numbers:
            value = ord(candidate.text[0]) - 64 if kind is HeadingKind.LETTERED else _value(candidate.text)
            if value == 1 or value == expected:
                if value == 1:
                    run = []
                run.append(candidate)
                expected = value + 1
                if len(run) > 1:
                    in_order.update(id(member) for member in run)
        kept -= {id(candidate) for candidate in numbers if id(candidate) not in in_order}
        if kind is HeadingKind.BARE_NUMBER and _are_page_numbers(
            [c for c in numbers if id(c) in in_order], groups
        ):
            kept -= in_order
    return [candidate for candidate in candidates if id(candidate) in kept]


def _are_page_numbers(numbers: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> bool:
    """Whether bare numbers are page numbers, which interrupt sentences."""
    before = [groups[number.group - 1].text for number in numbers if number.group]
    unfinished = sum(
        1 for text in before if not re.search(r"[.!?:…\"'”’)\]*]$", text) and len(text.split()) > 8
    )
    return unfinished > 0.2 * len(before)


def _value(text: str) -> int:
    """The number a heading begins with; 0 for letters that are not a Roman numeral."""
    token = re.split(r"[.)\s]", text, maxsplit=1)[0].lower()
    if token.isdecimal() and len(token) <= _MOST_DIGITS:
        return int(token)
    total = 0
    for letter, following in zip(token, token[1:] + " ", strict=True):
        value = _ROMAN_VALUES.get(letter, 0)
        total += -value if value < _ROMAN_VALUES.get(following, 0) else value
    return total


def _keep_filled(candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Drop entries of tables of contents and lists: headings with neither text nor subheadings below."""
    kept: list[TypedHeading] = []
    in_list = False
    for position, candidate in enumerate(candidates):
        following = candidates[position + 1] if position + 1 < len(candidates) else None
        end = following.group if following else len(groups)
        words = sum(group.num_words for group in groups[candidate.last_group + 1 : end])
        is_title = candidate.group == 0 and candidate.kind is HeadingKind.UNDERLINED
        leads_down = following is not None and (
            is_title or (words == 0 and _rank(following) > _rank(candidate))
        )
        if leads_down or words >= (_MIN_SECTION_WORDS if following else 1):
            if not (in_list and candidate.kind in _LIST_KINDS):
                kept.append(candidate)
            in_list = False
        else:
            in_list = in_list or (words == 0 and candidate.kind in _LIST_KINDS)
    return kept


def _rank(heading: TypedHeading) -> tuple[int, int]:
    return (heading.kind.value, heading.level)


def _keep_capitals_that_stand_out(
    candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]
) -> list[TypedHeading]:
    """Keep headings in capitals where nothing better marks headings.

    In a book with chapters, capitals may quote a sign or a letter, so that extra space above is needed;
    in a text with numbered headings they are not headings.
    """
    chapters = sum(
        1 for candidate in candidates if candidate.kind in (HeadingKind.CHAPTER, HeadingKind.BARE_NUMBER)
    )
    numbered = sum(1 for candidate in candidates if candidate.kind is HeadingKind.NUMBERED)
    if numbered >= _MIN_NUMBERED:
        return [candidate for candidate in candidates if candidate.kind is not HeadingKind.CAPITALS]
    if chapters < 2:
        return list(candidates)
    return [
        candidate
        for candidate in candidates
        if candidate.kind is not HeadingKind.CAPITALS
        or groups[candidate.group].blank_before > _MIN_SPACED_BLANKS
    ]


def _settle_levels(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """Assign levels across kinds: parts above chapters above scenes."""
    kinds = Counter(candidate.kind for candidate in candidates)
    ranked = [kind for kind in (HeadingKind.PART, HeadingKind.CHAPTER, HeadingKind.SCENE) if kinds[kind]]
    bases = {kind: ranked.index(kind) for kind in ranked}
    bases[HeadingKind.NAMED] = bases.get(HeadingKind.CHAPTER, 0)
    bases[HeadingKind.BARE_NUMBER] = 1 if kinds[HeadingKind.PART] else 0
    chapters = kinds[HeadingKind.CHAPTER] > 1 or kinds[HeadingKind.BARE_NUMBER]
    for kind in (
        HeadingKind.CAPITALS,
        HeadingKind.ROMAN_TITLED,
        HeadingKind.UNDERLINED,
        HeadingKind.STARRED,
    ):
        bases[kind] = 0
    bases[HeadingKind.LETTERED] = 1 if kinds[HeadingKind.ROMAN_TITLED] or kinds[HeadingKind.NUMBERED] else 0
    bases[HeadingKind.NUMBERED] = len(ranked) if chapters and kinds[HeadingKind.NUMBERED] else 0
    underlined = [found.level for found in candidates if found.kind is HeadingKind.UNDERLINED]
    several_capitals = kinds[HeadingKind.CAPITALS] >= 2 or kinds[HeadingKind.PART]
    bases[HeadingKind.TITLED] = max(underlined) if underlined else int(bool(several_capitals))
    return [replace(candidate, level=candidate.level + bases[candidate.kind]) for candidate in candidates]
