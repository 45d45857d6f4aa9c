"""The forms of headings in plain text: numbered, underlined, in capitals, and the chapters of books."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lsum_cli.reading.plain.lines import (
    RULE,
    LineGroup,
    underlines,
)
from lsum_cli.reading.plain.titles import (
    GRAMMAR,
    in_title_case,
    is_broken_line,
    is_clause,
    is_common,
)
from lsum_cli.text.patterns import NUMBER_WORDS, ORDINALS, TEENS, regex

_ROMAN = r"[IVXLC]{1,8}|[ivxlc]{1,8}"
_NUMBER_WORD = (
    rf"(?:{NUMBER_WORDS}|{TEENS}"
    r"|(?:twenty|thirty|forty|fifty)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"
    rf"|(?:the )?(?:{ORDINALS}|last))"
)
_NUMBER = rf"(?:\d{{1,3}}|{_ROMAN}|{_NUMBER_WORD})"
_PARTS = "volume|book|part|livre|partie|buch|teil|band|libro|parte|tome|tomo|книга|часть|том"
_PART_WORDS = frozenset(_PARTS.split("|"))
_CHAPTERS = (
    "chapter|act|adventure|letter|canto|stave|lecture|essay|sermon|discourse|dialogue|chapitre|kapitel|capítulo"
    "|capitolo|acte|akt|acto|atto|lettre|brief|carta|lettera|chant|gesang|глава|письмо|действие|article|artikel|artículo|articolo|artigo|статья"
)
_TITLE_AFTER = r"(?:\s*[.:—–-]+\s*(?P<title>\S.*)|\.?|\s{1,3}(?P<capitals>[A-Z][A-Z'’,\- ]+))?"
_PART = regex(rf"(?:{_PARTS})\s+{_NUMBER}{_TITLE_AFTER}", re.I)
# "Article. I." of an old print.
_CHAPTER = regex(rf"(?:the\s+)?(?:{_CHAPTERS})\.?\s+{_NUMBER}(?:{_TITLE_AFTER}|\s+(?P<plain>\S.*))", re.I)
# "Erstes Kapitel", "THE FIRST BOOK", "Глава первая": an ordinal before or after, whatever the language.
_ORDINAL = (
    rf"(?:{ORDINALS}|eleventh|twelfth|last"
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
_SCENE = regex(rf"(?:scene|section)\.?\s+{_NUMBER}(?!\.\d){_TITLE_AFTER}", re.I)
# "PROP. I. THEOR. I.", "DEFIN. IV": what a treatise states, with its proof below.
_OF_STATEMENT = (
    r"(?:prop(?:osition)?|theor(?:em)?|prob(?:l(?:em)?)?|defin(?:ition)?|ax(?:iom)?|lemma|postulate)"
)
_STATED = regex(
    rf"{_OF_STATEMENT}\.?\s+(?:\d{{1,3}}|{_ROMAN})\.?(?:\s+{_OF_STATEMENT}\.?\s+(?:\d{{1,3}}|{_ROMAN})\.?)?",
    re.I,
)
_NAMED_CHAPTER = regex(
    r"(?:the\s+)?(?:preface|foreword|prologue|introduction|epilogue|afterword|conclusion|postscript"
    r"|dedication|acknowledge?ments|appendix(?:\s+[A-Z\d]{1,3})?|characters|dramatis personae"
    r"|persons of the play|abstract|references|bibliography|glossary|index|notes|vorwort|prolog|epilog"
    r"|einleitung|préface|prólogo|epílogo)[.:]?",
    re.I,
)
# "3.1.2: Namespaces"; "12: …" is an entry of a list.
_NUMBERED = regex(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})(?:[.)]|(?<=\.\d):|(?<=\.\d\d):)?\s+"
    r"(?P<title>[^\W\d_a-z].*|[a-z][\w-]*[A-Z].*|(?P<name>[a-z][\w.:+-]*(?:\(\))?))"
)
_ROMAN_TITLED = regex(r"(?P<number>[IVXL]{1,7})[.)]\s+(?P<title>[^\W\d_a-z].*)")
# "一、概述", "（一）水质", "第二章 措施".
_IDEOGRAPHIC = regex(
    r"(?:第[一二三四五六七八九十百\d]{1,4}[章節节編编部回](?:[\s\u3000]+\S.{0,30})?|[一二三四五六七八九十]{1,3}、\S.{0,30}"
    r"|(?P<below>[（(][一二三四五六七八九十]{1,3}[)）]\S.{0,30}))(?<![。．！？；，：、])"
)
# "* Changes in release 3.2" and "** Bug fixes" of an outline, as GNU writes its news.
_STARRED = regex(r"(?P<stars>\*{1,4}) (?P<title>\S.*)")
_DATE = regex(r"\w{3,10}\.?,? \d{4}\b.*")
# Not I, V and X, which are numbers.
_LETTERED = regex(r"[A-HJ-UWYZ][.)]\s+[^\W\d_a-z].*")
_BARE = regex(rf"(?P<roman>{_ROMAN})\.?|(?P<digits>\d{{1,2}})\.?")
CAPITALS = regex(r"[^a-zß-öø-ÿ]*[A-ZÀ-ÖØ-Þ]{2}[^a-zß-öø-ÿ]*")
_BROKEN_OFF = regex(r".*\s(?:THE|AN|OF|AND|OR)")
# "=== Goals ===", as wikis and others mark headings.
BETWEEN_MARKS = regex(r"(?P<mark>={2,6})[ \t]+(?P<title>[^\s=](?:[^=\n]*[^\s=])?)[ \t]+(?P=mark)")
# "_Goals_": italics, as they are typed.
_EMPHASIS = regex(r"(?<!\w)_(?=[^\s_])([^_\n]{1,100})(?<=\S)_(?!\w)")
_PLACEHOLDER = regex(r"<[A-Za-z_][\w -]*>|[\w>]\(\s+\S|\$[{(]")
_ASKED = regex(r"\S+(?:\s+\S+)?\?|N\.?/?A\.?|TBD|TODO")
_SENTENCE_END = regex(r"(?<!\betc)[.,;:!?][\"'”’)\]]*$")
_DOTTED = regex(r"(?:\.\s?){3,}\s*\d*$|\s{2,}\d{1,4}$")
_MAX_HEADING_WORDS = 12
_MOST_DIGITS = 9
_MAX_HEADING_CHARACTERS = 110
_MAX_NUMBERED_CHARACTERS = 200
MIN_SPACED_BLANKS = 2
MIN_NUMBERED = 3
# So many lines of a table of contents begin an entry at least.
_MOST_ENTRIES = 0.4
ENTRY = regex(r"\d{1,2}(?:\.\d{1,2})*[.:]?\s+\S")
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
    STATED = 13


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


def starred_heading(index: int, group: LineGroup) -> TypedHeading | None:
    """A heading such as "** Bug fixes"."""
    starred = _STARRED.fullmatch(group.lines[0]) if len(group.lines) == 1 else None
    if starred is None or not is_short(starred["title"]) or _SENTENCE_END.search(starred["title"]):
        return None
    return replace(heading_of(index, HeadingKind.STARRED, starred["title"]), level=len(starred["stars"]))


def looks_like_contents(group: LineGroup) -> bool:
    """Whether a group looks like entries of a table of contents: short lines, none a sentence.

    Numbered entries may be questions, and go on in the next line.
    """
    entries = [line.strip() for line in group.lines]
    numbered = [bool(ENTRY.match(entry)) for entry in entries]
    if numbered[0] and sum(numbered) >= max(MIN_NUMBERED, _MOST_ENTRIES * len(entries)):
        return True
    return all(
        len(entry.split()) <= _MAX_HEADING_WORDS
        and (bool(_DOTTED.search(entry)) or not _SENTENCE_END.search(entry.rstrip(".")))
        for entry in entries
    )


def recognise(
    index: int, group: LineGroup, groups: Sequence[LineGroup], names: set[str]
) -> TypedHeading | None:
    """The heading that a group of lines is by its form.

    Args:
        index: That of the group.
        group: The lines.
        groups: Those of the whole text, for titles on the lines below.
        names: Lines in capitals that come again and again, and are the names of speakers.
    """
    typed = group.lines[-1].strip()
    group = without_emphasis(group)
    line = group.lines[0].strip()
    if len(group.lines) == 1 and (marked := BETWEEN_MARKS.fullmatch(line)) and is_short(line):
        return heading_of(index, HeadingKind.UNDERLINED, marked["title"])
    if len(group.lines) in (2, 3) and underlines(group.lines[-1], group.lines[-2]):
        title = group.lines[-2].strip()
        is_overlined = len(group.lines) == 3
        if is_short(title) and (not is_overlined or RULE.fullmatch(line)):
            return heading_of(index, HeadingKind.UNDERLINED, title)
        return None
    if numbered := numbered_heading(index, group):
        return numbered
    if len(group.lines) == 1 and (ideographic := _IDEOGRAPHIC.fullmatch(line)):
        heading = heading_of(index, HeadingKind.NUMBERED, line)
        return replace(heading, level=2) if ideographic["below"] else heading
    if not is_short(group.text) or len(group.lines) > 3 or _DOTTED.search(line):
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
            return _with_title(heading_of(index, kind, group.text), groups, names)
    if len(group.lines) == 2 and _BARE.fullmatch(line) and is_chapter_title(group.lines[1].strip()):
        return heading_of(index, HeadingKind.BARE_NUMBER, group.text)
    if len(group.lines) > 1:
        return None
    if _NAMED_CHAPTER.fullmatch(line) and line[0].isupper():
        return heading_of(index, HeadingKind.NAMED, line)
    if _BARE.fullmatch(line):
        return heading_of(index, HeadingKind.BARE_NUMBER, line)
    if _STATED.fullmatch(line) and line[0].isupper():
        return heading_of(index, HeadingKind.STATED, line)
    # "_AXIOMS._" is no sentence, as "FIRE." may be.
    if _SENTENCE_END.search(typed.rstrip("?")):
        return None
    if _LETTERED.fullmatch(line):
        return heading_of(index, HeadingKind.LETTERED, line)
    if _ROMAN_TITLED.fullmatch(line):
        return heading_of(index, HeadingKind.ROMAN_TITLED, line)
    if _is_in_capitals(line) and (line not in names or is_common(line)):
        return heading_of(index, HeadingKind.CAPITALS, line)
    return None


def _is_in_capitals(line: str) -> bool:
    """Whether a line in capitals names something: it is no grammar, no answer, and not broken off."""
    return (
        CAPITALS.fullmatch(line) is not None
        and _ASKED.fullmatch(line) is None
        and _BROKEN_OFF.fullmatch(line) is None
        and GRAMMAR.search(line) is None
    )


def numbered_heading(index: int, group: LineGroup) -> TypedHeading | None:
    """A heading such as "2.1 Participants"; one of a subsection may be long and take several lines."""
    text = group.text
    numbered = _NUMBERED.fullmatch(text) if len(text) <= _MAX_NUMBERED_CHARACTERS else None
    if numbered is None or _DOTTED.search(text) or _SENTENCE_END.search(text.rstrip("?")):
        return None
    depth = numbered["number"].count(".")
    if numbered["name"] and not depth:
        return None
    if len(group.lines) > 1 and not is_broken_line(group.lines):
        return None
    title = numbered["title"]
    # "15. Thanks" heads a section, though a line that begins so may say something.
    says = " " in title and is_clause(title)
    if not depth and (not is_short(text) or _DATE.fullmatch(title) or says):
        return None
    return replace(heading_of(index, HeadingKind.NUMBERED, text), level=depth + 1)


def without_emphasis(group: LineGroup) -> LineGroup:
    """A group without the signs that stand for italics: ``_Goals_``."""
    if "_" not in group.text:
        return group
    return replace(group, lines=tuple(_EMPHASIS.sub(r"\1", line) for line in group.lines))


def heading_of(group: int, kind: HeadingKind, text: str) -> TypedHeading:
    """A heading of one group, at the highest level."""
    # A copied page has the sign of its links to headings.
    return TypedHeading(group=group, kind=kind, text=text.rstrip("¶ "), level=1, last_group=group)


def is_short(text: str) -> bool:
    """Whether a text is short enough for a heading."""
    return len(text) <= _MAX_HEADING_CHARACTERS and len(text.split()) <= _MAX_HEADING_WORDS + 4


def word_of_part(heading: str) -> str:
    """What a heading calls the part that it begins: "book", "part"."""
    return next((word for word in re.findall(r"\w+", heading.lower()) if word in _PART_WORDS), "")


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
    group = without_emphasis(groups[following])
    title = group.text
    is_title = (
        len(group.lines) <= 2
        and group.blank_before <= MIN_SPACED_BLANKS
        and (CAPITALS.fullmatch(title) or in_title_case(title))
        and title not in names
        and is_chapter_title(title)
        # "4.1: Namespaces" below "Chapter 4: Namespaces".
        and not _is_of_section(following, group)
    )
    if not is_title:
        return heading
    return replace(heading, text=f"{heading.text} {title}", last_group=following)


def _is_of_section(index: int, group: LineGroup) -> bool:
    numbered = numbered_heading(index, group)
    return numbered is not None and numbered.level > 1


def is_chapter_title(title: str) -> bool:
    """Whether a line below the number of a chapter may be its title."""
    return (
        len(title.split()) <= _MAX_HEADING_WORDS
        and not title[0].islower()
        and not _SENTENCE_END.search(title.rstrip("?!").removesuffix("."))
        and not _BARE.fullmatch(title)
        and not any(pattern.fullmatch(title) for pattern in (_PART, _CHAPTER, _SCENE, _NAMED_CHAPTER))
    )


def numbers_of(text: str) -> tuple[int, ...]:
    """The numbers a numbered heading begins with, one for each level: 6 and 2 of "6.2. art_help_line"."""
    numbered = _NUMBERED.match(text)
    return tuple(map(int, numbered["number"].split("."))) if numbered else ()


def follows(above: tuple[int, ...], below: tuple[int, ...]) -> bool:
    """Whether the numbers of a heading go on from those of the one above it: 6.2 from 6.1, 6.1.4 or 6."""
    if below == (*above, 1):
        return True
    last = len(below) - 1
    return len(above) > last and below[:last] == above[:last] and below[last] == above[last] + 1


def names_word(text: str) -> bool:
    """Whether a numbered heading is one word in lower case, as the name of an option is."""
    numbered = _NUMBERED.fullmatch(text)
    return numbered is not None and numbered["name"] is not None


def number_of(text: str) -> int:
    """The number a heading begins with; 0 for letters that are not a Roman numeral."""
    token = re.split(r"[.)\s]", text, maxsplit=1)[0].lower()
    if token.isdecimal() and len(token) <= _MOST_DIGITS:
        return int(token)
    total = 0
    for letter, following in zip(token, token[1:] + " ", strict=True):
        value = _ROMAN_VALUES.get(letter, 0)
        total += -value if value < _ROMAN_VALUES.get(following, 0) else value
    return total
