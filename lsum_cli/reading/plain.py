"""Plain text: hard-wrapped or one line per paragraph, with typed headings."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lsum_cli.documents import Document
from lsum_cli.reading.blocks import AUTHOR_LINE, RUNNING_LINES, TABLE_OF_CONTENTS, Block, Tally, make_document
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.plain_headings import LineGroup, find_contents, find_headings, group_lines
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.text.patterns import regex

LICENCE = "Project Gutenberg header and licence"

_START = regex(
    r"^[ \t]*\*{2,3} ?START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*(?:\n[^\n]+)?\*{3}[^\n]*$"
    r"|^[ \t]*\*{3} ?START OF (?:THE |THIS )?PROJECT GUTENBERG[^\n]*$|^\*END[* ]?THE SMALL PRINT![^\n]*$",
    re.M | re.I,
)
_END = regex(
    r"^[ \t]*(?:\*{2,3} ?END OF (?:THE |THIS )?PROJECT GUTENBERG|End of (?:The |this )?Project Gutenberg)",
    re.M | re.I,
)
_CREDITS = regex(
    r"\A\s*(?:(?:Produced|E-?text prepared|This e-?(?:text|book) was (?:produced|prepared)|Transcribed"
    r"|Scanned|HTML version)\b[^\n]*(?:\n[^\n]+)*\s*)+",
    re.I,
)
_TITLE = regex(r"^Title:[ \t]*(\S[^\n]*(?:\n[ \t]+[^\s:][^\n:]*)*)", re.M)
_LANGUAGE = regex(r"^Language:[ \t]*(\w+)", re.M)
_LANGUAGES = {
    "english": "en", "french": "fr", "german": "de", "spanish": "es", "italian": "it", "portuguese": "pt",
    "dutch": "nl", "finnish": "fi", "swedish": "sv", "danish": "da", "norwegian": "no", "polish": "pl",
    "russian": "ru", "greek": "el", "latin": "la", "hungarian": "hu", "czech": "cs", "catalan": "ca",
    "chinese": "zh", "japanese": "ja", "esperanto": "eo",
}  # fmt: skip
_HEADER_CHARACTERS = 40_000
_HEADER_PARAGRAPHS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class UnwrappedBook:
    """A text without Project Gutenberg's header and licence.

    Attributes:
        text: The book itself, or the whole text where there is no such header.
        title: As its header gives it, or ``None``.
        language: Two-letter code, or ``None``.
    """

    text: str
    title: str | None = None
    language: str | None = None


def unwrap_gutenberg(text: str, tally: Tally) -> UnwrappedBook:
    """Remove the header and licence of a Project Gutenberg book; other texts are returned unchanged."""
    start = _START.search(text, 0, _HEADER_CHARACTERS)
    if start is None:
        return UnwrappedBook(text=text)
    header = text[: start.end()]
    body = text[start.end() :]
    end = _END.search(body)
    licence = body[end.start() :] if end else ""
    body = body[: end.start()] if end else body
    credit_lines = _CREDITS.match(body)
    if credit_lines:
        header += credit_lines.group()
        body = body[credit_lines.end() :]
    tally.add(LICENCE, header)
    tally.add(LICENCE, licence)
    title = _TITLE.search(header)
    language = _LANGUAGE.search(header)
    return UnwrappedBook(
        text=body,
        title=title.group(1) if title else None,
        language=_LANGUAGES.get(language.group(1).lower()) if language else None,
    )


def find_book(paragraphs: Sequence[str], tally: Tally) -> tuple[int, int]:
    """The same for a book in paragraphs: the index of its first one and the index after its last one."""
    first, last = 0, len(paragraphs)
    for index, paragraph in enumerate(paragraphs):
        if not first and index < _HEADER_PARAGRAPHS and _START.search(paragraph):
            first = index + 1
        elif first and _END.search(paragraph):
            last = index
            break
    if not first:
        return 0, len(paragraphs)
    for paragraph in (*paragraphs[:first], *paragraphs[last:]):
        tally.add(LICENCE, paragraph)
    return first, last


_FOOT = regex(r".*\S\s+\[Page\s+(?:\d+|[ivxl]+)\]\s*$|\s*\[Page\s+(?:\d+|[ivxl]+)\]\s*$", re.I)
_MIN_PAGES = 2
_SENTENCE_GOES_ON = regex(r"[^.!?:;\s]$")


def remove_running_lines(lines: Sequence[str], tally: Tally) -> list[str]:
    """Remove lines that end in ``[Page 7]`` and the running headers that follow them on each page.

    A sentence that continues on the next page is joined.
    """
    feet = [index for index, line in enumerate(lines) if "[" in line and _FOOT.match(line)]
    if len(feet) < _MIN_PAGES:
        return list(lines)
    heads = [_next_filled(lines, foot + 1) for foot in feet]
    repeated = Counter(_shape(lines[head]) for head in heads if head is not None)
    running = set(feet)
    for head in heads:
        if head is not None and repeated[_shape(lines[head])] >= max(_MIN_PAGES, len(feet) // 3):
            running.add(head)
    for index in running:
        tally.add(RUNNING_LINES, lines[index])
    return _close_gaps(lines, running)


def _close_gaps(lines: Sequence[str], running: set[int]) -> list[str]:
    kept: list[str] = []
    in_gap = False
    for index, line in enumerate(lines):
        if index in running:
            in_gap = True
            while kept and not kept[-1].strip():
                kept.pop()
        elif in_gap and not line.strip():
            continue
        else:
            if in_gap and kept and not _goes_on(kept[-1], line):
                kept.append("")
            in_gap = False
            kept.append(line)
    return kept


def _goes_on(before: str, after: str) -> bool:
    return bool(_SENTENCE_GOES_ON.search(before)) and after.lstrip()[0].islower()


def _next_filled(lines: Sequence[str], start: int) -> int | None:
    return next((index for index in range(start, min(start + 12, len(lines))) if lines[index].strip()), None)


def _shape(line: str) -> str:
    return re.sub(r"\d+", "0", " ".join(line.split()))


_LINE_ENDS = regex(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_WIDE_LINE = 160
_MIN_WIDE_SHARE = 0.5
_SENTENCE_END = regex(r"[.!?:…。！？][\"'”’»)\]_*]*$")
_LIST_MARK = regex(r"(?:[-*•‣◦–+]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])\s+\S")
_BULLET = regex(r"^[-*•‣◦+]\s+(?=\S)")
_BROKEN_WORD = regex(r"[^\W\d_]-$")
_LAST_WORD = regex(r"[^\W\d_]+(?=-$)")
_FIRST_WORD = regex(r"[^\W\d_]+")
_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_MAX_TYPED_HYPHENS = 0.03
_SHORT_LINE = 0.75


def split_lines(text: str) -> list[str]:
    """The lines of a text, with tabs expanded; a page break ends a line."""
    return [line.expandtabs().rstrip() for line in _LINE_ENDS.sub("\n", text).split("\n")]


class LineJoiner:
    """Joins hard-wrapped lines to paragraphs.

    Args:
        lines: All lines of the text: their lengths show whether it is wrapped at all, their last
            characters whether words are hyphenated at line ends.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        filled = [line for line in lines if line.strip()]
        characters = sum(len(line) for line in filled)
        wide = sum(len(line) for line in filled if len(line) > _WIDE_LINE)
        self._is_wrapped = wide <= _MIN_WIDE_SHARE * characters
        self._broken_lines = sum(1 for line in filled if _BROKEN_WORD.search(line))
        self._hyphenates = self._broken_lines > _MAX_TYPED_HYPHENS * len(filled)
        self._vocabulary: set[str] = set()
        if self._broken_lines:
            self._vocabulary = {word.lower() for line in filled for word in _WORD.findall(line)}

    def paragraphs(self, lines: Sequence[str]) -> list[str]:
        """The paragraphs of one group of lines."""
        if not self._is_wrapped:
            return [_BULLET.sub("", line.strip()) for line in lines]
        width = max(len(line) for line in lines)
        paragraphs: list[list[str]] = [[lines[0]]]
        for line, following in itertools.pairwise(lines):
            if _ends_paragraph(line, following, width):
                paragraphs.append([])
            paragraphs[-1].append(following)
        return [_BULLET.sub("", self.join(paragraph)) for paragraph in paragraphs]

    def join(self, lines: Sequence[str]) -> str:
        """Join lines by spaces, and words that are hyphenated at line ends."""
        parts = [lines[0].strip()]
        for line in lines[1:]:
            following = line.strip()
            broken = _LAST_WORD.search(parts[-1]) if parts[-1].endswith("-") else None
            beginning = _FIRST_WORD.match(following)
            if broken is None or beginning is None or not beginning.group()[0].islower():
                parts.append(" ")
            elif self._joins_without_hyphen(broken.group().lower(), beginning.group().lower()):
                parts[-1] = parts[-1][:-1]
            parts.append(following)
        return "".join(parts)

    def _joins_without_hyphen(self, first: str, second: str) -> bool:
        if first + second in self._vocabulary:
            return True
        if f"{first}-{second}" in self._vocabulary:
            return False
        return self._hyphenates


