"""Plain text: hard-wrapped or one line per paragraph, with typed headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lsum_cli.documents import Document
from lsum_cli.reading.blocks import CODE, TABLE_OF_CONTENTS, Block, Tally, make_document
from lsum_cli.reading.charsets import decode
from lsum_cli.reading.plain.code import find_code, is_program
from lsum_cli.reading.plain.copied_pages import without_surroundings
from lsum_cli.reading.plain.heading_forms import HeadingKind
from lsum_cli.reading.plain.headings import (
    find_contents,
    find_headings,
    take_title,
    with_clauses_apart,
    with_headings_apart,
    with_numbered_apart,
)
from lsum_cli.reading.plain.headlines import after_byline, opens_with_title, with_headline_apart
from lsum_cli.reading.plain.lines import (
    RULE,
    LineJoiner,
    group_lines,
    remove_running_lines,
    single_spaced,
    split_lines,
    without_stamps,
)
from lsum_cli.reading.plain.man_pages import is_man_page, read_man_page
from lsum_cli.reading.plain.tables import table_rows
from lsum_cli.reading.plain.vim_help import is_vim_help, read_vim_help
from lsum_cli.reading.registry import RawSource, ReadOptions
from lsum_cli.reading.wiki_markup import read_dialect, recognise_dialect
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
    r"|Scanned|HTML version)\b[^\n]*(?:\n[^\n]*\S[^\n]*)*\s*)+",
    re.I,
)
# What tells of a book without a header who typed it: "Produced water …" does not.
_TYPED_BY = regex(
    r"\s*(?:(?:Produced|Transcribed|Scanned)(?: and \w+)?|E-?text prepared"
    r"|This e-?(?:text|book) was (?:produced|prepared))\s+by\b",
    re.I,
)
_TYPISTS = regex(r"\bproofread|\bpgdp\b|\bgutenberg\b", re.I)
_MOST_NAMES = 12  # words
_LEAST_ENDS = 3  # of lines, between them and the book
_TITLE = regex(r"^Title:[ \t]*(\S[^\n]*(?:\n[ \t]+[^\s:][^\n:]*)*)", re.M)
# "End of the Project Gutenberg EBook of Title, by Author": where a header is missing.
_TITLE_AT_END = regex(
    r"\s*End of (?:the |this )?Project Gutenberg(?:['’]s)?(?: e-?(?:text|book))?(?: of)?\s+(\S.*?),?\s+by\s",
    re.I | re.S,
)
_LONGEST_TITLE = 200
# What the licence below that line begins with.
_LICENCE_BEGINS = regex(
    r"^[ *]*(?:This file should be named|Updated editions will replace|START: FULL LICENSE"
    r"|THE FULL PROJECT GUTENBERG)",
    re.M | re.I,
)
_BEFORE_LICENCE = 2_000
_BLANK_LINE = regex(r"\n\s*?\n")
_LANGUAGE = regex(r"^Language:[ \t]*(\w+)", re.M)
_LANGUAGES = {
    "english": "en", "french": "fr", "german": "de", "spanish": "es", "italian": "it", "portuguese": "pt",
    "dutch": "nl", "finnish": "fi", "swedish": "sv", "danish": "da", "norwegian": "no", "polish": "pl",
    "russian": "ru", "greek": "el", "latin": "la", "hungarian": "hu", "czech": "cs", "catalan": "ca",
    "chinese": "zh", "japanese": "ja", "esperanto": "eo",
}  # fmt: skip
_HEADER_CHARACTERS = 40_000
_HEADER_PARAGRAPHS = 200
# "_Emma_": words in italics, as books are typed; of the low lines of a text so many must stand for them.
# N_() is a function.
_ITALICS = regex(r"(?<![\w_])_(?=[^\s_])((?:[^_\n]|\n(?!\s*\n)){0,600}?[^\s_])_(?![\w_(])")
_LEAST_ITALICS, _MOSTLY_ITALICS = 2, 0.9
_OF_CODE = "most of the text is program code, of which only the comments are sentences"


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
    header = text[: start.end()] if start else ""
    body = text[len(header) :]
    # A copy may have lost its header: the line at its end still tells what it is.
    end = _END.search(body) if start else _find_last_end(body)
    if not (start or end):
        # One that has lost both may still begin with who typed it, and not with its title.
        typed_by = _CREDITS.match(text)
        if typed_by is None or not _is_typed_by(typed_by.group()):
            return UnwrappedBook(text=text)
        tally.add(LICENCE, typed_by.group())
        return UnwrappedBook(text=text[typed_by.end() :])
    licence = body[end.start() :] if end else ""
    body = body[: end.start()] if end else body
    credit_lines = _CREDITS.match(body)
    if credit_lines:
        header += credit_lines.group()
        body = body[credit_lines.end() :]
    tally.add(LICENCE, header)
    tally.add(LICENCE, licence)
    title = _TITLE.search(header) or _TITLE_AT_END.match(licence[:_LONGEST_TITLE])
    language = _LANGUAGE.search(header)
    return UnwrappedBook(
        text=body,
        title=title.group(1) if title else None,
        language=_LANGUAGES.get(language.group(1).lower()) if language else None,
    )


def _is_typed_by(credits: str) -> bool:
    """Whether lines at the top of a text that has no header of a book say who typed it."""
    ends = credits[len(credits.rstrip()) :].count("\n")
    is_name = len(credits.split()) <= _MOST_NAMES or _TYPISTS.search(credits) is not None
    return ends >= _LEAST_ENDS and is_name and _TYPED_BY.match(credits) is not None


def _find_last_end(text: str) -> re.Match[str] | None:
    """The line that ends the last book of a text, or ``None``: one that a text only quotes ends nothing.

    Below it, and others like it that follow directly, is the licence or nothing.
    """
    first: re.Match[str] | None = None
    after = 0
    for end in _END.finditer(text, max(0, len(text) - _HEADER_CHARACTERS)):
        if first is None or _BLANK_LINE.search(text[after : end.start()].rstrip()):
            first = end
        after = end.end()
    if first is None:
        return None
    rest = _BLANK_LINE.search(text, after)
    is_last = not (rest and text[rest.end() :].strip())
    return first if is_last or _LICENCE_BEGINS.search(text, after, after + _BEFORE_LICENCE) else None


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


@dataclass(frozen=True, kw_only=True, slots=True)
class PlainText:
    """The parts of a plain text.

    Attributes:
        title: Its title, or ``None``.
        blocks: Headings and paragraphs.
        language: Two-letter code where the text declares it.
        warnings: What its reader should know.
    """

    title: str | None
    blocks: tuple[Block, ...]
    language: str | None = None
    warnings: tuple[str, ...] = ()


def read_plain(raw: RawSource, _options: ReadOptions) -> Document:
    """Read a plain text, or one in a markup of lines that its name does not tell."""
    decoded = decode(raw.content, raw.charset)
    dialect = recognise_dialect(decoded.text)
    if dialect is not None:
        return read_dialect(raw, dialect)
    tally = Tally()
    plain = parse_plain(decoded.text, tally)
    return make_document(
        raw,
        plain.blocks,
        tally,
        title=plain.title,
        language=plain.language,
        warnings=(*decoded.warnings, *plain.warnings),
    )


def _without_mode(text: str) -> str:
    """A text without what its first line tells an editor: "-*- outline -*-"."""
    first, end, rest = text.partition("\n")
    begins, ends = first.find("-*-"), first.rfind("-*-")
    if begins == ends:
        return text
    return first[:begins].rstrip() + first[ends + len("-*-") :] + end + rest


def _types_italics(text: str) -> bool:
    """Whether the low lines of a text stand for italics, and few of them for anything else, as in code."""
    count = sum(1 for _ in _ITALICS.finditer(text))
    return count >= _LEAST_ITALICS and 2 * count >= _MOSTLY_ITALICS * text.count("_")


def parse_plain(text: str, tally: Tally, *, is_whole: bool = True) -> PlainText:
    """Find title, headings and paragraphs of a plain text.

    Args:
        text: The text, decoded.
        tally: Counts what is left out: running lines, licence, table of contents.
        is_whole: Whether the text is a whole document, which may open with its title.
    """
    book = unwrap_gutenberg(text, tally)
    lines = single_spaced(split_lines(_without_mode(book.text)))
    if is_whole and is_man_page(lines):
        name, blocks_of_page = read_man_page(lines, tally)
        return PlainText(title=name, blocks=tuple(blocks_of_page))
    if is_whole and is_vim_help(lines):
        name, blocks_of_page = read_vim_help(lines, tally)
        return PlainText(title=name, blocks=tuple(blocks_of_page))
    lines = remove_running_lines(without_stamps(lines) if is_whole else lines, tally)
    groups = group_lines(lines)
    groups = without_surroundings(groups, tally) if is_whole else groups
    groups = with_clauses_apart(with_numbered_apart(with_headings_apart(groups)))
    title = book.title
    if is_whole and title is None:
        groups = with_headline_apart(groups)
    joiner = LineJoiner(lines)
    has_italics = _types_italics(book.text)
    # Elsewhere code is marked, and what is left of a page laid out by hand is a specification.
    code = find_code(groups) if is_whole else set()
    # A line of code between paragraphs looks like a title, and a comment in a box like an underlined one.
    headings = {
        at: heading
        for at, heading in find_headings(groups).items()
        if at not in code or heading.kind not in (HeadingKind.TITLED, HeadingKind.UNDERLINED)
    }
    contents = find_contents(groups, headings)
    warnings = (_OF_CODE,) if is_whole and not code and is_program(groups) else ()
    blocks: list[Block] = []
    index = 0
    # A book whose header names it begins with what its own heading says.
    first = take_title(headings, groups) if is_whole and title is None else None
    if first is None and is_whole and 0 not in headings and 0 not in contents and opens_with_title(groups):
        first = " ".join(line.strip() for line in groups[0].lines if not RULE.fullmatch(line))
    if first is not None:
        title = title or first
        index = after_byline(groups, tally)
    while index < len(groups):
        group = groups[index]
        heading = headings.get(index)
        if heading is not None:
            blocks.append(Block(text=heading.text, level=heading.level))
            index = heading.last_group
        elif index in contents:
            tally.add(TABLE_OF_CONTENTS, group.text)
        elif index in code:
            tally.add(CODE, group.text)
        elif (rows := table_rows(group.lines)) is not None:
            blocks.extend(Block(text=row) for row in rows)
        else:
            is_below_code = index - 1 in code
            for text, is_item in joiner.paragraphs_and_items(group.lines):
                # A line in italics may be a heading: they go when those are known.
                plain = _ITALICS.sub(r"\1", text) if has_italics else text
                blocks.append(Block(text=plain, is_item=is_item, follows_code=is_below_code))
                is_below_code = False
        index += 1
    return PlainText(title=title, blocks=tuple(blocks), language=book.language, warnings=warnings)
