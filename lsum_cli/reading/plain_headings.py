"""Headings of plain text: numbered, underlined, in capitals, and the chapters of books."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lsum_cli.text.patterns import regex

_ROMAN = r"[IVXLC]{1,8}|[ivxlc]{1,8}"
_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
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
    r"(?:the\s+)?(?:preface|foreword|prologue|introduction|epilogue|afterword|conclusion|postscript|dedication"
    r"|acknowledge?ments|appendix(?:\s+[A-Z\d]{1,3})?|characters|dramatis personae|persons of the play"
    r"|abstract|references|bibliography|glossary|index|notes|vorwort|prolog|epilog|einleitung|préface"
    r"|prólogo|epílogo)[.:]?",
    re.I,
)
_NUMBERED = regex(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})(?P<mark>[.)]?)\s+(?P<title>[^\W\d_a-z].*|[a-z][\w-]*[A-Z].*)"
)
_ROMAN_TITLED = regex(r"(?P<number>[IVXL]{1,7})[.)]\s+(?P<title>[^\W\d_a-z].*)")
_BARE = regex(rf"(?P<roman>{_ROMAN})\.?|(?P<digits>\d{{1,2}})\.?")
_UNDERLINE = regex(r"\s*([=\-~^*#_+\"'`])\1{2,}\s*")
_CAPITALS = regex(r"[^a-zß-öø-ÿ]*[A-ZÀ-ÖØ-Þ]{2}[^a-zß-öø-ÿ]*")
# "User Interface: but" of a conversation is a turn, not a title.
_TURN = regex(r"(?P<name>[^\W\d_][\w .'’()&,-]{0,60}?)\s*:(?:\s|$)")
_MIN_TURNS = 3
CONTENTS_HEADING = regex(
    r"(?:table of )?contents[.:]?|index of chapters|inhalt|table des matières|índice|indice", re.I
)
_SENTENCE_END = regex(r"(?<!\betc)[.,;:!?][\"'”’)\]]*$")
# Notes of rights, names of authors, cells of a table.
_NO_TITLE = regex(r"copyright|all rights reserved|©|\(c\)|^(?:authors?|by)\b|\S\s{2,}\S", re.I)
_FINISHED = regex(r"[.!?:…。！？][\"'”’»)\]_*]*$")
_DOTTED = regex(r"(?:\.\s?){3,}\s*\d*$|\s{2,}\d{1,4}$")
_MAX_HEADING_WORDS = 12
_MOST_DIGITS = 9
_MAX_HEADING_CHARACTERS = 110
_MIN_SECTION_WORDS = 8
_MIN_SPACED_BLANKS = 2
_MIN_NUMBERED = 3
# Of four letters and more, which titles leave small.
_SMALL_WORDS = frozenset(["from", "with", "into", "upon", "over", "onto", "unto", "than"])
_MAX_TITLED_WORDS = 8
_MIN_TITLED = 3
_MIN_TITLED_WORDS = 30
_MAX_TITLED_SHARE = 0.34
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
    UNDERLINED = 8
    CAPITALS = 9
    TITLED = 10


_LIST_KINDS = (HeadingKind.NUMBERED, HeadingKind.ROMAN_TITLED)


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
    candidates = [found for index, group in enumerate(groups) if (found := _recognise(index, group, groups))]
    speakers = _speakers(groups)
    if speakers:
        candidates = [found for found in candidates if found.text.partition(":")[0].strip() not in speakers]
    candidates = _keep_sequences(_without_doubtful_titles(candidates, groups), groups)
    candidates = _keep_filled(candidates, groups)
    candidates = _keep_capitals_that_stand_out(candidates, groups)
    candidates = _keep_titles_that_stand_out(candidates, groups)
    return {heading.group: heading for heading in _settle_levels(candidates)}


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


def _speakers(groups: Sequence[LineGroup]) -> set[str]:
    """Who speaks in a conversation: most paragraphs open with a name that others open with too."""
    turns = [found["name"] for group in groups if (found := _TURN.match(group.lines[0].strip()))]
    speakers = {name for name, count in Counter(turns).items() if count >= _MIN_TURNS}
    return speakers if 2 * sum(name in speakers for name in turns) > len(groups) else set()


def _is_listing(group: LineGroup) -> bool:
    """Whether a group looks like entries of a table of contents: short lines, none a sentence."""
    entries = [line.strip() for line in group.lines]
    return all(
        len(entry.split()) <= _MAX_HEADING_WORDS
        and (bool(_DOTTED.search(entry)) or not _SENTENCE_END.search(entry.rstrip(".")))
        for entry in entries
    )


def _recognise(index: int, group: LineGroup, groups: Sequence[LineGroup]) -> TypedHeading | None:
    line = group.lines[0].strip()
    if len(group.lines) > 1 and _UNDERLINE.fullmatch(group.lines[1]):
        if len(group.lines) == 2 and len(group.lines[1].strip()) >= len(line) // 2 and _is_short(line):
            return _heading(index, HeadingKind.UNDERLINED, line)
        return None
    if not _is_short(group.text) or len(group.lines) > 3 or _DOTTED.search(line):
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
            return _with_title(_heading(index, kind, group.text), groups)
    if len(group.lines) > 1:
        return None
    if _NAMED_CHAPTER.fullmatch(line) and line[0].isupper():
        return _heading(index, HeadingKind.NAMED, line)
    if _BARE.fullmatch(line):
        return _heading(index, HeadingKind.BARE_NUMBER, line)
    if _SENTENCE_END.search(line.rstrip("?")):
        return None
    if numbered := _NUMBERED.fullmatch(line):
        return replace(_heading(index, HeadingKind.NUMBERED, line), level=numbered["number"].count(".") + 1)
    if _ROMAN_TITLED.fullmatch(line):
        return _heading(index, HeadingKind.ROMAN_TITLED, line)
    if _CAPITALS.fullmatch(line):
        return _heading(index, HeadingKind.CAPITALS, line)
    in_title_case = len(line.split()) <= _MAX_TITLED_WORDS and line[0].isupper() and _in_title_case(line)
    if in_title_case and not _NO_TITLE.search(line):
        return _heading(index, HeadingKind.TITLED, line)
    return None


def _heading(group: int, kind: HeadingKind, text: str) -> TypedHeading:
    return TypedHeading(group=group, kind=kind, text=text, level=1, last_group=group)


def _is_short(text: str) -> bool:
    return len(text) <= _MAX_HEADING_CHARACTERS and len(text.split()) <= _MAX_HEADING_WORDS + 4


def _reads_as_title(line: str) -> bool:
    """Whether a line that begins like a chapter heading is one, not a sentence about a chapter."""
    return line[0].isupper() and not (
        line.endswith((",", ";")) or re.search(r"\b(?:was|is|were|are|had|has)\b", line)
    )


def _with_title(heading: TypedHeading, groups: Sequence[LineGroup]) -> TypedHeading:
    """A chapter heading extended by a title on the lines below it."""
    following = heading.group + 1
    if len(heading.text.split()) > 3 or following + 1 >= len(groups):
        return heading
    group = groups[following]
    title = group.text
    is_title = (
        len(group.lines) <= 2
        and group.blank_before <= _MIN_SPACED_BLANKS
        and len(title.split()) <= _MAX_HEADING_WORDS
        and not _SENTENCE_END.search(title.rstrip("?!").removesuffix("."))
        and (_CAPITALS.fullmatch(title) or _in_title_case(title))
        and not _BARE.fullmatch(title)
        and not any(pattern.fullmatch(title) for pattern in (_PART, _CHAPTER, _SCENE, _NAMED_CHAPTER))
    )
    if not is_title:
        return heading
    return replace(heading, text=f"{heading.text} {title}", last_group=following)


def _in_title_case(text: str) -> bool:
    words = [word for word in re.findall(r"[^\W\d_]{4,}", text) if word not in _SMALL_WORDS]
    return bool(words) and all(word[0].isupper() for word in words) and not text.endswith((".", "”", '"'))


def _keep_sequences(candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]) -> list[TypedHeading]:
    """Keep bare numbers and titled Roman numerals only where they form a sequence that begins with 1."""
    kept = {id(candidate) for candidate in candidates}
    for kind in (HeadingKind.BARE_NUMBER, HeadingKind.ROMAN_TITLED):
        numbers = [candidate for candidate in candidates if candidate.kind is kind]
        in_order: set[int] = set()
        expected = 1
        run: list[TypedHeading] = []
        for candidate in numbers:
            value = _value(candidate.text)
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
        leads_down = following is not None and words == 0 and _rank(following) > _rank(candidate)
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


def _without_doubtful_titles(
    candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]
) -> list[TypedHeading]:
    """Without lines in title case that may be names: repeated, or after an unfinished sentence."""
    times = Counter(candidate.text for candidate in candidates if candidate.kind is HeadingKind.TITLED)
    headings = {candidate.group for candidate in candidates}
    kept = []
    for candidate in candidates:
        before = candidate.group - 1
        finished = (
            before < 0
            or before in headings
            or groups[before].num_words <= _MAX_HEADING_WORDS  # an author, a date
            or bool(_FINISHED.search(groups[before].text))
        )
        if candidate.kind is not HeadingKind.TITLED or (finished and times[candidate.text] == 1):
            kept.append(candidate)
    return kept


def _keep_titles_that_stand_out(
    candidates: Sequence[TypedHeading], groups: Sequence[LineGroup]
) -> list[TypedHeading]:
    """Keep lines in title case as headings where nothing else divides the text, and prose is below each.

    Space above marks them; where all groups are spaced alike, there must be several.
    """
    others = [candidate for candidate in candidates if candidate.kind is not HeadingKind.TITLED]
    titles = []
    for position, candidate in enumerate(candidates):
        end = candidates[position + 1].group if position + 1 < len(candidates) else len(groups)
        words = sum(group.num_words for group in groups[candidate.last_group + 1 : end])
        if candidate.kind is HeadingKind.TITLED and words >= _MIN_TITLED_WORDS:
            titles.append(candidate)
    if sum(1 for other in others if other.kind not in (HeadingKind.PART, HeadingKind.NAMED)) > 1:
        return others
    usual = Counter(group.blank_before for group in groups[1:]).most_common(1)
    spaced = [
        title
        for title in titles
        if title.group == 0 or (usual and groups[title.group].blank_before > usual[0][0])
    ]
    if sum(1 for title in spaced if title.group) < 2:
        several = len(titles) >= _MIN_TITLED and len(titles) <= _MAX_TITLED_SHARE * len(groups)
        spaced = titles if several else []
    kept = {id(candidate) for candidate in (*others, *spaced)}
    return [candidate for candidate in candidates if id(candidate) in kept]


def _settle_levels(candidates: Sequence[TypedHeading]) -> list[TypedHeading]:
    """Assign levels across kinds: parts above chapters above scenes."""
    kinds = Counter(candidate.kind for candidate in candidates)
    ranked = [kind for kind in (HeadingKind.PART, HeadingKind.CHAPTER, HeadingKind.SCENE) if kinds[kind]]
    bases = {kind: ranked.index(kind) for kind in ranked}
    bases[HeadingKind.NAMED] = bases.get(HeadingKind.CHAPTER, 0)
    bases[HeadingKind.BARE_NUMBER] = 1 if kinds[HeadingKind.PART] else 0
    chapters = kinds[HeadingKind.CHAPTER] > 1 or kinds[HeadingKind.BARE_NUMBER]
    for kind in (HeadingKind.CAPITALS, HeadingKind.ROMAN_TITLED):
        bases[kind] = 0
    bases[HeadingKind.TITLED] = 1 if kinds[HeadingKind.PART] else 0
    bases[HeadingKind.NUMBERED] = len(ranked) if chapters and kinds[HeadingKind.NUMBERED] else 0
    bases[HeadingKind.UNDERLINED] = 0
    return [replace(candidate, level=candidate.level + bases[candidate.kind]) for candidate in candidates]


@dataclass(frozen=True, kw_only=True, slots=True)
class LineGroup:
    """Consecutive lines without a blank line between them.

    Attributes:
        lines: The lines, with their indentation; none is blank.
        blank_before: Number of blank lines before the first.
    """

    lines: tuple[str, ...]
    blank_before: int

    @property
    def text(self) -> str:
        """The lines, joined by spaces."""
        return " ".join(line.strip() for line in self.lines)

    @property
    def num_words(self) -> int:
        """Words in all lines."""
        return len(self.text.split())


def group_lines(lines: Sequence[str]) -> list[LineGroup]:
    """Group lines, separated by blank ones."""
    groups: list[LineGroup] = []
    current: list[str] = []
    blank = 0
    for line in (*lines, ""):
        if line.strip():
            current.append(line)
            continue
        if current:
            groups.append(LineGroup(lines=tuple(current), blank_before=blank))
            current, blank = [], 0
        blank += 1
    return groups