def _ends_paragraph(line: str, following: str, width: int) -> bool:
    if _LIST_MARK.match(following.lstrip()):
        return True
    if not _SENTENCE_END.search(line):
        return False
    deeper = _indent(following) > _indent(line) + 1
    room = width - len(line) - 1
    would_fit = len(following.split(maxsplit=1)[0]) <= room
    return deeper or (would_fit and len(line) < _SHORT_LINE * width)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


_BYLINE = regex(r"by(?:\s+\S.*)?", re.I)
_MAX_BYLINE_WORDS = 12
_MAX_TITLE_WORDS = 20
_MAX_TITLE_LINES = 3
_MIN_GROUPS_BELOW_TITLE = 2
_TITLE_END = regex(r"[.,;:!?]$")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainText:
    """The parts of a plain text.

    Attributes:
        title: Its title, or ``None``.
        blocks: Headings and paragraphs.
        language: Two-letter code where the text declares it.
    """

    title: str | None
    blocks: tuple[Block, ...]
    language: str | None = None


def read_plain(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a plain text."""
    decoded = decode(raw.content, raw.charset)
    tally = Tally()
    plain = parse_plain(decoded.text, tally)
    return make_document(
        raw, plain.blocks, tally, title=plain.title, language=plain.language, warnings=decoded.warnings
    )


def parse_plain(text: str, tally: Tally, *, is_whole: bool = True) -> PlainText:
    """Find title, headings and paragraphs of a plain text.

    Args:
        text: The text, decoded.
        tally: Counts what is left out: running lines, licence, table of contents.
        is_whole: Whether the text is a whole document, which may open with its title.
    """
    book = unwrap_gutenberg(text, tally)
    lines = remove_running_lines(split_lines(book.text), tally)
    groups = group_lines(lines)
    title = book.title
    joiner = LineJoiner(lines)
    headings = find_headings(groups)
    contents = find_contents(groups, headings)
    blocks: list[Block] = []
    index = 0
    if is_whole and 0 not in headings and 0 not in contents and _opens_with_title(groups):
        title = title or groups[0].text
        index = _after_byline(groups, tally)
    while index < len(groups):
        group = groups[index]
        heading = headings.get(index)
        if heading is not None:
            blocks.append(Block(text=heading.text, level=heading.level))
            index = heading.last_group
        elif index in contents:
            tally.add(TABLE_OF_CONTENTS, group.text)
        else:
            blocks.extend(Block(text=paragraph) for paragraph in joiner.paragraphs(group.lines))
        index += 1
    return PlainText(title=title, blocks=tuple(blocks), language=book.language)


def _after_byline(groups: list[LineGroup], tally: Tally) -> int:
    """Index after the title and the author line below it: ``by H. G. Wells``, on one line or two."""
    byline = groups[1]
    if not _BYLINE.fullmatch(byline.text) or byline.num_words > _MAX_BYLINE_WORDS:
        return 1
    is_alone = byline.num_words == 1 and groups[2].num_words <= _MAX_BYLINE_WORDS
    used = groups[1:3] if is_alone else groups[1:2]
    for group in used:
        tally.add(AUTHOR_LINE, group.text)
    return 1 + len(used)


def _opens_with_title(groups: list[LineGroup]) -> bool:
    if len(groups) <= _MIN_GROUPS_BELOW_TITLE:
        return False
    first = groups[0]
    return (
        len(first.lines) <= _MAX_TITLE_LINES
        and first.num_words <= _MAX_TITLE_WORDS
        and not _TITLE_END.search(first.text)
    )
